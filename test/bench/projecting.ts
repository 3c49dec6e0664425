import type pg from 'pg';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { type EventStore, type ReadAllOptions } from '../../src/platform/event-store/event-store.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { type CheckpointTables } from '../../src/platform/projections/checkpoint.js';
import { EVENTS_PER_PAGE } from '../../src/platform/projections/page-size.js';
import { type Projection } from '../../src/platform/projections/projection.js';
import { ProjectionRebuild } from '../../src/platform/projections/projection-rebuild.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { seedLedger } from '../support/seed-ledger.js';
import { type Bench } from './bench.js';

const EVENTS_EACH = 12;

/** A projection and its comparisons with only reading its events. */
export interface Projecting {
  readonly projection: Projection<unknown>;
  /** Accounts of a dozen events each. */
  readonly accounts: number;
  /** Runs once, before the projection. */
  readonly prepare?: (eventStore: EventStore) => Promise<void>;
  /** Throws when the tables are not those of so many events. */
  readonly check: (pool: pg.Pool, events: number) => Promise<void>;
  readonly atLeast: number;
  /** Names of the two rows. @param size how many events there are */
  readonly names: { readonly fromNothing: (size: string) => string; readonly nextToLive: string };
}

/** Compares projecting all credit events with only reading them: into empty tables and into shadow tables. */
export async function compareProjecting(
  { databaseUrl, pool, quick, vacuum, compare }: Bench,
  { projection, accounts, prepare, check, atLeast, names }: Projecting,
): Promise<void> {
  const eventStore = new PostgresEventStore(pool);
  // Reading a million events takes longer than the statement timeout of requests.
  const patient = createPool(databaseUrl, { statementTimeoutMs: 0 });
  const events = await seedLedger(patient, {
    accounts: quick ? 20 : Number(process.env['BENCH_ACCOUNTS'] ?? accounts),
    eventsEach: EVENTS_EACH,
  });
  await vacuum(patient);
  await patient.end();
  await prepare?.(eventStore);

  const perSecond = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await work();
    return (events * 1000) / (performance.now() - start);
  };
  const read = async (): Promise<void> => {
    const seen = await readEvents(eventStore, { limit: EVENTS_PER_PAGE, streamPrefix: projection.streamPrefix });
    if (seen !== events) throw new Error(`${seen} events were read, of ${events}.`);
  };
  const fromNothing = async (): Promise<number> => {
    await pool.query(`truncate ${projection.tables.join(', ')}`);
    await pool.query('delete from projection_checkpoint where name = $1', [projection.name]);
    const runner = new ProjectionRunner(pool, eventStore);
    runner.register(projection);
    const rate = await perSecond(() => runner.catchUp());
    await check(pool, events);
    return rate;
  };
  const nextToLive = async (): Promise<number> => {
    const rebuild = new ProjectionRebuild(createDatabase<CheckpointTables>(pool), eventStore, projection);
    const rate = await perSecond(async () => {
      const end = await rebuild.run();
      if (end !== 'switched') throw new Error(`The rebuild ended as ${end}.`);
    });
    await check(pool, events);
    return rate;
  };
  const reading = { unit: 'events/s', base: 'only reading the events', runBase: () => perSecond(read), rounds: 3 };
  const size = `${Math.round(events / 1000).toLocaleString('en')} thousand events`;
  await compare({ ...reading, name: names.fromNothing(size), target: { atLeast }, run: fromNothing });
  await compare({ ...reading, name: names.nextToLive, target: { atLeast }, run: nextToLive });
  await eventStore.close();
}

/** Reads all events page by page. @returns how many there are */
export async function readEvents(eventStore: EventStore, options: Omit<ReadAllOptions, 'after'>): Promise<number> {
  let seen = 0;
  let after: string | null = null;
  for (;;) {
    const page = await eventStore.readAll({ ...options, after });
    seen += page.length;
    after = page.at(-1)?.position ?? null;
    if (page.length < options.limit) return seen;
  }
}
