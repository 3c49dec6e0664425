import { Logger } from '@nestjs/common';
import pg from 'pg';
import { createSecondPool } from '../database/pool.js';
import { Deadlines } from '../deadlines.js';
import {
  type AppendResult,
  type NewEvent,
  DuplicateEventError,
  EventStoreUnavailableError,
  NO_STREAM,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from './event-store.js';
import { PendingWrite } from './pending-write.js';

/** Limits of the Postgres event store, for tests and measurements to change. */
export interface AppenderSettings {
  /** Statements in flight at once, one per lane. All appends of a stream use the same lane. */
  readonly lanes: number;
  /** Time limit from the call to its answer, waiting included, for appends and reads of a stream (milliseconds). */
  readonly deadlineMs: number;
  /** Maximum number of events in one statement; a single append may have more. */
  readonly batchEvents: number;
  /** Maximum length of the JSON in one statement, in characters; a single append may have more. */
  readonly batchCharacters: number;
  /**
   * The time of the store, which dates what it records and bounds the time of events. Null takes the clock of the
   * server. Tests that move their clock move the time of the store with it.
   */
  readonly now: (() => Date) | null;
}

export const APPENDER_DEFAULTS: AppenderSettings = {
  lanes: 2,
  deadlineMs: 4_500,
  batchEvents: 1_000,
  batchCharacters: 4_000_000,
  now: null,
};

/** The server cancels a statement this long before the deadline, so that its answer arrives in time. */
const GRACE_MS = 500;
/** More conflicts are likely after one. During this time, statements start with the careful insert. */
const CAREFUL_MS = 1_000;
/** The appends of a batch that failed as a whole are sent again one by one, this many at once. */
const SINGLES_AT_ONCE = 2;

/**
 * True if the stream has the expected version, or no event is expected. Written so that the planner looks up each
 * version in the index: for `or exists (...)` it may hash the whole table.
 */
const AS_EXPECTED = `(a.expected = ${NO_STREAM} or coalesce(
  (select true from event x where x.stream = a.stream and x.version = a.expected), false))`;

/** SQL of the time of the store. @param place number of the parameter that replaces the clock of the server */
function storeTime(place: number): string {
  return `coalesce($${place}::timestamptz, clock_timestamp())`;
}

/**
 * The optimistic insert. It nearly always succeeds, since instances rarely write to the same stream at the same moment.
 * A conflict fails the whole statement; that is cheaper than `on conflict` in every statement.
 */
const APPEND_SINGLES_QUICKLY = {
  name: 'event-append-singles-quickly',
  text: `
    insert into event as e (stream, version, event_id, type, data, metadata, recorded_at)
    select a.stream, a.expected + 1, a.id, a.type, a.data::jsonb, a.metadata::jsonb, ${storeTime(7)}
    from unnest($1::text[], $2::bigint[], $3::uuid[], $4::text[], string_to_array($5, E'\\n'), string_to_array($6, E'\\n'))
      as a (stream, expected, id, type, data, metadata)
    where ${AS_EXPECTED}
    order by a.stream
    returning e.stream, e.xid::text, e.position::text`,
};

/** A single event in the batch skips the overhead of arrays. */
const APPEND_ONE_QUICKLY = {
  name: 'event-append-one-quickly',
  text: `
    insert into event as e (stream, version, event_id, type, data, metadata, recorded_at)
    select $1, $2::bigint + 1, $3::uuid, $4, $5::jsonb, $6::jsonb, ${storeTime(7)}
    where $2::bigint = ${NO_STREAM} or exists (select 1 from event x where x.stream = $1 and x.version = $2::bigint)
    returning e.stream, e.xid::text, e.position::text`,
};

const APPEND_BATCHES_QUICKLY = {
  name: 'event-append-batches-quickly',
  text: `
    with a as materialized (
      select a.* from unnest($1::text[], $2::bigint[]) with ordinality as a (stream, expected, place) where ${AS_EXPECTED}
    ), written as (
      insert into event as e (stream, version, event_id, type, data, metadata, recorded_at)
      select a.stream, a.expected + n.nth, n.id, n.type, n.data::jsonb, n.metadata::jsonb, ${storeTime(9)}
      from a join unnest(
        $3::int[], $4::int[], $5::uuid[], $6::text[], string_to_array($7, E'\\n'), string_to_array($8, E'\\n')
      ) as n (place, nth, id, type, data, metadata) on n.place = a.place
      order by a.stream, n.nth
      returning e.stream, e.xid, e.position
    )
    select stream, xid::text, max(position)::text from written group by stream, xid`,
};

/**
 * The careful insert: one event for each of several streams. The key (stream, version) is the compare-and-set: rows
 * that conflict are skipped and the others are written. Rows are sorted by stream, so that two such statements never
 * deadlock.
 */
const APPEND_SINGLES = {
  name: 'event-append-singles',
  text: `
    insert into event as e (stream, version, event_id, type, data, metadata, recorded_at)
    select a.stream, a.expected + 1, a.id, a.type, a.data::jsonb, a.metadata::jsonb, ${storeTime(7)}
    from unnest($1::text[], $2::bigint[], $3::uuid[], $4::text[], string_to_array($5, E'\\n'), string_to_array($6, E'\\n'))
      as a (stream, expected, id, type, data, metadata)
    where ${AS_EXPECTED}
    order by a.stream
    on conflict do nothing
    returning e.stream, e.xid::text, e.position::text`,
};

/**
 * The same for any number of events per stream. The first event of a stream decides: if it is inserted, the rest
 * follows, so each stream is written completely or not at all. Only a duplicate event id can still fail, and it fails
 * the whole statement.
 */
const APPEND_BATCHES = {
  name: 'event-append-batches',
  text: `
    with a as materialized (
      select a.* from unnest($1::text[], $2::bigint[]) with ordinality as a (stream, expected, place) where ${AS_EXPECTED}
    ), n as materialized (
      select n.* from unnest(
        $3::int[], $4::int[], $5::uuid[], $6::text[], string_to_array($7, E'\\n'), string_to_array($8, E'\\n')
      ) as n (place, nth, id, type, data, metadata)
    ), first as (
      insert into event as e (stream, version, event_id, type, data, metadata, recorded_at)
      select a.stream, a.expected + 1, n.id, n.type, n.data::jsonb, n.metadata::jsonb, ${storeTime(9)}
      from a join n on n.place = a.place and n.nth = 1
      order by a.stream
      on conflict do nothing
      returning e.stream, e.xid, e.position
    ), rest as (
      insert into event as e (stream, version, event_id, type, data, metadata, recorded_at)
      select a.stream, a.expected + n.nth, n.id, n.type, n.data::jsonb, n.metadata::jsonb, ${storeTime(9)}
      from first join a on a.stream = first.stream join n on n.place = a.place and n.nth > 1
      order by a.stream, n.nth
      returning e.stream, e.position
    ), rest_end as (
      select stream, max(position) as position from rest group by stream
    )
    select first.stream, first.xid::text, coalesce(rest_end.position, first.position)::text
    from first left join rest_end on rest_end.stream = first.stream`,
};

const FIND = {
  name: 'event-find',
  text: `
    select e.stream, e.version, e.event_id, e.xid::text as xid, e.position::text as position
    from event e where e.event_id = any($1::uuid[]) order by e.version`,
};

/** Errors of these classes prove that the transaction was rolled back; after any other, the outcome is unknown. */
const ROLLED_BACK = /^(22|23|25|40|42|53|54|55)...$|^57014$/;
/** Transient errors: connections, locks, resources, timeouts, a restart. */
const TRANSIENT = /^(08|40|53|55|57)...$/;
const UNIQUE_VIOLATION = '23505';

/** An append until it has its outcome. */
class PendingAppend extends PendingWrite<AppendResult> {
  /** One line of JSON per event. */
  readonly data: string;
  readonly metadata: string;

  constructor(
    stream: string,
    readonly expectedVersion: number,
    readonly events: readonly NewEvent[],
    deadline: number,
    inFlight: Deadlines<PendingAppend>,
    onAnswer: (result: AppendResult) => void,
    onFailure: (error: Error) => void,
  ) {
    super(stream, deadline, inFlight, onAnswer, onFailure);
    let data = '';
    let metadata = '';
    for (const [index, event] of events.entries()) {
      const separator = index === 0 ? '' : '\n';
      data += separator + (event.json?.data ?? JSON.stringify(event.data));
      metadata += separator + (event.json?.metadata ?? JSON.stringify(event.metadata));
    }
    this.data = data;
    this.metadata = metadata;
  }

  get characters(): number {
    return this.data.length + this.metadata.length;
  }
}

interface Lane {
  queue: PendingAppend[];
  working: boolean;
}

/** A stream that was written to: its name, the transaction, and the place of the last event. */
type Row = [string, string, string];

interface FoundRow {
  readonly stream: string;
  readonly version: number;
  readonly event_id: string;
  readonly xid: string;
  readonly position: string;
}

/**
 * Group commit: while a statement is in flight, arriving appends are queued, and the next statement writes them
 * together. Each append succeeds or fails on its own. If the database refuses a whole batch, its appends are sent again
 * one by one, so that no append fails because of another. Uses its own connections, so that appends do not wait for
 * readers. docs/appender.md explains the two lanes with a picture.
 */
export class PostgresAppender {
  private readonly logger = new Logger(PostgresAppender.name);
  private readonly settings: AppenderSettings;
  private readonly pool: pg.Pool;
  private readonly lanes: readonly Lane[];
  private readonly inFlight: Deadlines<PendingAppend>;
  /** In the time of `performance.now()`. */
  private carefulUntil = 0;

  /** @param onAppended is called after each statement that has written events */
  constructor(
    pool: pg.Pool,
    private readonly onAppended: () => void,
    settings: Partial<AppenderSettings> = {},
  ) {
    this.settings = { ...APPENDER_DEFAULTS, ...settings };
    const { lanes, deadlineMs } = this.settings;
    this.inFlight = new Deadlines((pending) => {
      pending.failLate(new Error(`There was no answer within ${deadlineMs} ms.`));
    });
    const limit = Math.max(deadlineMs - GRACE_MS, deadlineMs / 2);
    this.pool = createSecondPool(pool, { max: lanes, connectMs: limit, statementMs: limit });
    this.lanes = Array.from({ length: lanes }, () => ({ queue: [], working: false }));
  }

  /** @see EventStore.append; the arguments must be valid */
  append(stream: string, expectedVersion: number, events: readonly NewEvent[]): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + this.settings.deadlineMs;
      const pending = new PendingAppend(stream, expectedVersion, events, deadline, this.inFlight, resolve, reject);
      const lane = this.laneOf(stream);
      lane.queue.push(pending);
      if (lane.working) return;
      lane.working = true;
      void this.work(lane);
    });
  }

  /** Waits for the statements in flight and closes the connections. */
  async close(): Promise<void> {
    this.inFlight.close();
    await this.pool.end();
  }

  private laneOf(stream: string): Lane {
    let hash = 0;
    for (let index = 0; index < stream.length; index += 1) hash = (hash * 31 + stream.charCodeAt(index)) | 0;
    return this.lanes[(hash >>> 0) % this.lanes.length] as Lane;
  }

  /** Sends the queue of a lane until it is empty. Never throws: errors become the outcome of the appends concerned. */
  private async work(lane: Lane): Promise<void> {
    do {
      // Wait for the end of this turn of the event loop: appends that follow from the last answers then join the batch.
      // Otherwise the answered callers and the waiting ones alternate in batches of half the size.
      await new Promise(setImmediate);
      await this.send(this.takeBatch(lane));
    } while (lane.queue.length > 0);
    lane.working = false;
  }

  /** Takes the next waiting appends from the queue, at most one per stream. */
  private takeBatch(lane: Lane): PendingAppend[] {
    const batch: PendingAppend[] = [];
    const later: PendingAppend[] = [];
    const streams = new Set<string>();
    let events = 0;
    let characters = 0;
    let full = false;
    for (const pending of lane.queue) {
      if (pending.answered) continue;
      full ||=
        batch.length > 0 &&
        (events + pending.events.length > this.settings.batchEvents ||
          characters + pending.characters > this.settings.batchCharacters);
      if (full || streams.has(pending.stream)) {
        later.push(pending);
        continue;
      }
      streams.add(pending.stream);
      events += pending.events.length;
      characters += pending.characters;
      batch.push(pending);
    }
    lane.queue = later;
    return batch;
  }

  private async send(batch: readonly PendingAppend[]): Promise<void> {
    if (batch.length === 0) return;
    let client: pg.PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      for (const pending of batch) pending.fail(new EventStoreUnavailableError(error));
      return;
    }
    let broken: Error | undefined;
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    let refusal: Error | null = null;
    try {
      // The deadline of some may have passed during the wait for a connection.
      await this.insert(
        client,
        batch.filter(({ answered }) => !answered),
      );
    } catch (error) {
      if (isOutcomeUnknown(error)) broken ??= error as Error;
      else refusal = error as Error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
    const unanswered = batch.filter(({ answered }) => !answered);
    if (broken) for (const pending of unanswered) pending.fail(new UnknownOutcomeError(pending.stream, broken));
    else if (refusal) await this.afterRefusal(unanswered, refusal);
  }

  private async insert(client: pg.PoolClient, batch: readonly PendingAppend[]): Promise<void> {
    if (batch.length === 0) return;
    for (const pending of batch) pending.sent = true;
    const rows = (await this.insertQuickly(client, batch)) ?? (await this.insertCarefully(client, batch));
    if (rows.length > 0) this.onAppended();
    const written = new Map<string, string>();
    for (const [stream, xid, position] of rows) written.set(stream, `${xid}/${position}`);
    const conflicts: PendingAppend[] = [];
    for (const pending of batch) {
      const position = written.get(pending.stream);
      if (position === undefined) conflicts.push(pending);
      else pending.answer({ version: pending.expectedVersion + pending.events.length, position });
    }
    if (conflicts.length > 0) await this.answerConflicts(client, conflicts);
  }

  private now(): Date | null {
    return this.settings.now?.() ?? null;
  }

  /** @returns null after a conflict: then nothing was written */
  private async insertQuickly(client: pg.PoolClient, batch: readonly PendingAppend[]): Promise<Row[] | null> {
    if (performance.now() < this.carefulUntil) return null;
    const [only] = batch;
    try {
      if (only && batch.length === 1 && only.events.length === 1) {
        const { id, type } = only.events[0] as NewEvent;
        const values = [only.stream, only.expectedVersion, id, type, only.data, only.metadata, this.now()];
        return (await client.query<Row>({ ...APPEND_ONE_QUICKLY, values, rowMode: 'array' })).rows;
      }
      return await run(client, batch, this.now(), APPEND_SINGLES_QUICKLY, APPEND_BATCHES_QUICKLY);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      this.carefulUntil = performance.now() + CAREFUL_MS;
      return null;
    }
  }

  private async insertCarefully(client: pg.PoolClient, batch: readonly PendingAppend[]): Promise<Row[]> {
    try {
      return await run(client, batch, this.now(), APPEND_SINGLES, APPEND_BATCHES);
    } catch (error) {
      // A single append was not written. The caller looks up the conflicting event.
      if (batch.length > 1 || !isUniqueViolation(error)) throw error;
      return [];
    }
  }

  /** Returns the first result again for retries whose events are stored at the expected versions; fails the others. */
  private async answerConflicts(client: pg.PoolClient, conflicts: readonly PendingAppend[]): Promise<void> {
    const ids = conflicts.flatMap(({ events }) => events.map(({ id }) => id));
    const { rows } = await client.query<FoundRow>({ ...FIND, values: [ids] });
    for (const pending of conflicts) {
      const { stream, expectedVersion, events } = pending;
      const wanted = events.map(({ id }) => id.toLowerCase());
      const found = rows.filter((row) => wanted.includes(row.event_id));
      const inPlace = found.every(
        (row, index) =>
          row.stream === stream && row.version === expectedVersion + 1 + index && row.event_id === wanted[index],
      );
      const last = found.at(-1);
      if (last && !inPlace) pending.fail(new DuplicateEventError(stream));
      else if (last && found.length === events.length) {
        this.logger.debug('An append was repeated.', { stream, expectedVersion });
        pending.answer({ version: last.version, position: `${last.xid}/${last.position}` });
      } else pending.fail(new WrongExpectedVersionError(stream, expectedVersion));
    }
  }

  /**
   * The statement was rolled back. A single append fails with the refusal; of several, each is sent again on its own.
   */
  private async afterRefusal(batch: readonly PendingAppend[], refusal: Error): Promise<void> {
    if (batch.length === 1) {
      const ahead = isAheadOfStore(refusal);
      if (ahead) {
        const message =
          'An event from the future was refused. Compare the clock of this machine with that of the database.';
        this.logger.error({ message, stream: batch[0]?.stream });
      }
      batch[0]?.fail(ahead || isTransient(refusal) ? new EventStoreUnavailableError(refusal) : refusal);
      return;
    }
    this.logger.warn('A batch of appends was refused; they are sent one by one.', {
      appends: batch.length,
      reason: refusal.message,
    });
    for (const pending of batch) pending.sent = false;
    const waiting = [...batch];
    const sendSingles = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await this.send([next]);
    };
    await Promise.all(Array.from({ length: SINGLES_AT_ONCE }, sendSingles));
  }
}

async function run(
  client: pg.PoolClient,
  batch: readonly PendingAppend[],
  now: Date | null,
  singles: { readonly name: string; readonly text: string },
  batches: { readonly name: string; readonly text: string },
): Promise<Row[]> {
  const query = batch.every(({ events }) => events.length === 1)
    ? { ...singles, values: [...singleValues(batch), now] }
    : { ...batches, values: [...batchValues(batch), now] };
  const { rows } = await client.query<Row>({ ...query, rowMode: 'array' });
  return rows;
}

function singleValues(batch: readonly PendingAppend[]): unknown[] {
  return [
    batch.map(({ stream }) => stream),
    `{${batch.map(({ expectedVersion }) => expectedVersion).join(',')}}`,
    `{${batch.map(({ events }) => events[0]?.id).join(',')}}`,
    batch.map(({ events }) => events[0]?.type),
    batch.map(({ data }) => data).join('\n'),
    batch.map(({ metadata }) => metadata).join('\n'),
  ];
}

function batchValues(batch: readonly PendingAppend[]): unknown[] {
  const places: number[] = [];
  const nths: number[] = [];
  const events: NewEvent[] = [];
  for (const [index, pending] of batch.entries()) {
    for (const [nth, event] of pending.events.entries()) {
      places.push(index + 1);
      nths.push(nth + 1);
      events.push(event);
    }
  }
  return [
    batch.map(({ stream }) => stream),
    `{${batch.map(({ expectedVersion }) => expectedVersion).join(',')}}`,
    `{${places.join(',')}}`,
    `{${nths.join(',')}}`,
    `{${events.map(({ id }) => id).join(',')}}`,
    events.map(({ type }) => type),
    batch.map(({ data }) => data).join('\n'),
    batch.map(({ metadata }) => metadata).join('\n'),
  ];
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;
}

/** The event occurred later than the store's time allows (see the migration `0003_event_store_time`). */
function isAheadOfStore(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === 'event_time_bound';
}

/** Whether a retry may succeed: the database was not reached, or reported a transient error. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || TRANSIENT.test(error.code ?? '');
}

/** The statement was sent, and the error does not prove that it was rolled back. */
function isOutcomeUnknown(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError && ROLLED_BACK.test(error.code ?? ''));
}
