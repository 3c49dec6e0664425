import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type QueryBus } from '@nestjs/cqrs';
import { type AdminTables, SearchUsers, SearchUsersHandler } from '../../src/admin/reads/search-users.js';
import { exportLedger, listAccounts } from '../../src/audit/index.js';
import { verifyNewEvents } from '../../src/audit/continuous/verify-new-events.js';
import { InclusionProofs } from '../../src/audit/log/inclusion-proofs.js';
import { leafWithCheckpoint, readTiles } from '../../src/audit/log/log-store.js';
import { sequenceEvents } from '../../src/audit/log/sequence-events.js';
import { CHECKPOINT_FILE, signCheckpoint } from '../../src/audit/log/sign-checkpoint.js';
import { AccountSnapshots } from '../../src/credits/ledger/account-snapshots.js';
import { AccountStore } from '../../src/credits/ledger/account-store.js';
import { deductCredits } from '../../src/credits/account/decide.js';
import { accountProjection } from '../../src/credits/reads/account-projection.js';
import { projectedBalance, upToNow } from '../../src/credits/reads/current-balance.js';
import { GetTransactions, GetTransactionsHandler } from '../../src/credits/reads/get-transactions.js';
import { type CreditTables } from '../../src/credits/tables.js';
import { DAY_MS } from '../../src/contract/durations.js';
import { SystemClock } from '../../src/platform/clock.js';
import { DEFAULT_CONNECTIONS, shareConnections } from '../../src/platform/database/connection-shares.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { type CheckpointTables } from '../../src/platform/projections/checkpoint.js';
import { type Projection } from '../../src/platform/projections/projection.js';
import { ProjectionRebuild } from '../../src/platform/projections/projection-rebuild.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { seedLedger } from '../support/seed-ledger.js';
import { type Bench, bench, keepInFlight, median, quantile } from './bench.js';

/** Events of the ledgers that are compared; BENCH_GROWTH_EVENTS replaces them, separated by commas. */
const SIZES = [10_000, 100_000, 1_000_000];
const EVENTS_EACH = 12;
const IN_FLIGHT = 16;
/** Accounts whose events are new in a round. */
const NEW_ACCOUNTS = 40;
const QUICK_NEW_ACCOUNTS = 2;
/** Events of one run of the continuous verification. */
const MOST_VERIFIED = 50_000;
/** Rows of a page. */
const PAGE = 50;

const { privateKey } = generateKeyPairSync('ed25519');
const clock = new SystemClock();

/** A process of the app with a ledger of this many events. */
async function openLedger(databaseUrl: string, wanted: number, folder: string, { quick, vacuum }: Bench) {
  const shares = shareConnections(DEFAULT_CONNECTIONS, true);
  const pool = createPool(databaseUrl, { max: shares.requests });
  const jobs = createPool(databaseUrl, { max: shares.jobs, statementTimeoutMs: 0 });
  const db = createDatabase<CreditTables>(pool);
  const accounts = Math.ceil(wanted / EVENTS_EACH);
  let events = await seedLedger(jobs, { accounts, eventsEach: EVENTS_EACH, revenue: true });
  await jobs.query(
    `insert into app_user (id, email, email_verified, name, created_at, updated_at)
     select user_id, user_id || '@growth.test', true, 'Fan ' || user_id, now(), now() from credit_balance`,
  );
  const eventStore = new PostgresEventStore(jobs);
  const runner = new ProjectionRunner(jobs, eventStore);
  runner.register(accountProjection);
  const snapshots = new AccountSnapshots(db);
  const ids = new UuidGenerator();
  const store = new AccountStore(eventStore, clock, ids, snapshots, { cacheBytes: 0 });
  const someone = (): string => `user_${String(Math.floor(Math.random() * accounts)).padStart(7, '0')}`;

  const publish = async (): Promise<void> => {
    const file = join(folder, `${wanted}-${CHECKPOINT_FILE}`);
    const key = privateKey;
    const accepted = [createPublicKey(privateKey)];
    await sequenceEvents({ pool: jobs, eventStore });
    await signCheckpoint({ pool: jobs, key, accepted, origin: 'growth.test', file, now: () => clock.now() });
  };
  const verify = async (): Promise<void> => {
    for (let read = MOST_VERIFIED; read === MOST_VERIFIED;) {
      const run = await verifyNewEvents(
        { pool: jobs, eventStore },
        { now: () => clock.now(), maxEvents: MOST_VERIFIED },
      );
      read = run.events;
      if (run.problems > 0) throw new Error(`The ledger has ${run.problems} problems.`);
      if (run.verifiedCompletely > 0) throw new Error('Accounts are verified completely, which is other work.');
    }
  };
  await publish();
  await verify();
  await vacuum(jobs);
  // A server that has run for a day has its rows in memory, and the smallest ledger always has.
  await jobs.query('create extension if not exists pg_prewarm');
  await jobs.query(`select pg_prewarm(oid) from pg_class where relkind in ('r', 'i') and relpersistence = 'p'`);

  let grown = 0;
  const proofs = new InclusionProofs((tiles) => readTiles(pool, tiles));
  const { rows: logged } = await jobs.query<{ id: string }>(
    'select event_id as id from log_leaf where index % greatest(1, (select count(*) from log_leaf) / 1000) = 0',
  );
  const history = new GetTransactionsHandler(db, eventStore, runner);
  const users = new SearchUsersHandler(createDatabase<AdminTables>(pool), clock, {} as QueryBus);

  return {
    get events(): number {
      return events;
    },
    /** Adds events, and returns what a worker then does with them. */
    async grow(): Promise<{ readonly publish: () => Promise<void>; readonly verify: () => Promise<void> }> {
      const prefix = `new${(grown += 1)}`;
      const from = new Date(Date.now() - 4 * DAY_MS);
      events += await seedLedger(jobs, {
        accounts: quick ? QUICK_NEW_ACCOUNTS : NEW_ACCOUNTS,
        eventsEach: EVENTS_EACH,
        from,
        prefix,
        revenue: true,
      });
      return { publish, verify };
    },
    /** A deduction on one of all accounts, which is not in memory. */
    async command(userId = someone()): Promise<void> {
      const deduction = { deductionId: ids.next(), amount: 1, creatorId: 'creator_1', ownGeneration: false };
      await store.execute(userId, { actorId: userId }, (state, now) => deductCredits(deduction, state, now, 'due'));
      events += 1;
    },
    /** Different accounts: in a small ledger, a random choice would repeat many. */
    differentAccounts(count: number): ReadonlySet<string> {
      const users = new Set<string>();
      while (users.size < Math.min(count, accounts)) users.add(someone());
      return users;
    },
    async balance(): Promise<void> {
      const row = await projectedBalance(db, someone());
      if (!row) throw new Error('An account has no balance.');
      await upToNow(eventStore, row);
    },
    async history(): Promise<void> {
      const page = await history.execute(new GetTransactions({ userId: someone(), pageSize: PAGE, pageNumber: 1 }));
      if (page.length === 0) throw new Error('An account has no history.');
    },
    async accounts(): Promise<void> {
      await listAccounts({ pool, eventStore }, { after: someone(), limit: PAGE, now: clock.now() });
    },
    async users(): Promise<void> {
      const search = { search: someone(), filter: null, sort: 'joined', limit: PAGE, offset: 0 } as const;
      if ((await users.execute(new SearchUsers(search))).length === 0) throw new Error('A user was not found.');
    },
    async proof(): Promise<void> {
      const found = await leafWithCheckpoint(pool, logged[Math.floor(Math.random() * logged.length)]?.id ?? '');
      if (!found) throw new Error('An event has no leaf.');
      await proofs.prove(found.leaf, found.checkpoint);
    },
    /** Applies what commands have written. */
    catchUp: (): Promise<void> => runner.catchUp(),
    async rebuild(): Promise<void> {
      const projection = accountProjection as unknown as Projection<unknown>;
      const end = await new ProjectionRebuild(createDatabase<CheckpointTables>(jobs), eventStore, projection).run();
      if (end !== 'switched') throw new Error(`The rebuild ended as ${end}.`);
    },
    async export(): Promise<void> {
      const file = join(folder, 'export.jsonl');
      await exportLedger({ eventStore }, file, { key: privateKey, now: () => clock.now(), onProblem: () => undefined });
      rmSync(file);
    },
    /** Reads all rows as `pg_dump` does, which the server throws away: what a backup costs it. */
    async dump(): Promise<void> {
      const { rows } = await jobs.query<{ name: string }>(
        `select quote_ident(tablename) as name from pg_tables where schemaname = current_schema()`,
      );
      for (const { name } of rows) await jobs.query(`copy ${name} to '/dev/null'`);
    },
    /** Bytes of the database for each event. */
    async bytesEach(): Promise<number> {
      // All tables of two databases take seconds.
      await jobs.query(quick ? 'vacuum full analyze event' : 'vacuum full analyze');
      const { rows } = await jobs.query<{ size: number }>(
        'select pg_database_size(current_database())::float8 as size',
      );
      return (rows[0]?.size ?? NaN) / events;
    },
    async close(): Promise<void> {
      await snapshots.onModuleDestroy();
      await eventStore.close();
      await jobs.end();
      await pool.end();
    },
  };
}

const NAMES = {
  balance: 'a balance',
  history: 'a page of history',
  accounts: "a page of the auditors' accounts",
  users: 'a search of the admins by id',
  proof: 'an inclusion proof',
} as const;

type Ledger = Awaited<ReturnType<typeof openLedger>>;

/** Compares each larger ledger with the smallest: what a person waits for, what a worker does, and what must grow. */
await bench(async (tools) => {
  const { databaseUrl, pool, quick, compare, report } = tools;
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-growth-'));
  const given = process.env['BENCH_GROWTH_EVENTS']?.split(',').map(Number);
  const sizes = quick ? [120, 240] : (given ?? SIZES);
  const ledgers: Ledger[] = [];
  const databases: string[] = [];
  for (const size of sizes) {
    const url = new URL(databaseUrl);
    url.pathname += `_${size}`;
    databases.push(url.pathname.slice(1));
    await pool.query(`create database ${databases.at(-1)}`);
    ledgers.push(await openLedger(url.href, size, folder, tools));
  }
  const [small, ...larger] = ledgers as [Ledger, ...Ledger[]];
  const named = (ledger: Ledger): string => `${(sizes[ledgers.indexOf(ledger)] ?? 0).toLocaleString('en')} events`;

  const phaseMs = quick ? 20 : 1_000;
  const alone = async (work: () => Promise<void>): Promise<number> =>
    median((await keepInFlight(1, phaseMs, work)).latencies);
  const each = async (
    name: string,
    unit: string,
    measure: (ledger: Ledger) => Promise<number>,
    { target, rounds = 5 }: { readonly target: { atMost: number } | { atLeast: number }; readonly rounds?: number },
  ): Promise<void> => {
    for (const ledger of larger) {
      await compare({
        name: `${name}, ${named(ledger)}`,
        unit,
        target,
        base: named(small),
        rounds,
        run: () => measure(ledger),
        runBase: () => measure(small),
      });
    }
  };
  const flat = { target: { atMost: 1.5 } };
  const linear = { target: { atLeast: 0.67 }, rounds: 1 };
  const share =
    (quantileOf: number) =>
    async (ledger: Ledger): Promise<number> =>
      quantile((await keepInFlight(IN_FLIGHT, phaseMs, () => ledger.command())).latencies, quantileOf);
  // Before the commands: their deductions have no generations, which the verification would report.
  await each('a checkpoint of 500 new events', 'ms', async (ledger) => timeOf((await ledger.grow()).publish), flat);
  const verification = async (ledger: Ledger): Promise<number> => {
    const { publish, verify } = await ledger.grow();
    await publish();
    return timeOf(verify);
  };
  await each('continuous verification of 500 new events', 'ms', verification, flat);
  await each('a command on a cold account, median', 'ms', share(0.5), flat);
  await each('a command on a cold account, slowest of a hundred', 'ms', share(0.99), flat);
  await each(
    'catching up with 500 events',
    'ms',
    async (ledger) => {
      await ledger.catchUp();
      for (const userId of ledger.differentAccounts(quick ? 5 : 500)) await ledger.command(userId);
      return timeOf(() => ledger.catchUp());
    },
    flat,
  );
  for (const figure of ['balance', 'history', 'accounts', 'users', 'proof'] as const) {
    await each(NAMES[figure], 'ms', (ledger) => alone(ledger[figure]), flat);
  }
  await each('rebuild of balances', 'events/s', async (ledger) => rate(ledger, () => ledger.rebuild()), linear);
  await each('export', 'events/s', async (ledger) => rate(ledger, () => ledger.export()), linear);
  await each('a dump of all tables', 'events/s', async (ledger) => rate(ledger, () => ledger.dump()), linear);
  for (const ledger of larger) {
    const measured = await ledger.bytesEach();
    const baseMeasured = await small.bytesEach();
    const row = {
      name: `bytes of the database for each event, ${named(ledger)}`,
      unit: 'bytes',
      measured,
      baseMeasured,
    };
    report({ ...row, base: named(small), ratio: measured / baseMeasured, target: { atMost: 1.5 } });
  }
  for (const ledger of ledgers) await ledger.close();
  for (const database of databases) await pool.query(`drop database ${database} with (force)`);
  rmSync(folder, { recursive: true });
});

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function rate(ledger: Ledger, work: () => Promise<void>): Promise<number> {
  return (ledger.events * 1000) / (await timeOf(work));
}
