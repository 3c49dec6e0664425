import pg, { type CustomTypesConfig, escapeLiteral, type Pool } from 'pg';
import type { JsonObject } from '../json.js';
import { GroupedReads } from '../database/grouped-reads.js';
import { refuseSecondConnection } from '../database/one-connection.js';
import { type Notifications } from '../database/notifications.js';
import { AppendSignal } from './append-signal.js';
import {
  type AppendResult,
  type IdField,
  type Mentions,
  type MisplacedEvent,
  type NewEvent,
  type ReadAllOptions,
  type ReadMentioningOptions,
  type ReadOccurredOptions,
  type ReadStreamOptions,
  type ReadStreamsOptions,
  type StoredEvent,
  EventStore,
  EventStoreUnavailableError,
  NO_STREAM,
  PAGE_SIZE,
} from './event-store.js';
import { APPENDER_DEFAULTS, type AppenderSettings, isTransient, PostgresAppender } from './postgres-appender.js';
import { validateAppend } from './validate-append.js';

/** The columns of a row as Postgres writes them, in the order of `COLUMNS`. */
type EventTexts = [
  stream: string,
  version: string,
  id: string,
  type: string,
  data: string,
  metadata: string,
  recordedAt: string,
  xid: string,
  place: string,
];

/** Leaves all columns as texts. */
const AS_TEXTS: CustomTypesConfig = { getTypeParser: () => (text: string) => text };

/** A row of a read. 64-bit positions are text, since they exceed the safe integers. */
interface EventRow {
  stream: string;
  version: number;
  event_id: string;
  type: string;
  data: JsonObject;
  metadata: JsonObject;
  recorded_at: Date;
  xid_text: string;
  position_text: string;
}

// xid and position are cast under other names: `order by xid` would sort by an alias `xid`, as text.
const COLUMNS = `e.stream, e.version, e.event_id, e.type, e.data, e.metadata, e.recorded_at,
  e.xid::text as xid_text, e.position::text as position_text`;

const READ_STREAM = {
  name: 'event-read-stream',
  text: `select ${COLUMNS} from event e where e.stream = $1 and e.version >= $2 order by e.version limit $3`,
};

/** Reads the same of several streams, up to `GROUPED_EVENTS` of each; `ordinal` is the number of the read. */
const READ_GROUP = {
  name: 'event-read-group',
  text: `
    select r.ordinal, e.* from unnest($1::text[], $2::bigint[]) with ordinality as r (stream, from_version, ordinal)
    cross join lateral (
      select ${COLUMNS} from event e
      where e.stream = r.stream and e.version >= r.from_version order by e.version limit $3
    ) e
    order by r.ordinal, e.version`,
};

const READ_STREAMS = {
  name: 'event-read-streams',
  text: `
    select ${COLUMNS} from event e
    where e.stream = any($1::text[]) and (e.stream, e.version) > ($2, $3::bigint)
    order by e.stream, e.version limit $4`,
};

const LAST_EVENTS = {
  name: 'event-last-of-streams',
  text: `
    select e.* from unnest($1::text[]) as wanted (stream) cross join lateral (
      select ${COLUMNS} from event e where e.stream = wanted.stream order by e.version desc limit 1
    ) e`,
};

/**
 * A position is assigned before its transaction commits, so `position > n` would lose events. This query sorts by
 * transaction and reads only below the oldest running transaction, so no event can appear behind a follower.
 */
const READ_ALL = {
  name: 'event-read-all',
  text: `
    select ${COLUMNS} from event e
    where (e.xid, e.position) > ($1::text::xid8, $2::bigint)
      and e.xid < pg_snapshot_xmin(pg_current_snapshot())
      and ($3::text is null or starts_with(e.stream, $3))
    order by e.xid, e.position limit $4`,
};

const COUNT_AFTER = {
  name: 'event-count-after',
  text: `
    select count(*)::int as count from (
      select 1 from event e
      where (e.xid, e.position) > ($1::text::xid8, $2::bigint) and ($3::text is null or starts_with(e.stream, $3))
      limit $4
    ) e`,
};

const LAST = {
  name: 'event-last',
  text: `
    select e.xid::text as xid_text, e.position::text as position_text from event e
    where ($1::text is null or starts_with(e.stream, $1))
    order by e.xid desc, e.position desc limit 1`,
};

/** Nearly all streams have this prefix. The index `event_of_few` has the events of all others. */
const MOST_STREAMS = 'creditAccount-';

interface NamedQuery {
  readonly name: string;
  readonly text: string;
}

/** The query for streams with a prefix that few have: with the condition of `event_of_few`, that index serves it. */
function forPrefix(query: NamedQuery, prefix: string): NamedQuery {
  if (prefix.startsWith(MOST_STREAMS) || MOST_STREAMS.startsWith(prefix)) return query;
  const text = query.text.replace('where ', `where not starts_with(e.stream, '${MOST_STREAMS}') and `);
  return { name: `${query.name}-of-few`, text };
}

/** The types are literals, so that an index of these types serves the query (`event_purchase_time`). */
function occurredQuery(types: readonly string[]): string {
  return `
    select ${COLUMNS} from event e
    where e.type in (${types.map((type) => escapeLiteral(type)).join(', ')})
      and ((e.metadata->>'occurredAt') collate "C", e.stream, e.version) > ($1, $2, $3::bigint)
      and (e.metadata->>'occurredAt') collate "C" < $4
      and starts_with(e.stream, $5)
    order by (e.metadata->>'occurredAt') collate "C", e.stream, e.version limit ${PAGE_SIZE}`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The expressions are those of the indexes of these fields (`idExpression`), so that each serves its condition. */
function mentioningQuery(fields: readonly IdField[], isUuid: boolean): string {
  const conditions = fields.map((field) => `${idExpression(field)} = $4`);
  if (isUuid) conditions.push('e.event_id = $4::uuid');
  return `
    select ${COLUMNS} from event e
    where (e.xid, e.position) > ($1::text::xid8, $2::bigint) and (${conditions.join(' or ')})
    order by e.xid, e.position limit $3`;
}

/** SQL for an id in an event, for queries and for their indexes. @param names plain identifiers */
function idExpression({ part, names }: IdField, table = 'e.'): string {
  const values = names.map((name) => `${table}${part}->>${escapeLiteral(name)}`);
  return values.length === 1 ? `(${values[0]})` : `coalesce(${values.join(', ')})`;
}

/** A visible row was committed before the snapshot, so its transaction is always below the snapshot's end. */
const MISPLACED = {
  name: 'event-misplaced',
  text: `
    select e.stream, e.version from event e
    where e.xid >= pg_snapshot_xmax(pg_current_snapshot()) and ($1::text is null or starts_with(e.stream, $1))
    order by e.xid, e.position limit $2`,
};

/** Stream names per page. */
const STREAM_PAGE = 200;

/** Names of streams in byte order. A loose index scan: its cost does not depend on the number of events in a stream. */
const LIST_STREAMS = `
  with recursive found (stream) as (
    (select stream from event where stream > $1 and stream < $2 order by stream limit 1)
    union all
    select (select e.stream from event e where e.stream > found.stream and e.stream < $2 order by e.stream limit 1)
    from found where found.stream is not null
  )
  select stream from found where stream is not null limit ${STREAM_PAGE}`;

const MISSING_STREAMS = `
  select stream from unnest($1::text[]) as wanted (stream)
  where not exists (select 1 from event e where e.stream = wanted.stream)`;

/** Most events of one stream that are read together with others. Longer rests are read by themselves. */
const GROUPED_EVENTS = 100;

/** A read of one stream. */
interface StreamRead {
  readonly stream: string;
  readonly fromVersion: number;
  /** Null: all events. */
  readonly limit: number | null;
}

type PositionRow = Pick<EventRow, 'xid_text' | 'position_text'>;

/**
 * The event store on Postgres, in the table `event`. Positions are `<transaction>/<sequence>` and valid in this cluster
 * only: after a dump and restore into a new one, transaction numbers start again (see `reposition.ts`).
 */
export class PostgresEventStore extends EventStore {
  private readonly signal: AppendSignal;
  private readonly appender: PostgresAppender;
  private readonly deadlineMs: number;
  private readonly reads: GroupedReads<StreamRead, StoredEvent[]>;

  /**
   * @param settings override those of the appender, for tests and benchmarks
   * @param notifications of the process; without them the store listens on a connection of its own
   */
  constructor(
    private readonly pool: Pool,
    settings: Partial<AppenderSettings> = {},
    notifications: Notifications | null = null,
  ) {
    super();
    this.signal = new AppendSignal(pool, notifications);
    this.appender = new PostgresAppender(pool, () => this.signal.appended(), settings);
    this.deadlineMs = settings.deadlineMs ?? APPENDER_DEFAULTS.deadlineMs;
    this.reads = new GroupedReads((reads) => this.readGroup(reads), this.deadlineMs);
  }

  override async append(stream: string, expectedVersion: number, events: readonly NewEvent[]): Promise<AppendResult> {
    validateAppend(stream, expectedVersion, events);
    return this.appender.append(stream, expectedVersion, events);
  }

  override async readStream(stream: string, options: ReadStreamOptions = {}): Promise<StoredEvent[]> {
    refuseSecondConnection(this.pool);
    const { fromVersion = 0, limit = null } = options;
    try {
      return await this.reads.ask({ stream, fromVersion, limit });
    } catch (error) {
      throw isTransient(error) ? new EventStoreUnavailableError(error) : error;
    }
  }

  override async readStreams(streams: readonly string[], { after, limit }: ReadStreamsOptions): Promise<StoredEvent[]> {
    return this.read(READ_STREAMS, [streams, after?.stream ?? '', after?.version ?? -1, limit]);
  }

  override async scanStreams(
    streams: readonly string[],
    { after, limit }: ReadStreamsOptions,
  ): Promise<Iterable<StoredEvent>> {
    const values = [streams, after?.stream ?? '', after?.version ?? -1, limit];
    const { rows } = await this.pool.query<EventTexts>({ ...READ_STREAMS, values, rowMode: 'array', types: AS_TEXTS });
    return decoded(rows);
  }

  override async lastEvents(streams: readonly string[]): Promise<StoredEvent[]> {
    return this.read(LAST_EVENTS, [streams]);
  }

  override async readAll({ after, limit, streamPrefix = '' }: ReadAllOptions): Promise<StoredEvent[]> {
    const { xid, place } = parsePosition(after ?? '0/0');
    return this.read(forPrefix(READ_ALL, streamPrefix), [xid, place, streamPrefix || null, limit]);
  }

  override async *occurred({ types, from, to, streamPrefix }: ReadOccurredOptions): AsyncGenerator<StoredEvent[]> {
    // Sorts before every version of a stream at the first instant.
    let after: [string, string, number] = [from.toISOString(), '', NO_STREAM];
    for (;;) {
      const page = await this.read({ text: occurredQuery(types) }, [...after, to.toISOString(), streamPrefix]);
      yield page;
      const last = page.at(-1);
      if (!last || page.length < PAGE_SIZE) return;
      after = [last.metadata['occurredAt'] as string, last.stream, last.version];
    }
  }

  override readonly indexesIds = true;

  override async *mentioning({ id, fields, after, limit }: ReadMentioningOptions): AsyncGenerator<Mentions> {
    const text = mentioningQuery(fields, UUID.test(id));
    let last = parsePosition(after ?? '0/0');
    for (;;) {
      const events = await this.read({ text }, [last.xid, last.place, limit, id]);
      yield { events, read: events.length };
      const end = events.at(-1);
      if (!end || events.length < limit) return;
      last = parsePosition(end.position);
    }
  }

  override async lastPosition(streamPrefix = ''): Promise<string | null> {
    const { rows } = await this.pool.query<PositionRow>(forPrefix(LAST, streamPrefix), [streamPrefix || null]);
    return rows[0] ? formatPosition(rows[0]) : null;
  }

  override async countAfter(
    after: string | null,
    { streamPrefix = '', atMost = Infinity }: { streamPrefix?: string; atMost?: number } = {},
  ): Promise<number> {
    const { xid, place } = parsePosition(after ?? '0/0');
    const values = [xid, place, streamPrefix || null, Number.isFinite(atMost) ? atMost : null];
    const { rows } = await this.pool.query<{ count: number }>(forPrefix(COUNT_AFTER, streamPrefix), values);
    return rows[0]?.count ?? 0;
  }

  override async misplacedEvents({
    streamPrefix,
    limit,
  }: {
    readonly streamPrefix?: string;
    readonly limit: number;
  }): Promise<MisplacedEvent[]> {
    const { rows } = await this.pool.query<MisplacedEvent>({ ...MISPLACED, values: [streamPrefix || null, limit] });
    return rows;
  }

  /** Returns true when this server has not yet assigned the transaction number of the position. */
  async isBeyondEnd(position: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ beyond: boolean }>(
      'select $1::text::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) as beyond',
      [parsePosition(position).xid],
    );
    return rows[0]?.beyond ?? false;
  }

  override comparePositions(a: string, b: string): number {
    const left = parsePosition(a);
    const right = parsePosition(b);
    return compareDigits(left.xid, right.xid) || compareDigits(left.place, right.place);
  }

  override async *streams(prefix: string, after: string | null = null): AsyncGenerator<string[]> {
    let last = after ?? prefix;
    for (;;) {
      const page = await this.names(LIST_STREAMS, [last, endOfPrefix(prefix)]);
      if (page.length > 0) yield page;
      if (page.length < STREAM_PAGE) return;
      last = page.at(-1) ?? '';
    }
  }

  override async missingStreams(streams: readonly string[]): Promise<string[]> {
    return this.names(MISSING_STREAMS, [streams]);
  }

  override onAppended(listener: () => void): () => void {
    return this.signal.listen(listener);
  }

  /** Closes its own connections. Call it before the pool ends. */
  override async close(): Promise<void> {
    await this.appender.close();
    await this.signal.close();
  }

  private async readGroup(reads: readonly StreamRead[]): Promise<(StoredEvent[] | Promise<StoredEvent[]>)[]> {
    const [only] = reads;
    if (only && reads.length === 1) return [await this.readOne(only)];
    const values = [reads.map(({ stream }) => stream), reads.map((read) => read.fromVersion), GROUPED_EVENTS];
    const query = { ...READ_GROUP, query_timeout: this.deadlineMs, values };
    const { rows } = await this.pool.query<EventRow & { ordinal: number }>(query);
    const found = reads.map((): StoredEvent[] => []);
    for (const row of rows) found[row.ordinal - 1]?.push(toEvent(row));
    return found.map((events, index) => this.complete(reads[index] as StreamRead, events));
  }

  private readOne({ stream, fromVersion, limit }: StreamRead): Promise<StoredEvent[]> {
    return this.read({ ...READ_STREAM, query_timeout: this.deadlineMs }, [stream, fromVersion, limit]);
  }

  /** Shortens what was read for a group to the limit of one read, or reads what is missing. */
  private complete({ stream, limit }: StreamRead, events: StoredEvent[]): StoredEvent[] | Promise<StoredEvent[]> {
    const missing = limit === null ? Infinity : limit - events.length;
    if (missing < 0) return events.slice(0, missing);
    const last = events.at(-1);
    if (!last || events.length < GROUPED_EVENTS || missing === 0) return events;
    const rest = { stream, fromVersion: last.version + 1, limit: limit === null ? null : missing };
    return this.readOne(rest).then((others) => events.concat(others));
  }

  /** @param query may set pg's `query_timeout`, so that a silent connection is given up */
  private async read(
    query: { name?: string; text: string; query_timeout?: number },
    values: unknown[],
  ): Promise<StoredEvent[]> {
    const { rows } = await this.pool.query<EventRow>({ ...query, values });
    return rows.map(toEvent);
  }

  private async names(text: string, values: unknown[]): Promise<string[]> {
    const { rows } = await this.pool.query<{ stream: string }>(text, values);
    return rows.map(({ stream }) => stream);
  }
}

function toEvent(row: EventRow): StoredEvent {
  return {
    id: row.event_id,
    type: row.type,
    data: row.data,
    metadata: row.metadata,
    stream: row.stream,
    version: row.version,
    position: formatPosition(row),
    recordedAt: row.recorded_at,
  };
}

/** Decodes each event when the caller reaches it. */
function* decoded(rows: readonly EventTexts[]): Generator<StoredEvent> {
  for (const [stream, version, id, type, data, metadata, recordedAt, xid, place] of rows) {
    yield {
      id,
      type,
      data: JSON.parse(data) as JsonObject,
      metadata: JSON.parse(metadata) as JsonObject,
      stream,
      version: parseVersion(version),
      position: `${xid}/${place}`,
      recordedAt: parseTime(recordedAt),
    };
  }
}

function parseVersion(text: string): number {
  const version = Number(text);
  if (!Number.isSafeInteger(version)) throw new RangeError(`${text} is too large for the version of an event.`);
  return version;
}

const parseTimestamp = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;
/** A time in UTC as Postgres writes it: `2026-03-10 09:00:00.123456+00`. */
const UTC_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/;

/** The parser of pg takes several times as long, and every event has a time. */
function parseTime(text: string): Date {
  return UTC_TIME.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseTimestamp(text);
}

/** The first name in byte order that sorts after every name with this prefix: plain ASCII, not empty. */
function endOfPrefix(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

function formatPosition(row: PositionRow): string {
  return `${row.xid_text}/${row.position_text}`;
}

/** The largest `xid8` and `bigint`. */
const MAX_XID = '18446744073709551615';
const MAX_PLACE = '9223372036854775807';

/** Without leading zeros, so that the longer text is the greater number. */
function parsePosition(position: string): { xid: string; place: string } {
  const match = /^0*(\d{1,20})\/0*(\d{1,19})$/.exec(position);
  const [, xid = '', place = ''] = match ?? [];
  if (!match || compareDigits(xid, MAX_XID) > 0 || compareDigits(place, MAX_PLACE) > 0)
    throw new RangeError('This is not a position of the Postgres event store.');
  return { xid, place };
}

/** Compares natural numbers as texts: twice as fast as with BigInt, and every verified event is compared. */
function compareDigits(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a < b ? -1 : 1;
}
