import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '../../platform/clock.js';
import { FaultyEventStore, type Fault } from '../../../test/support/faulty-event-store.js';
import { endWithin, failureWithin, resumeTime, stopTime } from '../../../test/support/stopped-time.js';
import { EventStoreUnavailableError, UnknownOutcomeError } from '../../platform/event-store/event-store.js';
import { verifyChain } from '../../platform/event-store/hash-chain.js';
import { UuidGenerator } from '../../platform/ids.js';
import type { AccountSnapshots } from './account-snapshots.js';
import type { Execution } from './pending-command.js';
import { AccountStore, type AccountStoreSettings, AccountBusyError } from './account-store.js';
import { balancesAt, type Balances } from '../account/state.js';
import { AccountDeletedError, InsufficientCreditsError } from '../account/errors.js';
import { deductCredits, grantBonusCredits, openAccount, refundDeduction } from '../account/decide.js';
import { UnreadableEventError } from '../account/upcast.js';

const USER = 'user_1';
const STREAM = 'creditAccount-user_1';
const NOW = new Date('2026-03-10T09:00:00Z');
/** Maximum time that a caller waits (milliseconds). */
const AT_MOST_MS = 5_000;

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
  const command = { deductionId, amount, creatorId: 'creator_1', ownGeneration: false };
  return accounts.execute(
    USER,
    { actorId: USER, correlationId: deductionId },
    (state, now) => deductCredits(command, state, now, 'due'),
    balancesAt,
  );
}

describe('AccountStore', () => {
  afterEach(resumeTime);

  it('writes events with actor, cause and time, chained by their hashes', async () => {
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

  it('answers with the account after the command and the position of its events', async () => {
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

  it('sends the same events again when the answer is lost, and stores them once', async () => {
    const { store, accounts } = newAccounts();
    store.faults.push('answer lost', 'request lost');
    const { answer } = await deduct(accounts, 'generation_1');
    expect(answer.total).toBe(20);
    expect(store.events).toHaveLength(2);
  });

  it('reports an unknown outcome when no answer comes, and a repeat finds the events', async () => {
    const { store, accounts } = newAccounts();
    store.faults.push('answer lost', 'answer lost', 'answer lost');
    await expect(deduct(accounts, 'generation_1')).rejects.toBeInstanceOf(UnknownOutcomeError);
    expect(await deduct(accounts, 'generation_1')).toMatchObject({ events: [] });
    expect(store.events).toHaveLength(2);
  });

  it('refuses every command of an account whose stream was deleted', async () => {
    const { store, accounts } = newAccounts();
    await deduct(accounts, 'generation_1');
    store.deleted = true;
    // The account is in memory, so the append fails first, and then the loads.
    const refusals = await Promise.allSettled([
      deduct(accounts, 'generation_2'),
      deduct(accounts, 'generation_3'),
      accounts.read(USER, balancesAt),
    ]);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 'rejected', reason: { name: 'AccountDeletedError', kind: 'gone' } });
    }
    await expect(deduct(accounts, 'generation_4')).rejects.toBeInstanceOf(AccountDeletedError);
    expect(store.events).toHaveLength(2);
  });

  it('loads and decides again when another instance wrote first', async () => {
    const { store, accounts } = newAccounts();
    store.faults.push('another writer was first', 'another writer was first');
    await deduct(accounts, 'generation_1');
    expect(store.appends).toBe(3);
    expect(verifyChain(store.events)).toBeNull();
  });

  it('fails as busy when other instances keep writing', async () => {
    const { store, accounts } = newAccounts();
    store.faults.push(...Array<Fault>(100).fill('another writer was first'));
    await expect(deduct(accounts, 'generation_1')).rejects.toBeInstanceOf(AccountBusyError);
    expect(store.events).toEqual([]);
  });

  it('executes the commands of one account in order, also after a refusal', async () => {
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
    expect(store.maxInFlight).toBe(1);
    expect(verifyChain(store.events)).toBeNull();
  });

  it('appends commands together that arrive during an append, and answers each one separately', async () => {
    const { store, accounts } = newAccounts();
    await accounts.execute(USER, { actorId: USER }, openAccount);
    const answers = await Promise.all([1, 2, 3].map((n) => deduct(accounts, `generation_${n}`)));
    expect(answers.map(({ answer }) => answer.total)).toEqual([20, 10, 0]);
    expect(answers.map(({ position }) => position)).toEqual(['1', '3', '3']);
    expect(store.appends).toBe(3);
    expect(new Set(store.events.map(({ metadata }) => metadata.causationId)).size).toBe(4);
  });

  it('appends commands together that arrive during a load', async () => {
    const { store, accounts } = newAccounts();
    const answers = await Promise.all([1, 2, 3].map((n) => deduct(accounts, `generation_${n}`)));
    expect(answers.map(({ events }) => events.length)).toEqual([2, 1, 1]);
    expect(store.appends).toBe(1);
  });

  it('decides during an append and splits a large queue in half', async () => {
    const { store, accounts } = newAccounts();
    const gift = { grantId: 'gift', amount: 1_000, reason: 'Contest' };
    await accounts.execute(USER, { actorId: 'admin_1' }, (state, now) => grantBonusCredits(gift, state, now));
    const release = store.hang();
    let decided = 0;
    const answers = Promise.all(
      Array.from({ length: 81 }, (_, n) =>
        accounts.execute(USER, { actorId: USER }, (state, now) => {
          decided += 1;
          return deductCredits(
            { deductionId: `generation_${n}`, amount: 1, creatorId: 'creator_1', ownGeneration: false },
            state,
            now,
            'due',
          );
        }),
      ),
    );
    await new Promise(setImmediate);
    expect(decided).toBe(81);
    release();
    const positions = (await answers).map(({ position }) => Number(position));
    const sizes = [...new Set(positions)].map((place) => positions.filter((each) => each === place).length);
    // The commands of the previous append are likely to return, so the rest of the 80 is split too.
    expect(sizes.slice(0, 2)).toEqual([1, 41]);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(81);
    expect(verifyChain(store.events)).toBeNull();
  });

  it('decides later commands again when an earlier one times out before it is sent', async () => {
    stopTime();
    const { store, accounts } = newAccounts();
    await accounts.execute(USER, { actorId: USER }, openAccount);
    const release = store.hang();
    const sent = [deduct(accounts, 'generation_1'), deduct(accounts, 'generation_2')];
    const late = await endWithin(AT_MOST_MS, Promise.allSettled(sent));
    expect(late[1]).toMatchObject({ reason: { name: 'EventStoreUnavailableError' } });
    const next = deduct(accounts, 'generation_3');
    release();
    expect((await next).answer.total).toBe(10);
    expect(store.events.map(({ data }) => data['deductionId'])).toEqual([undefined, 'generation_1', 'generation_3']);
    expect(verifyChain(store.events)).toBeNull();
  });

  it('keeps the account in memory, so that the next command reads nothing', async () => {
    const { store, accounts } = newAccounts();
    await deduct(accounts, 'generation_1');
    const { reads } = store;
    await deduct(accounts, 'generation_2');
    expect(store.reads).toBe(reads);
  });

  it('reads the tail of the stream before it refuses', async () => {
    const { store, accounts, clock } = newAccounts();
    const other = new AccountStore(store, clock, new UuidGenerator());
    await deduct(accounts, 'generation_1', 30);
    await other.execute(USER, { actorId: USER }, (state, now) =>
      grantBonusCredits({ grantId: 'gift', amount: 5, reason: 'Contest' }, state, now),
    );
    expect((await deduct(accounts, 'generation_2', 5)).answer.total).toBe(0);
  });

  it('reads the tail of the stream before it answers a repeat', async () => {
    const { store, accounts, clock } = newAccounts();
    const other = new AccountStore(store, clock, new UuidGenerator());
    await deduct(accounts, 'generation_1');
    const refund = { deductionId: 'generation_1', reason: 'generation_failed' } as const;
    await other.execute(USER, { actorId: 'system' }, (state, now) => refundDeduction(refund, state, now));
    await expect(deduct(accounts, 'generation_1')).rejects.toThrow('was refunded');
  });

  it('folds only new events after another instance has written, and meets no further conflict', async () => {
    const { store, accounts, clock } = newAccounts();
    const other = new AccountStore(store, clock, new UuidGenerator());
    const inTurns = async (...names: string[]): Promise<void> => {
      for (const name of names)
        for (const each of [accounts, other]) await deduct(each, `${name} ${each === other}`, 1);
    };
    await inTurns('first', 'conflict');
    const { appends, reads } = store;
    const read = jest.spyOn(store, 'readStream');
    await inTurns('third', 'fourth', 'fifth');
    expect({ appends: store.appends - appends, reads: store.reads - reads }).toEqual({ appends: 6, reads: 6 });
    // The last known event is read, too: it must be the same.
    const events = await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown[]>));
    expect(events.map(({ length }) => length)).toEqual(Array(6).fill(2));
    // Each one was decided on the account with all before it.
    expect(await accounts.read(USER, ({ open }) => open.size)).toBe(10);
    expect(verifyChain(store.events)).toBeNull();
  });

  it('writes without a look at the stream when no other instance has written for a while', async () => {
    const { store, accounts } = newAccounts();
    store.faults.push('another writer was first');
    for (let count = 0; count < 20; count += 1) await deduct(accounts, `generation_${count}`, 1);
    const { reads } = store;
    await deduct(accounts, 'generation_20', 1);
    expect(store.reads).toBe(reads);
  });

  it('decides a refused command again when the commands before it were not stored', async () => {
    const { store, accounts } = newAccounts();
    await deduct(accounts, 'generation_1');
    const blocked = deduct(accounts, 'generation_2');
    const batch = [deduct(accounts, 'generation_3'), deduct(accounts, 'generation_4')];
    store.faults.push('another writer was first');
    const answers = await Promise.allSettled([blocked, ...batch]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(verifyChain(store.events)).toBeNull();
  });

  it('fails only the command that cannot be stored', async () => {
    const { store, accounts } = newAccounts();
    store.refuse = ({ data }) => data['deductionId'] === 'generation_2';
    const answers = await Promise.allSettled([1, 2, 3].map((n) => deduct(accounts, `generation_${n}`)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(answers[1]).toMatchObject({ reason: { name: 'InvalidEventError' } });
    expect(verifyChain(store.events)).toBeNull();
  });

  it('reports an unknown outcome when the first append is not answered and the retry fails', async () => {
    const { store, accounts } = newAccounts();
    store.faults.push('answer lost', 'unreachable', 'unreachable');
    await expect(deduct(accounts, 'generation_1')).rejects.toBeInstanceOf(UnknownOutcomeError);
    expect(await deduct(accounts, 'generation_1')).toMatchObject({ events: [] });
  });

  it('finds the stored events by reading when the store does not recognise the retry', async () => {
    const { store, accounts } = newAccounts();
    store.faults.push('answer lost', 'another writer was first');
    const { events, position } = await deduct(accounts, 'generation_1');
    expect(events.map(({ type }) => type)).toEqual(['CreditsGranted', 'CreditsDeducted']);
    expect(position).toBe('1');
    expect(store.events).toHaveLength(2);
  });

  it('answers in time when the store is silent: unknown for sent commands, unavailable for others', async () => {
    stopTime();
    const { store, accounts } = newAccounts();
    await accounts.execute(USER, { actorId: USER }, openAccount);
    const release = store.hang();
    const sent = [deduct(accounts, 'generation_1'), deduct(accounts, 'generation_2')];
    const answers = await endWithin(AT_MOST_MS, Promise.allSettled(sent));
    expect(answers).toMatchObject([
      { reason: { name: 'UnknownOutcomeError' } },
      { reason: { name: 'EventStoreUnavailableError' } },
    ]);
    release();
    expect(await deduct(accounts, 'generation_1')).toMatchObject({ events: [] });
    expect(store.events).toHaveLength(2);
  });

  it('never writes a command that timed out during the load', async () => {
    stopTime();
    const { store, accounts } = newAccounts();
    const release = store.hangReads();
    const late = failureWithin(AT_MOST_MS, deduct(accounts, 'generation_1'));
    expect(await late).toBeInstanceOf(EventStoreUnavailableError);
    const next = deduct(accounts, 'generation_2');
    release();
    expect((await next).answer.total).toBe(20);
    expect(store.events.map(({ data }) => data['deductionId'])).toEqual([undefined, 'generation_2']);
  });

  it('offers only stored states for a snapshot', async () => {
    const offered: { version: number; stored: number }[] = [];
    const { store, accounts } = newAccounts({
      snapshots: {
        find: () => Promise.resolve(null),
        offer: (_userId, { version }) => offered.push({ version, stored: store.events.length }),
      },
    });
    await accounts.execute(USER, { actorId: USER }, openAccount);
    await Promise.all([1, 2, 3].map((n) => deduct(accounts, `generation_${n}`)));
    // While the second and third deduction were pending, the account in memory was ahead of its stream.
    expect(offered.map(({ version }) => version)).toEqual([0, 3]);
    for (const { version, stored } of offered) expect(version).toBe(stored - 1);
  });

  it('reads the stream when the snapshot does not arrive', async () => {
    const silent = { find: () => new Promise<null>(() => undefined), offer: () => undefined };
    const { accounts } = newAccounts({ snapshots: silent });
    expect((await deduct(accounts, 'generation_1')).answer.total).toBe(20);
  });

  it('evicts the least recently used account when memory is full, and loads it again on demand', async () => {
    const { store, accounts } = newAccounts({ cacheBytes: 4_000 });
    await deduct(accounts, 'generation_1');
    await accounts.execute('user_2', { actorId: 'user_2' }, () => []);
    await new Promise(setImmediate);
    expect(accounts.cached.accounts).toBe(1);
    const { reads } = store;
    await deduct(accounts, 'generation_2');
    expect(store.reads).toBeGreaterThan(reads);
  });

  it('dates events in account time when the clock is set back', async () => {
    const { store, accounts, clock } = newAccounts();
    await deduct(accounts, 'generation_1');
    clock.advance(-3_600_000);
    await deduct(accounts, 'generation_2');
    expect(store.events.at(-1)?.metadata.occurredAt).toBe(NOW.toISOString());
  });

  it.each([
    ['a type', { type: 'CreditsTeleported', data: { schemaVersion: 1 } }],
    ['a version', { type: 'CreditsExpired', data: { schemaVersion: 2 } }],
  ])('fails on an unknown %s of event', async (_, event) => {
    const { store, accounts } = newAccounts();
    const metadata = { occurredAt: NOW.toISOString() };
    store.events.push({ ...event, id: 'e', stream: STREAM, version: 0, position: '0', recordedAt: NOW, metadata });
    await expect(deduct(accounts, 'generation_1')).rejects.toBeInstanceOf(UnreadableEventError);
  });
});
