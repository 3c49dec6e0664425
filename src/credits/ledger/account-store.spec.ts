import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../platform/clock.js';
import { FaultyEventStore, type Fault } from '../../../test/support/faulty-event-store.js';
import { EventStoreUnavailableError, UnknownOutcomeError } from '../../platform/event-store/event-store.js';
import { verifyChain } from '../../platform/event-store/hash-chain.js';
import { UuidGenerator } from '../../platform/ids.js';
import type { AccountSnapshots } from './account-snapshots.js';
import type { Execution } from './pending-command.js';
import { AccountStore, type AccountStoreSettings, AccountBusyError } from './account-store.js';
import { balancesAt, type Balances } from '../account/state.js';
import { InsufficientCreditsError } from '../account/errors.js';
import { deductCredits, grantBonusCredits, openAccount, refundDeduction } from '../account/decide.js';
import { UnreadableEventError } from '../account/upcast.js';

const USER = 'user_1';
const STREAM = 'creditAccount-user_1';
const NOW = new Date('2026-03-10T09:00:00Z');

function newAccounts({
  snapshots,
  ...settings
}: Partial<AccountStoreSettings> & { snapshots?: Pick<AccountSnapshots, 'find' | 'offer'> } = {}) {
  const store = new FaultyEventStore(STREAM, NOW);
  const clock = new ManualClock(NOW);
  const accounts = new AccountStore(store, clock, new UuidGenerator(), snapshots as AccountSnapshots, settings);
  return { store, accounts, clock };
}

function deduct(accounts: AccountStore, deductionId: string, amount = 10): Promise<Execution<Balances>> {
  const command = { deductionId, amount, creatorId: 'creator_1' };
  return accounts.execute(
    USER,
    { actorId: USER, correlationId: deductionId },
    (state, now) => deductCredits(command, state, now),
    balancesAt,
  );
}

describe('executing commands on an account', () => {
  it('writes events with who, why and when, chained by their hashes', async () => {
    const { store, accounts } = newAccounts();
    await deduct(accounts, 'generation_1');
    await deduct(accounts, 'generation_2');
    const [opened, deducted] = store.events;
    expect(store.events.map(({ type }) => type)).toEqual(['CreditsGranted', 'CreditsDeducted', 'CreditsDeducted']);
    expect(deducted?.metadata).toEqual({
      eventId: deducted?.id,
      correlationId: 'generation_1',
      causationId: opened?.metadata.causationId,
      actorId: USER,
      occurredAt: NOW.toISOString(),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(verifyChain(store.events)).toBeNull();
  });

  it('answers with the account after the command and the position of what was written', async () => {
    const { accounts } = newAccounts();
    const { answer, position } = await deduct(accounts, 'generation_1');
    expect(answer.total).toBe(20);
    expect(position).toBe('1');
  });

  it('writes nothing for a repeat', async () => {
    const { store, accounts } = newAccounts();
    await accounts.execute(USER, { actorId: USER }, openAccount);
    const repeat = await accounts.execute(USER, { actorId: USER }, openAccount);
    expect(repeat).toMatchObject({ events: [], position: null });
    expect(store.appends).toBe(1);
  });

  it('sends the same events again when the answer was lost, and counts them once', async () => {
    const { store, accounts } = newAccounts();
    store.faults.push('answer lost', 'request lost');
    const { answer } = await deduct(accounts, 'generation_1');
    expect(answer.total).toBe(20);
    expect(store.events).toHaveLength(2);
  });

  it('reports an unknown outcome when no answer comes at all, and a repeat then finds out', async () => {
    const { store, accounts } = newAccounts();
    store.faults.push('answer lost', 'answer lost', 'answer lost');
    await expect(deduct(accounts, 'generation_1')).rejects.toBeInstanceOf(UnknownOutcomeError);
    expect(await deduct(accounts, 'generation_1')).toMatchObject({ events: [] });
    expect(store.events).toHaveLength(2);
  });

  it('loads and decides again when somebody else wrote first', async () => {
    const { store, accounts } = newAccounts();
    store.faults.push('somebody was first', 'somebody was first');
    await deduct(accounts, 'generation_1');
    expect(store.appends).toBe(3);
    expect(verifyChain(store.events)).toBeNull();
  });

  it('gives up on an account to which others never stop writing', async () => {
    const { store, accounts } = newAccounts();
    store.faults.push(...Array<Fault>(100).fill('somebody was first'));
    await expect(deduct(accounts, 'generation_1')).rejects.toBeInstanceOf(AccountBusyError);
    expect(store.events).toEqual([]);
  });

  it('executes the commands of one account one after the other, also after one was refused', async () => {
    const { store, accounts } = newAccounts();
    const answers = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => deduct(accounts, `generation_${n}`)));
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(answers[4]).toMatchObject({ reason: new InsufficientCreditsError(10, 0) });
    expect(store.mostUnderWay).toBe(1);
    expect(verifyChain(store.events)).toBeNull();
  });

  it('appends together what gathered while an append was in flight, and answers each command for itself', async () => {
    const { store, accounts } = newAccounts();
    await accounts.execute(USER, { actorId: USER }, openAccount);
    const answers = await Promise.all([1, 2, 3].map((n) => deduct(accounts, `generation_${n}`)));
    expect(answers.map(({ answer }) => answer.total)).toEqual([20, 10, 0]);
    expect(answers.map(({ position }) => position)).toEqual(['1', '3', '3']);
    expect(store.appends).toBe(3);
    expect(new Set(store.events.map(({ metadata }) => metadata.causationId)).size).toBe(4);
  });

  it('appends together what gathered while the account was loaded', async () => {
    const { store, accounts } = newAccounts();
    const answers = await Promise.all([1, 2, 3].map((n) => deduct(accounts, `generation_${n}`)));
    expect(answers.map(({ events }) => events.length)).toEqual([2, 1, 1]);
    expect(store.appends).toBe(1);
  });

  it('decides while an append is in flight, and leaves a half of many commands for the next one', async () => {
    const { store, accounts } = newAccounts();
    const gift = { grantId: 'gift', amount: 1_000, reason: 'Contest' };
    await accounts.execute(USER, { actorId: 'admin_1' }, (state, now) => grantBonusCredits(gift, state, now));
    const release = store.hang();
    let decided = 0;
    const answers = Promise.all(
      Array.from({ length: 81 }, (_, n) =>
        accounts.execute(USER, { actorId: USER }, (state, now) => {
          decided += 1;
          return deductCredits({ deductionId: `generation_${n}`, amount: 1, creatorId: 'creator_1' }, state, now);
        }),
      ),
    );
    await new Promise(setImmediate);
    expect(decided).toBe(81);
    release();
    const positions = (await answers).map(({ position }) => Number(position));
    const sizes = [...new Set(positions)].map((place) => positions.filter((each) => each === place).length);
    // Those of the append before are about to come again, so all the rest of 80 is not taken at once
    expect(sizes.slice(0, 2)).toEqual([1, 41]);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(81);
    expect(verifyChain(store.events)).toBeNull();
  });

  it('decides again what was decided ahead of a command whose time is over before its events are sent', async () => {
    const { store, accounts } = newAccounts({ deadlineMs: 50 });
    await accounts.execute(USER, { actorId: USER }, openAccount);
    const release = store.hang();
    const late = await Promise.allSettled([deduct(accounts, 'generation_1'), deduct(accounts, 'generation_2')]);
    expect(late[1]).toMatchObject({ reason: { name: 'EventStoreUnavailableError' } });
    const next = deduct(accounts, 'generation_3');
    release();
    expect((await next).answer.total).toBe(10);
    expect(store.events.map(({ data }) => data['deductionId'])).toEqual([undefined, 'generation_1', 'generation_3']);
    expect(verifyChain(store.events)).toBeNull();
  });

  it('keeps the account at its version: a further command reads nothing', async () => {
    const { store, accounts } = newAccounts();
    await deduct(accounts, 'generation_1');
    const { reads } = store;
    await deduct(accounts, 'generation_2');
    expect(store.reads).toBe(reads);
  });

  it('does not refuse on what it remembers when another instance has added to the account', async () => {
    const { store, accounts, clock } = newAccounts();
    const other = new AccountStore(store, clock, new UuidGenerator());
    await deduct(accounts, 'generation_1', 30);
    await other.execute(USER, { actorId: USER }, (state, now) =>
      grantBonusCredits({ grantId: 'gift', amount: 5, reason: 'Contest' }, state, now),
    );
    expect((await deduct(accounts, 'generation_2', 5)).answer.total).toBe(0);
  });

  it('does not take a command for a repeat on what it remembers when the account has moved on', async () => {
    const { store, accounts, clock } = newAccounts();
    const other = new AccountStore(store, clock, new UuidGenerator());
    await deduct(accounts, 'generation_1');
    const refund = { deductionId: 'generation_1', reason: 'generation_failed' } as const;
    await other.execute(USER, { actorId: 'system' }, (state, now) => refundDeduction(refund, state, now));
    await expect(deduct(accounts, 'generation_1')).rejects.toThrow('was refunded');
  });

  it('decides what it had refused again when the commands before it turn out not to be stored', async () => {
    const { store, accounts } = newAccounts();
    await deduct(accounts, 'generation_1');
    const blocked = deduct(accounts, 'generation_2');
    const batch = [deduct(accounts, 'generation_3'), deduct(accounts, 'generation_4')];
    store.faults.push('somebody was first');
    const answers = await Promise.allSettled([blocked, ...batch]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(verifyChain(store.events)).toBeNull();
  });

  it('does not let a command that cannot be stored fail those beside it', async () => {
    const { store, accounts } = newAccounts();
    store.refuse = ({ data }) => data['deductionId'] === 'generation_2';
    const answers = await Promise.allSettled([1, 2, 3].map((n) => deduct(accounts, `generation_${n}`)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(answers[1]).toMatchObject({ reason: { name: 'InvalidEventError' } });
    expect(verifyChain(store.events)).toBeNull();
  });

  it('says that the outcome is unknown when a first sending was not answered and the store then cannot be reached', async () => {
    const { store, accounts } = newAccounts();
    store.faults.push('answer lost', 'unreachable', 'unreachable');
    await expect(deduct(accounts, 'generation_1')).rejects.toBeInstanceOf(UnknownOutcomeError);
    expect(await deduct(accounts, 'generation_1')).toMatchObject({ events: [] });
  });

  it('finds by reading what a first sending had stored, should the store not know the retry by its ids', async () => {
    const { store, accounts } = newAccounts();
    store.faults.push('answer lost', 'somebody was first');
    const { events, position } = await deduct(accounts, 'generation_1');
    expect(events.map(({ type }) => type)).toEqual(['CreditsGranted', 'CreditsDeducted']);
    expect(position).toBe('1');
    expect(store.events).toHaveLength(2);
  });

  it('answers in time when the store does not: unknown for what was sent, unavailable for what was not', async () => {
    const { store, accounts } = newAccounts({ deadlineMs: 50 });
    await accounts.execute(USER, { actorId: USER }, openAccount);
    const release = store.hang();
    const answers = await Promise.allSettled([deduct(accounts, 'generation_1'), deduct(accounts, 'generation_2')]);
    expect(answers).toMatchObject([
      { reason: { name: 'UnknownOutcomeError' } },
      { reason: { name: 'EventStoreUnavailableError' } },
    ]);
    release();
    expect(await deduct(accounts, 'generation_1')).toMatchObject({ events: [] });
    expect(store.events).toHaveLength(2);
  });

  it('does not write later what it has said was not written: a command whose time was over while the account was loaded', async () => {
    const { store, accounts } = newAccounts({ deadlineMs: 50 });
    const release = store.hangReads();
    await expect(deduct(accounts, 'generation_1')).rejects.toBeInstanceOf(EventStoreUnavailableError);
    const next = deduct(accounts, 'generation_2');
    release();
    expect((await next).answer.total).toBe(20);
    expect(store.events.map(({ data }) => data['deductionId'])).toEqual([undefined, 'generation_2']);
  });

  it('offers for a snapshot only what is stored', async () => {
    const offered: { version: number; stored: number }[] = [];
    const { store, accounts } = newAccounts({
      snapshots: {
        find: () => Promise.resolve(null),
        offer: (_userId, { version }) => offered.push({ version, stored: store.events.length }),
      },
    });
    await accounts.execute(USER, { actorId: USER }, openAccount);
    await Promise.all([1, 2, 3].map((n) => deduct(accounts, `generation_${n}`)));
    // While the second deduction and the third were decided ahead of the first, the account was not as its stream
    expect(offered.map(({ version }) => version)).toEqual([0, 3]);
    for (const { version, stored } of offered) expect(version).toBe(stored - 1);
  });

  it('reads the stream when its snapshot does not come', async () => {
    const silent = { find: () => new Promise<null>(() => undefined), offer: () => undefined };
    const { accounts } = newAccounts({ snapshots: silent });
    expect((await deduct(accounts, 'generation_1')).answer.total).toBe(20);
  });

  it('forgets the account that was not used for longest when memory is full, and loads it again when it is asked', async () => {
    const { store, accounts } = newAccounts({ cacheBytes: 4_000 });
    await deduct(accounts, 'generation_1');
    await accounts.execute('user_2', { actorId: 'user_2' }, () => []);
    await new Promise(setImmediate);
    expect(accounts.cached.accounts).toBe(1);
    const { reads } = store;
    await deduct(accounts, 'generation_2');
    expect(store.reads).toBeGreaterThan(reads);
  });

  it('dates events by the account, not by a clock that was set back', async () => {
    const { store, accounts, clock } = newAccounts();
    await deduct(accounts, 'generation_1');
    clock.advance(-3_600_000);
    await deduct(accounts, 'generation_2');
    expect(store.events.at(-1)?.metadata.occurredAt).toBe(NOW.toISOString());
  });

  it.each([
    ['a type', { type: 'CreditsTeleported', data: { schemaVersion: 1 } }],
    ['a version', { type: 'CreditsExpired', data: { schemaVersion: 2 } }],
  ])('stops at %s of event that it does not know, rather than misjudge the balance', async (_, event) => {
    const { store, accounts } = newAccounts();
    const metadata = { occurredAt: NOW.toISOString() };
    store.events.push({ ...event, id: 'e', stream: STREAM, version: 0, position: '0', recordedAt: NOW, metadata });
    await expect(deduct(accounts, 'generation_1')).rejects.toBeInstanceOf(UnreadableEventError);
  });
});
