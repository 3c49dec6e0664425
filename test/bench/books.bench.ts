import { booksProjection } from '../../src/finance/reads/books-projection.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { type CheckpointTables } from '../../src/platform/projections/checkpoint.js';
import { EVENTS_PER_PAGE } from '../../src/platform/projections/page-size.js';
import { type Projection } from '../../src/platform/projections/projection.js';
import { ProjectionRebuild } from '../../src/platform/projections/projection-rebuild.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { revenueProjection } from '../../src/revenue/index.js';
import { seedLedger } from '../support/seed-ledger.js';
import { bench } from './bench.js';

/** 240,000 events in 20,000 accounts. */
const ACCOUNTS = 20_000;
const EVENTS_EACH = 12;

/** Compares projecting the books from all events with only reading the events: into empty and into shadow tables. */
await bench(async ({ databaseUrl, pool, quick, vacuum, compare }) => {
  const eventStore = new PostgresEventStore(pool);
  const patient = createPool(databaseUrl, { statementTimeoutMs: 0 });
  const events = await seedLedger(patient, {
    accounts: quick ? 20 : Number(process.env['BENCH_ACCOUNTS'] ?? ACCOUNTS),
    eventsEach: EVENTS_EACH,
  });
  await vacuum(patient);
  await patient.end();
  const projection = booksProjection as unknown as Projection<unknown>;
  const revenue = revenueProjection(() => Promise.resolve({ cumulativeFrom: new Date(0) }));
  const earlier = new ProjectionRunner(pool, eventStore);
  earlier.register(revenue);
  await earlier.catchUp();

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
  /** The same lines in every round, and a sum of zero. */
  let lines: number | null = null;
  const count = async (): Promise<void> => {
    const { rows } = await pool.query<{ lines: number; cents: number }>(
      'select count(*)::int as lines, sum(cents)::int as cents from book_entry',
    );
    lines ??= rows[0]?.lines ?? 0;
    if (lines === 0 || rows[0]?.lines !== lines || rows[0].cents !== 0) {
      throw new Error(`The books have ${rows[0]?.lines} lines of ${rows[0]?.cents} cents.`);
    }
  };
  const fromNothing = async (): Promise<number> => {
    await pool.query(`truncate ${booksProjection.tables.join(', ')}`);
    await pool.query('delete from projection_checkpoint where name = $1', [booksProjection.name]);
    const runner = new ProjectionRunner(pool, eventStore);
    runner.register(projection);
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
  const target = { atLeast: 0.25 };
  await compare({ ...reading, name: `the books of ${size}`, target, run: fromNothing });
  await compare({ ...reading, name: 'rebuilding the books next to the live tables', target, run: nextToLive });
  await eventStore.close();
});
