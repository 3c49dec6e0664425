import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type LedgerAddress,
  type LedgerProblem,
  makeSeal,
  proveSeal,
  type RepairedClock,
  SealedHeads,
  verifyLedger,
} from '../../src/audit/index.js';
import { openThreadSources } from '../../src/audit/verify/thread-sources.js';
import { type Kysely } from 'kysely';
import { v7 } from 'uuid';
import { DEFAULT_CREDIT_SETTINGS } from '../../src/credits/account/constants.js';
import { type EventStore } from '../../src/platform/event-store/event-store.js';
import { EventStoreDbEventStore } from '../../src/platform/event-store/eventstoredb-event-store.js';
import { SYSTEM_ACTOR } from '../../src/platform/acts/actor.js';
import { Acts } from '../../src/platform/acts/acts.js';
import { type ActTables } from '../../src/platform/acts/tables.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { VERIFY_THREAD } from '../support/compiled-threads.js';
import { asOwner, withoutTimeBound } from '../support/database.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { type LedgerApp, startLedger } from '../support/ledger-app.js';
import { logAllEvents } from '../support/log-all-events.js';
import { adoptPolicy } from '../support/policy.js';
import { until } from '../support/until.js';

jest.setTimeout(180_000);

const USERS = ['alice', 'bob', 'carol', 'dora', 'emil', 'fay', 'gus', 'hal', 'ivy', 'kim'];
const key = generateKeyPairSync('ed25519').privateKey;

interface Result {
  readonly summary: object;
  readonly problems: readonly LedgerProblem[];
  readonly repairs: readonly RepairedClock[];
}

/** Two other threads verify every account; each takes one account at a time. */
const threadsOn = (address: LedgerAddress) => ({
  address,
  count: 3,
  fromEvents: 1,
  groupEvents: 1,
  mainVerifies: false,
  worker: VERIFY_THREAD,
});

async function verify(
  ledger: LedgerApp,
  { address, sealFile }: { readonly address?: LedgerAddress; readonly sealFile?: string } = {},
): Promise<Result> {
  const problems: LedgerProblem[] = [];
  const repairs: RepairedClock[] = [];
  const proven = sealFile ? await proveSeal(sealFile, [createPublicKey(key)], () => undefined) : null;
  const summary = await verifyLedger(
    {
      pool: ledger.database.pool,
      eventStore: ledger.eventStore,
      ...(address ? { threads: threadsOn(address) } : {}),
      ...(proven ? { sealed: await SealedHeads.open([proven]) } : {}),
    },
    {
      now: () => ledger.clock.now(),
      onProblem: ({ stream, version, kind, what: sentence }) =>
        problems.push({ stream, version, kind, what: sentence }),
      onRepair: (repair) => repairs.push({ ...repair }),
    },
  );
  return { summary, problems: inOrder(problems), repairs: inOrder(repairs) };
}

/** Threads report in any order. */
function inOrder<T>(found: readonly T[]): T[] {
  return [...found].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

describe('verifyLedger in threads', () => {
  let ledger: LedgerApp;
  let folder: string;
  let address: LedgerAddress;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fanvas-threads-'));
    ledger = await startLedger();
    address = { databaseUrl: ledger.database.auditUrl, readOnly: true, eventStoreUrl: null, images: null };
  });
  afterAll(async () => {
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await ledger.clear();
    await adoptPolicy(ledger.eventStore, ledger.clock);
    for (const user of USERS) await ledger.eventfulAccount(user);
  });

  const query = async (text: string, ...values: unknown[]): Promise<void> => {
    await asOwner(ledger.database).query(text, values);
  };
  const lengthOf = async (user: string): Promise<number> =>
    (await ledger.eventStore.readStream(`creditAccount-${user}`)).length;

  /** Earnings of two fans for one creator, so that several threads add to the same sums. */
  const sell = async (): Promise<void> => {
    for (const user of ['alice', 'bob']) {
      await ledger.purchase(user, `cs_${user}`, 100);
      await ledger.creditedCheckout(user, `cs_${user}`, 100);
      await ledger.generation(user, 'delivered', 90);
    }
    await ledger.project();
  };

  it('finds nothing in a valid ledger, and compares as many rows as one thread', async () => {
    await sell();
    const one = await verify(ledger);
    expect(one.problems).toEqual([]);
    expect(await verify(ledger, { address })).toEqual(one);
    expect(one.summary).toMatchObject({ accounts: USERS.length, problems: 0 });
  });

  it('lets a statement of a thread run for an hour', async () => {
    const { pool, close } = await openThreadSources(address, 1);
    const { rows } = await pool.query('show statement_timeout');
    await close();
    expect(rows).toEqual([{ statement_timeout: '1h' }]);
  });

  it('finds the problems that one thread finds', async () => {
    await sell();
    const { pool } = ledger.database;
    const sealed = await makeSeal({
      pool,
      eventStore: ledger.eventStore,
      key,
      folder,
      now: () => ledger.clock.now(),
    });
    // The log of acts begins; the next grant is not in it.
    const acts = new Acts(ledger.database.db as unknown as Kysely<ActTables>, ledger.clock, new UuidGenerator());
    const act = { kind: 'model.trial_drawn', actor: SYSTEM_ACTOR, subject: { kind: 'generation', id: v7() } } as const;
    await ledger.database.db.transaction().execute((transaction) => acts.record(transaction, act));
    ledger.clock.advance(3_600_000);
    for (let gift = 0; gift < 30; gift += 1) await ledger.gift('hal', 100);
    // No app has granted the new amount yet: the grant of the next day differs from the policy.
    const daily = { ...DEFAULT_CREDIT_SETTINGS, dailyGrantCredits: 7 };
    await adoptPolicy(ledger.eventStore, ledger.clock, daily);
    ledger.clock.advance(86_400_000);
    await ledger.daily('ivy');
    const ahead = await lengthOf('kim');
    const now = ledger.clock.now();
    ledger.clock.advance(40 * 86_400_000);
    await ledger.gift('kim', 5);
    ledger.clock.set(now);
    await ledger.repairClock('kim');
    await ledger.project();
    await logAllEvents({ pool, eventStore: ledger.eventStore });

    const cheat = (user: string, text: string): Promise<void> => query(text, `creditAccount-${user}`);
    await withoutTimeBound(ledger.database, async () => {
      await query(
        'update event set recorded_at = $3 where stream = $1 and version = $2',
        'creditAccount-kim',
        ahead,
        now,
      );
      await cheat(
        'fay',
        `update event set recorded_at = recorded_at - interval '1 hour' where stream = $1 and version = 2`,
      );
    });
    await cheat('alice', `update event set data = jsonb_set(data, '{amount}', '9') where stream = $1 and version = 1`);
    await cheat('bob', 'delete from event where stream = $1 and version = 3');
    await cheat('emil', 'delete from event where stream = $1');
    await cheat('hal', `update event set metadata = metadata - 'hash' where stream = $1`);
    await cheat('gus', `update event set xid = '9223372036854775807' where stream = $1 and version = 1`);
    await query(`update credit_balance set bonus = bonus + 1 where user_id = 'carol'`);
    await query(`delete from credit_transaction where user_id = 'dora' and version = 1`);
    await query(`update creator_earning set creator_cents = creator_cents + 1 where user_id = 'alice'`);
    await query(`update creator_revenue_month set creator_cents = creator_cents + 1`);
    await query(`update creator_activity_month set new_fans = new_fans + 1`);
    await query(`update credits_held set credits = credits + 1`);
    await query(`update generation set cost = cost + 1 where user_id = 'dora'`);
    await query(`delete from checkout where user_id = 'bob'`);
    const leafOfCarol = `stream = 'creditAccount-carol' and version = 1`;
    await query(`update log_leaf set hash = sha256('x') where ${leafOfCarol}`);

    const one = await verify(ledger, { sealFile: sealed.file });
    expect(await verify(ledger, { sealFile: sealed.file, address })).toEqual(one);
    expect(one.repairs).toHaveLength(1);
    expect([...new Set(one.problems.map(({ kind }) => kind))].sort()).toEqual([
      ...['act', 'chain', 'deduction', 'generation', 'log', 'lot', 'payment', 'policy', 'position', 'projection'],
      ...['seal', 'time', 'version'],
    ]);
    expect(one.problems).toContainEqual(
      expect.objectContaining({ what: 'Further problems are counted but not listed.' }),
    );
    expect(one.problems).toContainEqual(expect.objectContaining({ kind: 'log', stream: 'creditAccount-carol' }));
  });

  it('does not compare sums when a thread cannot read an account', async () => {
    await sell();
    await query(`update event set type = 'Unknown' where stream = 'creditAccount-ivy' and version = 1`);
    const one = await verify(ledger);
    expect(await verify(ledger, { address })).toEqual(one);
    const sentence = 'The images of creators cannot be compared: the events of an account cannot be read.';
    expect(one.problems).toContainEqual(expect.objectContaining({ what: sentence }));
  });

  it('fails with the error of a thread, and leaves no connection open', async () => {
    const { username } = new URL(address.databaseUrl);
    await query(`revoke select on checkout from ${username}`);
    try {
      await expect(verify(ledger, { address })).rejects.toThrow('permission denied for table checkout');
    } finally {
      await query(`grant select on checkout to ${username}`);
    }
    // A pooler keeps idle connections for others.
    const kept = process.env['TEST_POSTGRES_POOLER'] ? `and state <> 'idle'` : '';
    await until(async () => {
      const { rows } = await asOwner(ledger.database).query<{ open: number }>(
        `select count(*)::int as open from pg_stat_activity where datname = current_database() and usename = $1 ${kept}`,
        [username],
      );
      return rows[0]?.open === 0;
    }, 'the connections of the thread to end');
  });

  it('fails when a thread cannot start', async () => {
    const unreachable = { ...address, databaseUrl: 'postgres://reader@127.0.0.1:1/none' };
    await expect(verify(ledger, { address: unreachable })).rejects.toThrow('ECONNREFUSED');
  });
});

describe('verifyLedger in threads on EventStoreDB', () => {
  it('finds the problems that one thread finds', async () => {
    const server = await EventStoreDbServer.start();
    const eventStore: EventStore = new EventStoreDbEventStore(server.url);
    const ledger = await startLedger(eventStore);
    try {
      server.log.now = () => ledger.clock.now().getTime();
      for (const user of USERS.slice(0, 3)) await ledger.eventfulAccount(user);
      await asOwner(ledger.database).query(`update credit_balance set bonus = bonus + 1 where user_id = 'bob'`);
      const one = await verify(ledger);
      const address = {
        databaseUrl: ledger.database.auditUrl,
        readOnly: true,
        eventStoreUrl: server.url,
        images: null,
      };
      expect(await verify(ledger, { address })).toEqual(one);
      expect(one.problems).toContainEqual(expect.objectContaining({ stream: 'creditAccount-bob', kind: 'projection' }));
    } finally {
      await ledger.close();
      await server.stop();
    }
  });
});
