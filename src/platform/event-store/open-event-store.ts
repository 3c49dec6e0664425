import { OperatorMistake } from '../operator-mistake.js';
import { type Pool } from 'pg';
import type { Config } from '../config/config.js';
import { type Notifications } from '../database/notifications.js';
import { type EventStore, EventStoreUnavailableError } from './event-store.js';
import { PostgresEventStore } from './postgres-event-store.js';

/** The event store cannot be used with this database. The message is one sentence, without user or password. */
export class EventStoreSettingError extends OperatorMistake {}

export interface OpenEventStoreOptions {
  /**
   * `any positions` also opens events on Postgres whose positions projections cannot follow, for the command-line tools
   * that audit or repair such a database.
   */
  readonly positions?: 'valid positions' | 'any positions';
  /** Those of the process, for a store on Postgres. */
  readonly notifications?: Notifications | null;
  /** Time limit of an append and of a read of a stream on Postgres, milliseconds. */
  readonly deadlineMs?: number;
}

/**
 * Opens the configured event store: Postgres in this database, or the EventStoreDB of `EVENTSTORE_URL`. Call it after
 * the migrations, and close the store before the pool.
 * @throws EventStoreSettingError when the store does not answer, or when this database was used with another event
 *   store: the database contains events although `EVENTSTORE_URL` is set, or the positions of its projections are from
 *   the other kind of store or beyond the last event of this one
 */
export async function openEventStore(
  { eventStoreUrl }: Pick<Config, 'eventStoreUrl'>,
  pool: Pool,
  { positions = 'valid positions', notifications = null, deadlineMs }: OpenEventStoreOptions = {},
): Promise<EventStore> {
  if (eventStoreUrl === null) {
    const store = new PostgresEventStore(pool, deadlineMs === undefined ? {} : { deadlineMs }, notifications);
    try {
      const furthest = await checkFollowers(pool, store);
      if (positions === 'valid positions') await checkPositions(store, furthest);
    } catch (error) {
      await store.close();
      throw error;
    }
    return store;
  }
  const { rows } = await pool.query<{ own: boolean }>('select exists (select 1 from event) as own');
  if (rows[0]?.own) {
    throw new EventStoreSettingError(
      'This database keeps its events itself: start without EVENTSTORE_URL, or give the app a fresh database.',
    );
  }
  // Loaded on demand: the client is large.
  const { EventStoreDbEventStore } = await import('./eventstoredb-event-store.js');
  let store: EventStore;
  try {
    store = new EventStoreDbEventStore(eventStoreUrl);
  } catch (error) {
    // For example a missing certificate file
    const reason = error instanceof Error ? error.message : String(error);
    throw new EventStoreSettingError(`EVENTSTORE_URL cannot be used: ${reason}`, error);
  }
  try {
    const last = await store.lastPosition().catch((error: unknown) => {
      throw error instanceof EventStoreUnavailableError ? unavailable(eventStoreUrl, error) : error;
    });
    const furthest = await checkFollowers(pool, store);
    if (furthest !== null && (last === null || store.comparePositions(furthest, last) > 0)) {
      throw new EventStoreSettingError(
        `The event store at ${addressOf(eventStoreUrl)} ends before the last event that this database has applied: it is another store, or an older copy.`,
      );
    }
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/**
 * Checks that projections can follow the events of this database.
 * @param furthest the furthest position of any projection
 */
async function checkPositions(store: PostgresEventStore, furthest: string | null): Promise<void> {
  const last = await store.lastPosition();
  if (furthest !== null && (last === null || store.comparePositions(furthest, last) > 0)) {
    throw new EventStoreSettingError(
      'The projections of this database have applied later events than it contains: events were removed, or the database was restored in parts. Compare it with a seal (npm run ledger -- verify --against), then run npm run projections -- reposition.',
    );
  }
  const [misplaced] = await store.misplacedEvents({ limit: 1 });
  // If the projections have valid positions, only single events were changed in the database. The audit lists them, and
  // projections continue.
  if (!misplaced || (furthest !== null && !(await store.isBeyondEnd(furthest)))) return;
  throw new EventStoreSettingError(
    'The events of this database are from another server, such as a restored dump: projections cannot follow their positions. Run npm run projections -- reposition once, while the app is stopped.',
  );
}

/** Returns the furthest position of any projection; null when none has applied an event. */
async function checkFollowers(pool: Pool, store: EventStore): Promise<string | null> {
  const { rows } = await pool.query<{ position: string }>(
    'select distinct position from projection_checkpoint where position is not null',
  );
  try {
    let furthest: string | null = null;
    // Comparing the first with itself checks that it is a position of this store.
    for (const { position } of rows) {
      if (store.comparePositions(position, furthest ?? position) >= 0) furthest = position;
    }
    return furthest;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new EventStoreSettingError(
      'The projections of this database follow another kind of event store: restore the previous EVENTSTORE_URL, or give the app a fresh database.',
      error,
    );
  }
}

function unavailable(url: string, error: EventStoreUnavailableError): EventStoreSettingError {
  const { cause } = error;
  const refused = typeof cause === 'object' && cause !== null && 'type' in cause && cause.type === 'access-denied';
  const problem = refused ? 'refused the user' : 'does not answer';
  return new EventStoreSettingError(`The event store at ${addressOf(url)} ${problem}; check EVENTSTORE_URL.`, error);
}

/** Hosts and ports, without user and options. */
function addressOf(url: string): string {
  return /^[a-z+]+:\/\/(?:[^@/]*@)?([^/?]+)/.exec(url)?.[1] ?? 'the configured address';
}
