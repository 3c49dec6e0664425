import { AccountSnapshots } from '../../src/credits/ledger/account-snapshots.js';
import { type CreditTables } from '../../src/credits/tables.js';
import { DEFAULT_CONNECTIONS, shareConnections } from '../../src/platform/database/connection-shares.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { type Phase, bench, insertBaseline, keepInFlight, median, quantile } from './bench.js';
import { ledgerOn } from './ledger-commands.js';

const IN_FLIGHT = 64;

await bench(async ({ databaseUrl, pool, quick, compare }) => {
  // As in a process of the app.
  const shares = shareConnections(DEFAULT_CONNECTIONS, true);
  const jobs = createPool(databaseUrl, { max: shares.jobs });
  const requests = createPool(databaseUrl, { max: shares.requests });
  const eventStore = new PostgresEventStore(jobs);
  const ledger = ledgerOn(eventStore);
  const accountCount = quick ? 20 : 10_000;
  const many = await ledger.openAccounts(accountCount);
  await ledger.commands(many.slice(0, 1))();
  const { rows } = await pool.query<{ data: object; metadata: object }>(
    `select data, metadata from event where type = 'CreditsDeducted' limit 1`,
  );
  const insert = await insertBaseline(pool, rows[0] ?? {});
  await pool.query('vacuum analyze event');
  const phase = (inFlight: number, work: () => Promise<unknown>): Promise<Phase> =>
    keepInFlight(inFlight, quick ? 20 : Number(process.env['BENCH_PHASE_MS'] ?? '1000'), work);

  const everywhere = ledger.commands(many);
  await compare({
    name: 'commands over 10,000 accounts, 64 in flight',
    unit: 'commands/s',
    target: { atLeast: 1.6 },
    run: async () => (await phase(IN_FLIGHT, everywhere)).perSecond,
    base: 'INSERT, 64 clients',
    runBase: async () => (await phase(IN_FLIGHT, insert)).perSecond,
  });
  await compare({
    name: 'the same, slowest of a hundred',
    unit: 'ms',
    target: { atMost: 1 },
    run: async () => quantile((await phase(IN_FLIGHT, everywhere)).latencies, 0.99),
    base: 'INSERT, 64 clients',
    runBase: async () => quantile((await phase(IN_FLIGHT, insert)).latencies, 0.99),
  });
  const hot = ledger.commands(many.slice(0, 1));
  await compare({
    name: 'one hot account, 64 in flight',
    unit: 'commands/s',
    target: { atLeast: 2.5 },
    run: async () => (await phase(IN_FLIGHT, hot)).perSecond,
    base: 'INSERT, 64 clients',
    runBase: async () => (await phase(IN_FLIGHT, insert)).perSecond,
  });
  const alone = ledger.commands(many.slice(0, 100));
  await compare({
    name: 'one command alone, median latency',
    unit: 'ms',
    target: { atMost: 1.5 },
    run: async () => median((await phase(1, alone)).latencies),
    base: 'INSERT, 1 client',
    runBase: async () => median((await phase(1, insert)).latencies),
  });
  const snapshots = new AccountSnapshots(createDatabase<CreditTables>(requests));
  const cold = ledgerOn(eventStore, snapshots, { cacheBytes: 0 });
  const onCold = cold.commands(await cold.openAccounts(accountCount));
  await compare({
    name: 'as many accounts, none of them in memory',
    unit: 'commands/s',
    target: { atLeast: 0.5 },
    run: async () => (await phase(IN_FLIGHT, onCold)).perSecond,
    base: 'in memory',
    runBase: async () => (await phase(IN_FLIGHT, everywhere)).perSecond,
  });

  // Each command goes to the one or the other, so each account is written to by both.
  const otherStore = new PostgresEventStore(jobs);
  const shared = [ledgerOn(eventStore, snapshots), ledgerOn(otherStore, snapshots)] as const;
  const sharedAccounts = await shared[0].openAccounts(accountCount);
  const inTurns = shared.map((each) => each.commands(sharedAccounts));
  let turn = 0;
  await compare({
    name: 'two processes in turns on as many accounts',
    unit: 'commands/s',
    target: { atLeast: 0.5 },
    run: async () => (await phase(IN_FLIGHT, () => inTurns[(turn += 1) % 2]!())).perSecond,
    base: 'one process',
    runBase: async () => (await phase(IN_FLIGHT, everywhere)).perSecond,
  });
  await snapshots.onModuleDestroy();
  await otherStore.close();
  await eventStore.close();

  // Equally young accounts in both ledgers. They share none: the events of one would be conflicts for the other.
  const twoLaneStore = new PostgresEventStore(jobs, { lanes: 2 });
  const oneLaneStore = new PostgresEventStore(jobs, { lanes: 1 });
  const twoLanes = ledgerOn(twoLaneStore);
  const oneLane = ledgerOn(oneLaneStore);
  const onTwoLanes = twoLanes.commands(await twoLanes.openAccounts(accountCount));
  const onOneLane = oneLane.commands(await oneLane.openAccounts(accountCount));
  await compare({
    name: 'two lanes, 64 in flight over 10,000 accounts',
    unit: 'commands/s',
    target: { atLeast: 1 },
    run: async () => (await phase(IN_FLIGHT, onTwoLanes)).perSecond,
    base: 'one lane',
    runBase: async () => (await phase(IN_FLIGHT, onOneLane)).perSecond,
  });
  await twoLaneStore.close();
  await oneLaneStore.close();
  await jobs.end();
  await requests.end();
});
