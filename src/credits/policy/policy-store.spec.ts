import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FaultyEventStore } from '../../../test/support/faulty-event-store.js';
import { adoptPolicy } from '../../../test/support/policy.js';
import { ManualClock } from '../../platform/clock.js';
import { EventStoreUnavailableError } from '../../platform/event-store/event-store.js';
import { verifyChain } from '../../platform/event-store/hash-chain.js';
import { UuidGenerator } from '../../platform/ids.js';
import { DEFAULT_CREDIT_SETTINGS } from '../account/constants.js';
import { priceBundles } from './decide.js';
import { POLICY_STREAM } from './events.js';
import { PolicyStore, readPolicy } from './policy-store.js';

const NOW = new Date('2026-03-10T09:00:00Z');
const PRICE = { bundleId: 'basic', credits: 100, priceCents: 1000, onSale: true };

function setUp() {
  const store = new FaultyEventStore(POLICY_STREAM, NOW);
  const clock = new ManualClock(NOW);
  const instance = (settings = DEFAULT_CREDIT_SETTINGS): PolicyStore =>
    new PolicyStore(store, clock, new UuidGenerator(), settings);
  const types = (): string[] => store.events.map(({ type }) => type);
  return { store, clock, instance, types };
}
beforeEach(() => void Logger.overrideLogger(false));
afterEach(() => void Logger.overrideLogger(['log', 'error', 'warn']));

const ADOPTED = ['RevenueRuleAdopted', 'DailyGrantAmountSet', 'AdminGrantLimitSet'];

describe('PolicyStore', () => {
  it('writes each event once when two instances start together', async () => {
    const { store, clock, types } = setUp();
    await Promise.all([adoptPolicy(store, clock), adoptPolicy(store, clock)]);
    expect(types()).toEqual(ADOPTED);
    expect(verifyChain(store.events)).toBeNull();
    await adoptPolicy(store, clock);
    expect(types()).toEqual(ADOPTED);
  });

  it.each(['answer lost', 'request lost', 'another writer was first'] as const)(
    'writes each event once when an append ends with: %s',
    async (fault) => {
      const { store, clock, types } = setUp();
      store.faults.push(fault);
      await adoptPolicy(store, clock);
      expect(types()).toEqual(ADOPTED);
    },
  );

  it('fails when the store is unavailable', async () => {
    const { store, clock } = setUp();
    store.faults.push('unreachable');
    await expect(adoptPolicy(store, clock)).rejects.toThrow(EventStoreUnavailableError);
  });

  it('names who changed the policy, and never dates an event before the last one', async () => {
    const { store, clock, instance } = setUp();
    await adoptPolicy(store, clock);
    clock.set(new Date('2026-03-10T08:00:00Z'));
    await instance().change('operator', (policy, moment) => priceBundles(policy, moment, [PRICE]));
    expect(store.events.at(-1)?.metadata).toMatchObject({ actorId: 'operator', occurredAt: NOW.toISOString() });
    expect(verifyChain(store.events)).toBeNull();
  });

  it('follows the settings that another instance adopted', async () => {
    const { store, clock, instance } = setUp();
    const older = instance();
    expect(await older.inForce()).toEqual(DEFAULT_CREDIT_SETTINGS);
    await adoptPolicy(store, clock);
    expect((await older.inForce()).dailyGrantCredits).toBe(10);
    await adoptPolicy(store, clock, { ...DEFAULT_CREDIT_SETTINGS, dailyGrantCredits: 15 });
    await older.follow();
    expect((await older.inForce()).dailyGrantCredits).toBe(15);
    expect((await readPolicy(store)).dailyAmounts.map(({ amount }) => amount)).toEqual([10, 15]);
  });

  it('keeps the known policy while the store does not answer', async () => {
    const { store, clock, instance } = setUp();
    await adoptPolicy(store, clock);
    const policies = instance();
    const known = await policies.get();
    store.deleted = true;
    await policies.follow();
    expect(await policies.get()).toBe(known);
  });
});
