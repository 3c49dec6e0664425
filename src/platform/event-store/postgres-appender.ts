import { Logger } from '@nestjs/common';
import pg from 'pg';
import { createSecondPool } from '../database/pool.js';
import { Deadlines } from '../deadlines.js';
import {
  type AppendResult,
  type NewEvent,
  DuplicateEventError,
  EventStoreUnavailableError,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from './event-store.js';
import {
  type Appended,
  carefulInsert,
  findByIds,
  type FoundRow,
  quickInsert,
  type WrittenRow,
} from './append-statements.js';
import { PendingWrite } from './pending-write.js';

/** Limits of the Postgres event store, for tests and measurements to change. */
export interface AppenderSettings {
  /** Statements in flight at once, one per lane. All appends of a stream use the same lane. */
  readonly lanes: number;
  /** Time limit from the call to its answer, waiting included, for appends and reads of a stream (milliseconds). */
  readonly deadlineMs: number;
  /**
   * The time of the store, which dates what it records and bounds the time of events. Null takes the clock of the
   * server. Tests that move their clock move the time of the store with it.
   */
  readonly now: (() => Date) | null;
}

export const APPENDER_DEFAULTS: AppenderSettings = {
  lanes: 2,
  deadlineMs: 4_500,
  now: null,
};

/** Maximum number of events in one statement; a single append may have more. */
const BATCH_EVENTS = 1_000;
/** Maximum length of the JSON in one statement, in characters; a single append may have more. */
const BATCH_CHARACTERS = 4_000_000;
/** The server cancels a statement this long before the deadline, so that its answer arrives in time. */
const GRACE_MS = 500;
/** More conflicts are likely after one. During this time, statements start with the careful insert. */
const CAREFUL_MS = 1_000;
/** The appends of a batch that failed as a whole are sent again one by one, this many at once. */
const SINGLES_AT_ONCE = 2;

/** Errors of these classes prove that the transaction was rolled back; after any other, the outcome is unknown. */
const ROLLED_BACK = /^(22|23|25|40|42|53|54|55)...$|^57014$/;
/** Transient errors: connections, locks, resources, timeouts, a restart, and a server that has become a standby. */
const TRANSIENT = /^(08|40|53|55|57)...$|^25006$/;
const UNIQUE_VIOLATION = '23505';

/** An append until it has its outcome. */
class PendingAppend extends PendingWrite<AppendResult> implements Appended {
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
        (events + pending.events.length > BATCH_EVENTS || characters + pending.characters > BATCH_CHARACTERS);
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
  private async insertQuickly(client: pg.PoolClient, batch: readonly PendingAppend[]): Promise<WrittenRow[] | null> {
    if (performance.now() < this.carefulUntil) return null;
    try {
      return (await client.query<WrittenRow>(quickInsert(batch, this.now()))).rows;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      this.carefulUntil = performance.now() + CAREFUL_MS;
      return null;
    }
  }

  private async insertCarefully(client: pg.PoolClient, batch: readonly PendingAppend[]): Promise<WrittenRow[]> {
    try {
      return (await client.query<WrittenRow>(carefulInsert(batch, this.now()))).rows;
    } catch (error) {
      // A single append was not written. The caller looks up the conflicting event.
      if (batch.length > 1 || !isUniqueViolation(error)) throw error;
      return [];
    }
  }

  /** Returns the first result again for retries whose events are stored at the expected versions; fails the others. */
  private async answerConflicts(client: pg.PoolClient, conflicts: readonly PendingAppend[]): Promise<void> {
    const ids = conflicts.flatMap(({ events }) => events.map(({ id }) => id));
    const { rows } = await client.query<FoundRow>(findByIds(ids));
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
