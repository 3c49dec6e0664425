import { type QueryArrayConfig, type QueryConfig } from 'pg';
import { type NewEvent, NO_STREAM } from './event-store.js';

/** An append to a stream, as the statements take it. */
export interface Appended {
  readonly stream: string;
  readonly expectedVersion: number;
  readonly events: readonly NewEvent[];
  /** One line of JSON per event. */
  readonly data: string;
  readonly metadata: string;
}

/** A prepared statement. */
interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A stream that was written to: its name, the transaction, and the place of the last event. */
export type WrittenRow = [string, string, string];

/** A stored event with an id that was looked for. */
export interface FoundRow {
  readonly stream: string;
  readonly version: number;
  readonly event_id: string;
  readonly xid: string;
  readonly position: string;
}

/**
 * True if the stream has the expected version, or no event is expected. Written so that the planner looks up each
 * version in the index: for `or exists (...)` it may hash the whole table.
 */
const AS_EXPECTED = `(a.expected = ${NO_STREAM} or coalesce(
  (select true from event x where x.stream = a.stream and x.version = a.expected), false))`;

/** SQL of the time of the store. @param parameter number of the parameter that replaces the clock of the server */
function storeTime(parameter: number): string {
  return `coalesce($${parameter}::timestamptz, clock_timestamp())`;
}

/** Inserts one event into each of several streams. Rows are sorted, so that two such statements never deadlock. */
function appendSingles(name: string, onConflict = ''): Statement {
  return {
    name,
    text: `
    insert into event as e (stream, version, event_id, type, data, metadata, recorded_at)
    select a.stream, a.expected + 1, a.id, a.type, a.data::jsonb, a.metadata::jsonb, ${storeTime(7)}
    from unnest($1::text[], $2::bigint[], $3::uuid[], $4::text[], string_to_array($5, E'\\n'), string_to_array($6, E'\\n'))
      as a (stream, expected, id, type, data, metadata)
    where ${AS_EXPECTED}
    order by a.stream
    ${onConflict}
    returning e.stream, e.xid::text, e.position::text`,
  };
}

/**
 * The optimistic insert. It nearly always succeeds, since instances rarely write to the same stream at the same moment.
 * A conflict fails the whole statement; that is cheaper than `on conflict` in every statement.
 */
const APPEND_SINGLES_QUICKLY = appendSingles('event-append-singles-quickly');

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
      select a.* from unnest($1::text[], $2::bigint[]) with ordinality as a (stream, expected, ordinal) where ${AS_EXPECTED}
    ), written as (
      insert into event as e (stream, version, event_id, type, data, metadata, recorded_at)
      select a.stream, a.expected + n.nth, n.id, n.type, n.data::jsonb, n.metadata::jsonb, ${storeTime(9)}
      from a join unnest(
        $3::int[], $4::int[], $5::uuid[], $6::text[], string_to_array($7, E'\\n'), string_to_array($8, E'\\n')
      ) as n (ordinal, nth, id, type, data, metadata) on n.ordinal = a.ordinal
      order by a.stream, n.nth
      returning e.stream, e.xid, e.position
    )
    select stream, xid::text, max(position)::text from written group by stream, xid`,
};

/**
 * The careful insert. The key (stream, version) is the compare-and-set: rows that conflict are skipped and the others
 * are written.
 */
const APPEND_SINGLES = appendSingles('event-append-singles', 'on conflict do nothing');

/**
 * The same for any number of events per stream. The first event of a stream decides: if it is inserted, the rest
 * follows, so each stream is written completely or not at all. Only a duplicate event id can still fail, and it fails
 * the whole statement.
 */
const APPEND_BATCHES = {
  name: 'event-append-batches',
  text: `
    with a as materialized (
      select a.* from unnest($1::text[], $2::bigint[]) with ordinality as a (stream, expected, ordinal) where ${AS_EXPECTED}
    ), n as materialized (
      select n.* from unnest(
        $3::int[], $4::int[], $5::uuid[], $6::text[], string_to_array($7, E'\\n'), string_to_array($8, E'\\n')
      ) as n (ordinal, nth, id, type, data, metadata)
    ), first as (
      insert into event as e (stream, version, event_id, type, data, metadata, recorded_at)
      select a.stream, a.expected + 1, n.id, n.type, n.data::jsonb, n.metadata::jsonb, ${storeTime(9)}
      from a join n on n.ordinal = a.ordinal and n.nth = 1
      order by a.stream
      on conflict do nothing
      returning e.stream, e.xid, e.position
    ), rest as (
      insert into event as e (stream, version, event_id, type, data, metadata, recorded_at)
      select a.stream, a.expected + n.nth, n.id, n.type, n.data::jsonb, n.metadata::jsonb, ${storeTime(9)}
      from first join a on a.stream = first.stream join n on n.ordinal = a.ordinal and n.nth > 1
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

/** The optimistic insert of appends to different streams. @param now the time of the store; null for the server's */
export function quickInsert(batch: readonly Appended[], now: Date | null): QueryArrayConfig {
  const [only] = batch;
  if (only && batch.length === 1 && only.events.length === 1) {
    const { id, type } = only.events[0] as NewEvent;
    const values = [only.stream, only.expectedVersion, id, type, only.data, only.metadata, now];
    return { ...APPEND_ONE_QUICKLY, values, rowMode: 'array' };
  }
  return insert(batch, now, APPEND_SINGLES_QUICKLY, APPEND_BATCHES_QUICKLY);
}

/** The careful insert: it skips appends that conflict. */
export function carefulInsert(batch: readonly Appended[], now: Date | null): QueryArrayConfig {
  return insert(batch, now, APPEND_SINGLES, APPEND_BATCHES);
}

/** The stored events with these ids, by version. */
export function findByIds(ids: readonly string[]): QueryConfig {
  return { ...FIND, values: [ids] };
}

function insert(
  batch: readonly Appended[],
  now: Date | null,
  singles: Statement,
  batches: Statement,
): QueryArrayConfig {
  return batch.every(({ events }) => events.length === 1)
    ? { ...singles, values: [...singleValues(batch), now], rowMode: 'array' }
    : { ...batches, values: [...batchValues(batch), now], rowMode: 'array' };
}

function singleValues(batch: readonly Appended[]): unknown[] {
  return [
    batch.map(({ stream }) => stream),
    `{${batch.map(({ expectedVersion }) => expectedVersion).join(',')}}`,
    `{${batch.map(({ events }) => events[0]?.id).join(',')}}`,
    batch.map(({ events }) => events[0]?.type),
    batch.map(({ data }) => data).join('\n'),
    batch.map(({ metadata }) => metadata).join('\n'),
  ];
}

function batchValues(batch: readonly Appended[]): unknown[] {
  const ordinals: number[] = [];
  const nths: number[] = [];
  const events: NewEvent[] = [];
  for (const [index, pending] of batch.entries()) {
    for (const [nth, event] of pending.events.entries()) {
      ordinals.push(index + 1);
      nths.push(nth + 1);
      events.push(event);
    }
  }
  return [
    batch.map(({ stream }) => stream),
    `{${batch.map(({ expectedVersion }) => expectedVersion).join(',')}}`,
    `{${ordinals.join(',')}}`,
    `{${nths.join(',')}}`,
    `{${events.map(({ id }) => id).join(',')}}`,
    events.map(({ type }) => type),
    batch.map(({ data }) => data).join('\n'),
    batch.map(({ metadata }) => metadata).join('\n'),
  ];
}
