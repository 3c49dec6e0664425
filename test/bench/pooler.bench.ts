import { DEFAULT_CONNECTIONS, shareConnections } from '../../src/platform/database/connection-shares.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { type CreditTables } from '../../src/credits/tables.js';
import { projectedBalance } from '../../src/credits/reads/current-balance.js';
import { seedLedger } from '../support/seed-ledger.js';
import { startPooler } from '../support/pooler.js';
import { bench, keepInFlight, median } from './bench.js';

const ACCOUNTS = 2_000;
const IN_FLIGHT = 64;

/** Statements of requests through PgBouncer in transaction mode, compared with the same to the server itself. */
await bench(async ({ databaseUrl, pool, quick, compare }) => {
  await seedLedger(pool, { accounts: quick ? 20 : ACCOUNTS, eventsEach: 6 });
  const pooler = await startPooler(
    { url: databaseUrl, ownerUrl: databaseUrl, auditUrl: databaseUrl },
    'transaction',
    20,
  );
  const { requests: max } = shareConnections(DEFAULT_CONNECTIONS, true);
  const direct = createPool(databaseUrl, { max });
  const pooled = createPool(pooler.url, { max, pooled: true });
  const directDb = createDatabase<CreditTables>(direct);
  const pooledDb = createDatabase<CreditTables>(pooled);

  const someone = (): string => `user_${String(Math.floor(Math.random() * ACCOUNTS)).padStart(7, '0')}`;
  const read = (db: typeof directDb) => () => projectedBalance(db, someone());
  const transaction = (db: typeof directDb) => () =>
    db
      .transaction()
      .execute((trx) =>
        trx.updateTable('credit_account_snapshot').set({ fold_version: 1 }).where('user_id', '=', someone()).execute(),
      );
  const phaseMs = quick ? 20 : 1_000;
  const base = 'to the server';
  for (const { name, work } of [
    { name: 'a balance', work: read },
    { name: 'a transaction of one statement', work: transaction },
  ]) {
    const alone = async (db: typeof directDb): Promise<number> =>
      median((await keepInFlight(1, phaseMs, work(db))).latencies);
    const many = async (db: typeof directDb): Promise<number> =>
      (await keepInFlight(IN_FLIGHT, phaseMs, work(db))).perSecond;
    await compare({
      name: `${name}, alone`,
      unit: 'ms',
      target: { atMost: 2 },
      base,
      run: () => alone(pooledDb),
      runBase: () => alone(directDb),
    });
    await compare({
      name: `${name}, ${IN_FLIGHT} in flight`,
      unit: '/s',
      target: { atLeast: 0.5 },
      base,
      run: () => many(pooledDb),
      runBase: () => many(directDb),
    });
  }
  await direct.end();
  await pooled.end();
});
