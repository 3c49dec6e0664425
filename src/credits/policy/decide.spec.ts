import { describe, expect, it } from '@jest/globals';
import { archivedPolicies, policyNameByContent, readArchivedPolicy } from '../../../test/support/event-archive.js';
import { EVENT_VERSIONS } from '../../contract/event-versions.js';
import { verifyChain } from '../../platform/event-store/hash-chain.js';
import { DEFAULT_CREDIT_SETTINGS } from '../account/constants.js';
import { UnreadableEventError } from '../account/upcast.js';
import { adoptRevenueRule, adoptSettings, priceBundles, type PolicyMoment } from './decide.js';
import { FROM_THE_BEGINNING, type PolicyEvent } from './events.js';
import { currentPrice, NO_POLICY, policyOf, type Policy } from './policy.js';

const NOW = new Date('2026-03-10T09:00:00.000Z');
const EMPTY: PolicyMoment = { now: NOW, isEmptyStore: true };
const USED: PolicyMoment = { now: NOW, isEmptyStore: false };
const BASIC = { bundleId: 'basic', credits: 100, priceCents: 1000, onSale: true };

/** The policy after these events. */
function after(policy: Policy, events: readonly PolicyEvent[]): Policy {
  return policyOf(
    events.map(({ type, data }, index) => ({ type, data, metadata: {}, version: policy.version + 1 + index })),
    policy,
  );
}

describe('adoptRevenueRule', () => {
  it('holds from the beginning in a store without accounts', () => {
    const policy = after(NO_POLICY, adoptRevenueRule(NO_POLICY, EMPTY));
    expect(policy.revenueRule.cumulativeFrom).toEqual(new Date(0));
  });

  it.each([
    ['2026-03-10T00:00:00.000Z', '2026-03-11T00:00:00.000Z'],
    ['2026-03-10T09:00:00.000Z', '2026-03-11T00:00:00.000Z'],
    ['2026-03-10T23:00:00.000Z', '2026-03-11T00:00:00.000Z'],
    ['2026-03-10T23:00:00.001Z', '2026-03-12T00:00:00.000Z'],
  ])('holds in a used store at %s from %s, an hour ahead or more', (now, effectiveFrom) => {
    const [event] = adoptRevenueRule(NO_POLICY, { now: new Date(now), isEmptyStore: false });
    expect(event).toMatchObject({
      type: 'RevenueRuleAdopted',
      data: { rule: 'cumulative-with-clawback', effectiveFrom },
    });
  });

  it('adopts the rule once', () => {
    const policy = after(NO_POLICY, adoptRevenueRule(NO_POLICY, USED));
    expect(adoptRevenueRule(policy, EMPTY)).toEqual([]);
  });
});

describe('adoptSettings', () => {
  const settings = { dailyGrantCredits: 10, adminGrantLimitCredits: 1000 };

  it('writes the settings of an empty store from the beginning', () => {
    expect(adoptSettings(NO_POLICY, EMPTY, settings)).toEqual([
      { type: 'DailyGrantAmountSet', data: { schemaVersion: 1, amount: 10, effectiveFrom: FROM_THE_BEGINNING } },
      { type: 'AdminGrantLimitSet', data: { schemaVersion: 1, amount: 1000, effectiveFrom: FROM_THE_BEGINNING } },
    ]);
  });

  it('writes only what differs from the policy, from now on', () => {
    const policy = after(NO_POLICY, adoptSettings(NO_POLICY, EMPTY, settings));
    expect(adoptSettings(policy, USED, settings)).toEqual([]);
    expect(adoptSettings(policy, USED, { ...settings, dailyGrantCredits: 12 })).toEqual([
      { type: 'DailyGrantAmountSet', data: { schemaVersion: 1, amount: 12, effectiveFrom: NOW.toISOString() } },
    ]);
  });
});

describe('priceBundles', () => {
  it('writes prices that differ from the policy, and an end of sale', () => {
    const policy = after(NO_POLICY, priceBundles(NO_POLICY, EMPTY, [BASIC]));
    expect(currentPrice(policy, 'basic')).toEqual({ ...BASIC, effectiveFrom: new Date(0), version: 0 });
    expect(priceBundles(policy, USED, [BASIC])).toEqual([]);
    const later = after(policy, priceBundles(policy, USED, [{ ...BASIC, onSale: false }]));
    expect(currentPrice(later, 'basic')).toMatchObject({ onSale: false, effectiveFrom: NOW, version: 1 });
    expect(later.bundlePrices).toHaveLength(2);
    expect(currentPrice(later, 'other')).toBeUndefined();
  });

  it.each([{ credits: 0 }, { priceCents: 0 }, { priceCents: 9.5 }, { credits: 1_000_000_001 }])(
    'refuses %j',
    (change) => {
      const { credits, priceCents } = { ...BASIC, ...change };
      expect(() => priceBundles(NO_POLICY, USED, [{ ...BASIC, ...change }])).toThrow(
        new RangeError(`Bundle basic cannot be sold as ${credits} credits for ${priceCents} cents.`),
      );
    },
  );

  it.each([{ credits: 1, priceCents: 1 }, { credits: 1_000_000_000 }, { priceCents: 1_000_000_000 }])(
    'accepts the limits of %j',
    (change) => {
      const [event] = priceBundles(NO_POLICY, USED, [{ ...BASIC, ...change }]);
      expect(event?.data).toMatchObject({ ...BASIC, ...change });
    },
  );

  it.each([{ priceCents: 1001 }, { credits: 101 }, { onSale: false }])(
    'writes a bundle of which only %j differs',
    (change) => {
      const policy = after(NO_POLICY, priceBundles(NO_POLICY, EMPTY, [BASIC]));
      expect(priceBundles(policy, USED, [{ ...BASIC, ...change }])).toHaveLength(1);
    },
  );
});

describe('policyOf', () => {
  it('keeps the first revenue rule', () => {
    const rules = [...adoptRevenueRule(NO_POLICY, USED), ...adoptRevenueRule(NO_POLICY, EMPTY)];
    expect(after(NO_POLICY, rules).revenueRule.cumulativeFrom).toEqual(new Date('2026-03-11T00:00:00Z'));
  });

  it('refuses an event of a newer program', () => {
    const stored = { type: 'DailyGrantAmountSet', data: { schemaVersion: 2 }, metadata: {}, version: 0 };
    expect(() => policyOf([stored])).toThrow(UnreadableEventError);
  });
});

describe('policy archive', () => {
  it('contains each file unchanged, with an example of every version of every event', () => {
    expect(archivedPolicies()).toEqual(archivedPolicies().map(policyNameByContent));
    expect(archivedPolicies()).toContain('2026-11-first-policy.b1639f9d0504.json');
    const archived = archivedPolicies().flatMap((file) =>
      readArchivedPolicy(file).events.map(({ type, data }) => `${type} ${JSON.stringify(data['schemaVersion'])}`),
    );
    const written = Object.entries(EVENT_VERSIONS.creditPolicy).flatMap(([type, newest]) =>
      Array.from({ length: newest }, (_, index) => `${type} ${index + 1}`),
    );
    expect([...new Set(archived)].sort()).toEqual(written.sort());
  });

  it('keeps the hash chain and the content of the first file', () => {
    const { events } = readArchivedPolicy('2026-11-first-policy.b1639f9d0504.json');
    expect(verifyChain(events)).toBeNull();
    expect(policyOf(events)).toMatchObject({
      version: 4,
      revenueRule: { cumulativeFrom: new Date(0) },
      dailyAmounts: [
        { amount: DEFAULT_CREDIT_SETTINGS.dailyGrantCredits, effectiveFrom: new Date(0) },
        { amount: 12, effectiveFrom: new Date('2026-03-11T09:00:00Z') },
      ],
      adminGrantLimits: [{ amount: 1000, effectiveFrom: new Date(0) }],
      bundlePrices: [{ ...BASIC, effectiveFrom: new Date('2026-03-11T09:00:00Z'), version: 4 }],
    });
  });
});
