import { Logger } from '@nestjs/common';
import pg from 'pg';
import type { JsonObject } from '../json.js';
import { AppendSignal } from './append-signal.js';
import {
  type AppendResult,
  type NewEvent,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StoredEvent,
  DuplicateEventError,
  EventStore,
  EventStoreUnavailableError,
  NO_STREAM,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from './event-store.js';
import { validateAppend } from './validate-append.js';

/** As rows come: 64-bit values as text, since positions go beyond what a number holds. */
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

// xid and position are cast under other names: `order by xid` would sort an alias `xid` as text.
const COLUMNS = `e.stream, e.version, e.event_id, e.type, e.data, e.metadata, e.recorded_at,
  e.xid::text as xid_text, e.position::text as position_text`;

/**
 * The compare-and-set in one statement: it writes nothing unless the stream has the expected version, and the key
 * (stream, version) refuses the batch whole when somebody was faster.
 */
const APPEND = {
  name: 'event-append',
  text: `
    insert into event as e (stream, version, event_id, type, data, metadata)
    select $1, $2::bigint + n.place, n.id, n.type, n.data, n.metadata
    from unnest($3::uuid[], $4::text[], $5::jsonb[], $6::jsonb[]) with ordinality as n (id, type, data, metadata, place)
    where $2::bigint = ${NO_STREAM} or exists (select 1 from event where stream = $1 and version = $2::bigint)
    order by n.place
    returning e.version, e.xid::text as xid_text, e.position::text as position_text`,
};

const FIND = {
  name: 'event-find',
  text: `
    select e.stream, e.version, e.event_id, e.xid::text as xid_text, e.position::text as position_text
    from event e where e.event_id = any($1::uuid[]) order by e.version`,
};

const READ_STREAM = {
  name: 'event-read-stream',
  text: `select ${COLUMNS} from event e where e.stream = $1 and e.version >= $2 order by e.version limit $3`,
};

/**
 * A position is taken before its transaction commits, so `position > n` loses events. Sorted by transaction and read only
 * below the oldest one still running, nothing can appear behind a follower.
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

const LAST = {
  name: 'event-last',
  text: `
    select e.xid::text as xid_text, e.position::text as position_text from event e
    where $1::text is null or starts_with(e.stream, $1)
    order by e.xid desc, e.position desc limit 1`,
};

/** Errors of these classes say that the transaction was rolled back; after any other, nobody knows. */
const ROLLED_BACK = /^(22|23|25|40|42|53|54|55)...$|^57014$/;
const UNIQUE_VIOLATION = '23505';

type PositionRow = Pick<EventRow, 'xid_text' | 'position_text'>;

/**
 * The event store on Postgres, in the table `event`. Positions are `<transaction>/<sequence>`: they hold for this cluster
 * (after a dump and restore into a new one, transaction numbers begin again).
 */
export class PostgresEventStore extends EventStore {
  private readonly logger = new Logger(PostgresEventStore.name);
  private readonly signal: AppendSignal;

  constructor(private readonly pool: pg.Pool) {
    super();
    this.signal = new AppendSignal(pool);
  }

  override async append(stream: string, expectedVersion: number, events: readonly NewEvent[]): Promise<AppendResult> {
    validateAppend(stream, expectedVersion, events);
    const client = await this.pool.connect().catch((error: unknown) => {
      throw new EventStoreUnavailableError(error);
    });
    let broken: Error | undefined;
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    try {
      const last = await this.insert(client, stream, expectedVersion, events);
      const result = last ?? (await this.answerRepeat(client, stream, expectedVersion, events));
      this.signal.appended();
      return result;
    } catch (error) {
      if (isOutcomeUnknown(error)) broken = error;
      if (broken) throw new UnknownOutcomeError(stream, broken);
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  override async readStream(stream: string, options: ReadStreamOptions = {}): Promise<StoredEvent[]> {
    return this.read(READ_STREAM, [stream, options.fromVersion ?? 0, options.limit ?? null]);
  }

  override async readAll({ after, limit, streamPrefix }: ReadAllOptions): Promise<StoredEvent[]> {
    const { xid, place } = parsePosition(after ?? '0/0');
    return this.read(READ_ALL, [String(xid), String(place), streamPrefix || null, limit]);
  }

  override async lastPosition(streamPrefix?: string): Promise<string | null> {
    const { rows } = await this.pool.query<PositionRow>(LAST, [streamPrefix || null]);
    return rows[0] ? formatPosition(rows[0]) : null;
  }

  override comparePositions(a: string, b: string): number {
    const left = parsePosition(a);
    const right = parsePosition(b);
    if (left.xid !== right.xid) return left.xid < right.xid ? -1 : 1;
    if (left.place === right.place) return 0;
    return left.place < right.place ? -1 : 1;
  }

  override onAppended(listener: () => void): () => void {
    return this.signal.listen(listener);
  }

  /** Ends the listening connection; to be called before the pool ends. */
  async close(): Promise<void> {
    await this.signal.close();
  }

  /** @returns null when the stream does not have the expected version, or an event id is taken */
  private async insert(
    client: pg.PoolClient,
    stream: string,
    expectedVersion: number,
    events: readonly NewEvent[],
  ): Promise<AppendResult | null> {
    const values = [
      stream,
      expectedVersion,
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ data }) => JSON.stringify(data)),
      events.map(({ metadata }) => JSON.stringify(metadata)),
    ];
    try {
      const { rows } = await client.query<PositionRow & { version: number }>(APPEND, values);
      const last = rows.at(-1);
      return last ? { version: last.version, position: formatPosition(last) } : null;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) return null;
      throw error;
    }
  }

  /** The first answer again, if these very events stand where they were to be put. */
  private async answerRepeat(
    client: pg.PoolClient,
    stream: string,
    expectedVersion: number,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    const { rows } = await client.query<Omit<EventRow, 'type' | 'data' | 'metadata' | 'recorded_at'>>(FIND, [
      events.map(({ id }) => id),
    ]);
    const last = rows.at(-1);
    const inPlace = rows.every(
      (row, index) =>
        row.stream === stream &&
        row.version === expectedVersion + 1 + index &&
        row.event_id === events[index]?.id.toLowerCase(),
    );
    if (last && inPlace && rows.length === events.length) {
      this.logger.debug('An append was repeated.', { stream, expectedVersion });
      return { version: last.version, position: formatPosition(last) };
    }
    if (last && !inPlace) throw new DuplicateEventError(stream);
    throw new WrongExpectedVersionError(stream, expectedVersion);
  }

  private async read(query: { name: string; text: string }, values: unknown[]): Promise<StoredEvent[]> {
    const { rows } = await this.pool.query<EventRow>(query, values);
    return rows.map((row) => ({
      id: row.event_id,
      type: row.type,
      data: row.data,
      metadata: row.metadata,
      stream: row.stream,
      version: row.version,
      position: formatPosition(row),
      recordedAt: row.recorded_at,
    }));
  }
}

/** The statement was sent, and what came back does not say that it was rolled back. */
function isOutcomeUnknown(error: unknown): error is Error {
  if (error instanceof DuplicateEventError || error instanceof WrongExpectedVersionError) return false;
  return !(error instanceof pg.DatabaseError && ROLLED_BACK.test(error.code ?? ''));
}

function formatPosition(row: PositionRow): string {
  return `${row.xid_text}/${row.position_text}`;
}

function parsePosition(position: string): { xid: bigint; place: bigint } {
  const match = /^(\d{1,20})\/(\d{1,19})$/.exec(position);
  if (!match) throw new RangeError('This is not a position of the Postgres event store.');
  return { xid: BigInt(match[1] ?? ''), place: BigInt(match[2] ?? '') };
}
