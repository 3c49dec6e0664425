import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import { v7 } from 'uuid';
import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { balancesAt, type Balances } from '../../src/credits/account/state.js';
import { deductCredits } from '../../src/credits/account/decide.js';
import { SystemClock } from '../../src/platform/clock.js';
import { createPool } from '../../src/platform/database/pool.js';
import {
  EventStoreUnavailableError,
  NO_STREAM,
  UnknownOutcomeError,
} from '../../src/platform/event-store/event-store.js';
import { verifyChain } from '../../src/platform/event-store/hash-chain.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { newEvent } from '../contract/event-store.js';
import { withTestDatabase, type TestDatabase } from '../support/database.js';
import { endWithin, failureWithin, resumeTime, stopTime } from '../support/stopped-time.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

jest.setTimeout(60_000);

/** Maximum time that a caller waits (milliseconds). */
const AT_MOST_MS = 5_000;

let database: TestDatabase<unknown>;
let sound: PostgresEventStore;
let proxy: TcpProxy;
let pool: pg.Pool;
let store: PostgresEventStore;
let accounts: AccountStore;

beforeAll(async () => {
  database = await withTestDatabase();
  sound = new PostgresEventStore(database.pool);
});
afterAll(async () => {
  await sound.close();
  await database.close();
});
beforeEach(async () => {
  proxy = await startTcpProxy(database.url);
  pool = createPool(proxy.url);
  store = new PostgresEventStore(pool, { lanes: 1 });
  accounts = new AccountStore(store, new SystemClock(), new UuidGenerator());
});
afterEach(async () => {
  proxy.resume();
  await proxy.close();
  await store.close();
  await pool.end();
});

async function deduct(user: string, id = v7(), amount = 1): Promise<Balances> {
  const command = { deductionId: id, amount, creatorId: 'creator_1', ownGeneration: false };
  const { answer } = await accounts.execute(
    user,
    { actorId: user },
    (state, now) => deductCredits(command, state, now, 'due'),
    balancesAt,
  );
  return answer;
}

/** Stored deductions, read over a connection without faults. */
async function storedDeductions(user: string): Promise<unknown[]> {
  const events = await sound.readStream(`creditAccount-${user}`);
  expect(verifyChain(events)).toBeNull();
  return events.filter(({ type }) => type === 'CreditsDeducted').map(({ data }) => data['deductionId']);
}

describe('AccountStore on a silent database', () => {
  beforeEach(stopTime);
  afterEach(resumeTime);

  it('reports an unknown outcome in time for a sent command, which counts once when repeated', async () => {
    const user = `user_${v7()}`;
    const id = v7();
    await deduct(user);
    proxy.stallAnswers();
    const held = proxy.heldAnswer();
    const deducted = deduct(user, id);
    await held;
    expect(await failureWithin(AT_MOST_MS, deducted)).toBeInstanceOf(UnknownOutcomeError);
    proxy.cut();
    proxy.resume();
    expect((await deduct(user, id)).total).toBe(28);
    expect((await storedDeductions(user)).filter((each) => each === id)).toHaveLength(1);
  });

  it('fails in time and writes nothing when the account must be loaded first', async () => {
    const user = `user_${v7()}`;
    await deduct(`user_${v7()}`);
    proxy.stall();
    expect(await failureWithin(AT_MOST_MS, deduct(user))).toBeInstanceOf(EventStoreUnavailableError);
    proxy.cut();
    proxy.resume();
    expect(await storedDeductions(user)).toEqual([]);
  });

  it('fails in time when a stream is read', async () => {
    await store.readStream('x-1');
    proxy.stall();
    expect(await failureWithin(AT_MOST_MS, store.readStream('x-1'))).toBeInstanceOf(EventStoreUnavailableError);
  });

  it('fails waiting appends in time and writes none of them', async () => {
    const streams = Array.from({ length: 20 }, () => `waiting-${v7()}`);
    await store.append(`warm-${v7()}`, NO_STREAM, [newEvent()]);
    proxy.stall();
    const first = streams.slice(0, 10).map((stream) => store.append(stream, NO_STREAM, [newEvent()]));
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const second = streams.slice(10).map((stream) => store.append(stream, NO_STREAM, [newEvent()]));
    const answers = await endWithin(AT_MOST_MS, Promise.allSettled([...first, ...second]));
    expect(answers.map((answer) => (answer.status === 'rejected' ? (answer.reason as Error).name : 'stored'))).toEqual([
      ...Array<string>(10).fill('UnknownOutcomeError'),
      ...Array<string>(10).fill('EventStoreUnavailableError'),
    ]);
    proxy.cut();
    proxy.resume();
    expect((await sound.missingStreams(streams.slice(10))).sort()).toEqual(streams.slice(10).sort());
  });
});

describe('AccountStore on breaking connections', () => {
  it('executes each answered command exactly once', async () => {
    const users = Array.from({ length: 5 }, () => `user_${v7()}`);
    const answered = new Map<string, string[]>(users.map((user) => [user, []]));
    const doubtful = new Map<string, string[]>(users.map((user) => [user, []]));
    let cuts = 0;
    const worker = async (user: string): Promise<void> => {
      for (let n = 0; n < 25; n += 1) {
        const id = v7();
        const [answer] = await Promise.allSettled([deduct(user, id)]);
        (answer.status === 'fulfilled' ? answered : doubtful).get(user)?.push(id);
        if (n % 5 === 2 && user === users[0]) {
          cuts += 1;
          if (cuts % 2 === 0) proxy.cut();
          else proxy.loseAnswerTo('event-append');
        }
      }
    };
    await Promise.all(users.map(worker));
    expect(cuts).toBe(5);
    for (const user of users) {
      const stored = await storedDeductions(user);
      expect(new Set(stored).size).toBe(stored.length);
      expect(stored).toEqual(expect.arrayContaining(answered.get(user) ?? []));
      const known = [...(answered.get(user) ?? []), ...(doubtful.get(user) ?? [])];
      expect(known).toEqual(expect.arrayContaining(stored));
      expect(answered.get(user)?.length).toBeGreaterThan(0);
    }
  });
});
