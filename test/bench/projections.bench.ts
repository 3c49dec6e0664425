import { accountProjection } from '../../src/credits/reads/account-projection.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { type CheckpointTables } from '../../src/platform/projections/checkpoint.js';
import { EVENTS_PER_PAGE } from '../../src/platform/projections/page-size.js';
import { type Projection } from '../../src/platform/projections/projection.js';
import { ProjectionRebuild } from '../../src/platform/projections/projection-rebuild.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { seedLedger } from '../support/seed-ledger.js';
import { bench } from './bench.js';

/** A million events in 80,000 accounts. */
const ACCOUNTS = 80_000;
const EVENTS_EACH = 12;

/** Compares projecting all credit events with only reading them: into empty tables and into shadow tables. */
await bench(async ({ databaseUrl, pool, quick, vacuum, compare }) => {
  const eventStore = new PostgresEventStore(pool);
  // Reading a million events takes longer than the statement timeout of requests.
  const patient = createPool(databaseUrl, { statementTimeoutMs: 0 });
  const events = await seedLedger(patient, {
    accounts: quick ? 20 : Number(process.env['BENCH_ACCOUNTS'] ?? ACCOUNTS),
    eventsEach: EVENTS_EACH,
  });
  await vacuum(patient);
  await patient.end();
  const projection = accountProjection as unknown as Projection<unknown>;

  const perSecond = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await work();
    return (events * 1000) / (performance.now() - start);
  };
  const read = async (): Promise<void> => {
    let seen = 0;
    let after: string | null = null;
    for (let full = true; full;) {
      const page = await eventStore.readAll({ after, limit: EVENTS_PER_PAGE, streamPrefix: projection.streamPrefix });
      seen += page.length;
      after = page.at(-1)?.position ?? null;
      full = page.length === EVENTS_PER_PAGE;
    }
    if (seen !== events) throw new Error(`${seen} events were read, of ${events}.`);
  };
  const count = async (): Promise<void> => {
    const { rows } = await pool.query<{ accounts: number; seen: number }>(
      'select count(*)::int as accounts, sum(version + 1)::int as seen from credit_balance',
    );
    if (rows[0]?.seen !== events) throw new Error(`${rows[0]?.seen} events were projected, of ${events}.`);
  };
  const fromNothing = async (): Promise<number> => {
    await pool.query('truncate credit_balance, credit_transaction, credits_held, projection_checkpoint');
    const runner = new ProjectionRunner(pool, eventStore);
    runner.register(accountProjection);
    const rate = await perSecond(() => runner.catchUp());
    await count();
    return rate;
  };
  const nextToLive = async (): Promise<number> => {
    const rebuild = new ProjectionRebuild(createDatabase<CheckpointTables>(pool), eventStore, projection);
    const rate = await perSecond(async () => {
      const end = await rebuild.run();
      if (end !== 'switched') throw new Error(`The rebuild ended as ${end}.`);
    });
    await count();
    return rate;
  };
  const reading = { unit: 'events/s', base: 'only reading the events', runBase: () => perSecond(read), rounds: 3 };
  const size = `${Math.round(events / 1000).toLocaleString('en')} thousand events`;
  await compare({ ...reading, name: `projecting ${size}`, target: { atLeast: 0.3 }, run: fromNothing });
  await compare({ ...reading, name: `rebuilding next to the live tables`, target: { atLeast: 0.3 }, run: nextToLive });
  await eventStore.close();
});
