import { type Kysely, type Transaction, sql } from 'kysely';
import { type EventStore, type StoredEvent } from '../event-store/event-store.js';
import { lockKey } from '../lock-session.js';
import { type Projection } from './projection.js';

/** Progress of the live tables of a projection; written in one transaction with their rows. */
export interface Checkpoint {
  /** Version of the projection that wrote the rows. */
  readonly version: number;
  readonly position: string | null;
  /** False until the first build has reached the end of the events. */
  readonly complete: boolean;
}

/** A rebuild in progress: the tables of a newer version. */
export interface RebuildRow {
  readonly name: string;
  readonly version: number;
  /** Schema of the new tables. */
  readonly schema: string;
  readonly position: string | null;
  /** Events applied so far. */
  readonly events: number;
  /** Events stored when the rebuild started. */
  readonly total: number;
  /** Time spent on pages so far, by all instances (milliseconds). */
  readonly busy_ms: number;
  readonly started_at: Date;
}

export interface CheckpointTables {
  projection_checkpoint: {
    name: string;
    version: number;
    position: string | null;
    complete: boolean;
    updated_at: Date;
  };
  projection_rebuild: RebuildRow;
}

type Db = Kysely<CheckpointTables> | Transaction<CheckpointTables>;

export async function readCheckpoint(db: Db, name: string): Promise<Checkpoint | null> {
  const row = await db
    .selectFrom('projection_checkpoint')
    .select(['version', 'position', 'complete'])
    .where('name', '=', name)
    .executeTakeFirst();
  return row ?? null;
}

/** The checkpoints of all projections, by name. */
export async function readCheckpoints(db: Db): Promise<ReadonlyMap<string, Checkpoint>> {
  const rows = await db
    .selectFrom('projection_checkpoint')
    .select(['name', 'version', 'position', 'complete'])
    .execute();
  return new Map(rows.map(({ name, ...checkpoint }) => [name, checkpoint]));
}

/**
 * The events of a page that a projection can apply now: if it follows another one, those that the live tables of that
 * one contain.
 */
export async function withinReach(
  page: readonly StoredEvent[],
  { follows }: Pick<Projection<unknown>, 'follows'>,
  eventStore: Pick<EventStore, 'comparePositions'>,
  db: Db,
): Promise<readonly StoredEvent[]> {
  if (!follows || page.length === 0) return page;
  const leader = await readCheckpoint(db, follows.name);
  if (leader?.version !== follows.version) return [];
  const { position: until } = leader;
  return until === null ? [] : page.filter(({ position }) => eventStore.comparePositions(position, until) <= 0);
}

/** Sets the checkpoint unconditionally, for the start of a projection and for the switch of its tables. */
export async function putCheckpoint(
  trx: Transaction<CheckpointTables>,
  name: string,
  { version, position, complete }: Checkpoint,
): Promise<void> {
  const values = { version, position, complete, updated_at: sql<Date>`now()` };
  await trx
    .insertInto('projection_checkpoint')
    .values({ name, ...values })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
    .execute();
}

/** Marks the first build as complete. */
export async function completeCheckpoint(trx: Transaction<CheckpointTables>, name: string): Promise<void> {
  await trx.updateTable('projection_checkpoint').set({ complete: true }).where('name', '=', name).execute();
}

/** Channel of the names of projections whose checkpoint has moved. */
export const MOVED_CHANNEL = 'projection_moved';

/**
 * Moves the checkpoint with a compare-and-set, in addition to the lock: a lost lock cannot apply a page twice. Notifies
 * all processes at the commit.
 * @throws when the checkpoint has changed
 */
export async function moveCheckpoint(
  trx: Transaction<CheckpointTables>,
  name: string,
  from: Checkpoint,
  to: string,
): Promise<void> {
  const moved = await trx
    .updateTable('projection_checkpoint')
    .set({ position: to, updated_at: sql<Date>`now()` })
    .where('name', '=', name)
    .where('version', '=', from.version)
    .where('position', 'is not distinct from', from.position)
    .returning(sql`pg_notify(${MOVED_CHANNEL}, ${name})`.as('notified'))
    .execute();
  if (moved.length !== 1) throw new Error(`Another writer moved the checkpoint of ${name}.`);
}

export async function readRebuild(db: Db, name: string): Promise<RebuildRow | null> {
  return (await db.selectFrom('projection_rebuild').selectAll().where('name', '=', name).executeTakeFirst()) ?? null;
}

/** The rebuilds of all projections, by name. */
export async function readRebuilds(db: Db): Promise<ReadonlyMap<string, RebuildRow>> {
  const rows = await db.selectFrom('projection_rebuild').selectAll().execute();
  return new Map(rows.map((row) => [row.name, row]));
}

/** The locks of a projection: one for its live tables and one for its rebuild. Held until the transaction ends. */
export type Turn = 'projection' | 'rebuild';

/** @returns false when another transaction holds the lock; `wait` waits for it instead */
export async function takeTurn(
  trx: Transaction<CheckpointTables>,
  turn: Turn,
  name: string,
  how: 'try' | 'wait',
): Promise<boolean> {
  const key = lockKey(`${turn}:${name}`);
  if (how === 'wait') {
    await sql`select pg_advisory_xact_lock(${key})`.execute(trx);
    return true;
  }
  const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${key}) as held`.execute(trx);
  return rows[0]?.held === true;
}
