import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../platform/clock.js';
import {
  EventStore,
  UnknownOutcomeError,
  WrongExpectedVersionError,
  type AppendResult,
  type NewEvent,
  type StoredEvent,
} from '../platform/event-store/event-store.js';
import { verifyChain } from '../platform/event-store/hash-chain.js';
import { UuidGenerator } from '../platform/ids.js';
import { AccountStore, type Execution } from './account-store.js';
import { balancesAt } from './account.js';
import { AccountBusyError, DeductCredits, InsufficientCreditsError } from './commands.js';
import { deductCredits, openAccount } from './decide.js';
import { UnreadableEventError } from './events.js';

const USER = 'user_1';
const STREAM = 'creditAccount-user_1';
const NOW = new Date('2026-03-10T09:00:00Z');

type Fault = 'answer lost' | 'request lost' | 'somebody was first';

/** A store in memory that fails the next appends as it is told. */
class FaultyEventStore extends EventStore {
  readonly events: StoredEvent[] = [];
  readonly faults: Fault[] = [];
  appends = 0;
  underWay = 0;
  mostUnderWay = 0;

  override async append(stream: string, expectedVersion: number, events: readonly NewEvent[]): Promise<AppendResult> {
    this.appends += 1;
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    await Promise.resolve();
    this.underWay -= 1;
    const fault = this.faults.shift();
    if (fault === 'request lost') throw new UnknownOutcomeError(stream, new Error('connection reset'));
    if (fault === 'somebody was first') throw new WrongExpectedVersionError(stream, expectedVersion);
    const known = events.every(({ id }) => this.events.some((stored) => stored.id === id));
    if (!known) {
      if (this.events.length - 1 !== expectedVersion) throw new WrongExpectedVersionError(stream, expectedVersion);
      for (const event of events) {
        const version = this.events.length;
        this.events.push({ ...event, stream, version, position: String(version), recordedAt: NOW });
      }
    }
    if (fault === 'answer lost') throw new UnknownOutcomeError(stream, new Error('connection reset'));
    const version = this.events.length - 1;
    return { version, position: String(version) };
  }

  override async readStream(_stream: string, { fromVersion = 0, limit = Infinity } = {}): Promise<StoredEvent[]> {
    return Promise.resolve(this.events.slice(fromVersion, fromVersion + limit));
  }

  override async readAll(): Promise<StoredEvent[]> {
    return Promise.resolve(this.events);
  }

  override async lastPosition(): Promise<string | null> {
    return Promise.resolve(this.events.at(-1)?.position ?? null);
  }

  override comparePositions(a: string, b: string): number {
    return Number(a) - Number(b);
  }

  override onAppended(): () => void {
    return () => undefined;
  }
}

function newAccounts(): { store: FaultyEventStore; accounts: AccountStore; clock: ManualClock } {
  const store = new FaultyEventStore();
  const clock = new ManualClock(NOW);
  return { store, accounts: new AccountStore(store, clock, new UuidGenerator()), clock };
}

function deduct(accounts: AccountStore, deductionId: string, amount = 10): Promise<Execution> {
  const command = new DeductCredits(USER, deductionId, amount, 'creator_1');
  return accounts.execute(USER, { actorId: USER, correlationId: deductionId }, (state, now) =>
    deductCredits(command, state, now),
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
    const { state, at, position } = await deduct(accounts, 'generation_1');
    expect(balancesAt(state, at).total).toBe(20);
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
    const { state, at } = await deduct(accounts, 'generation_1');
    expect(balancesAt(state, at).total).toBe(20);
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
    expect(store.appends).toBe(3);
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
