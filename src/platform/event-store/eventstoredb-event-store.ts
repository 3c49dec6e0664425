import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import {
  type AllStreamResolvedEvent,
  type AppendResult as ServerAnswer,
  type EventStoreDBClient,
  type Position,
  type ReadPosition,
  type ResolvedEvent,
  type StreamingRead,
  BACKWARDS,
  END,
  FORWARDS,
  jsonEvent,
  NO_STREAM as NEW_STREAM,
  START,
} from '@eventstore/db-client';
import type { JsonObject } from '../json.js';
import { within } from '../within.js';
import {
  type AppendResult,
  type NewEvent,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StoredEvent,
  emptyIfDeleted,
  EventStore,
  EventStoreUnavailableError,
  NO_STREAM,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from './event-store.js';
import { connectToEventStoreDb, isClusterUrl } from './eventstoredb-client.js';
import {
  appendError,
  kindOf,
  lostConnection,
  readError,
  timedOutAtServer,
  wasNeverSent,
  wasRefusedForNow,
} from './eventstoredb-errors.js';
import { EventStoreDbHints } from './eventstoredb-hints.js';
import { EventFromFutureError, StoreTime } from './store-time.js';
import { validateAppend } from './validate-append.js';

/** Times of a call, milliseconds. */
export interface EventStoreDbSettings {
  /** Time limit, repeats included: callers must have an answer or an error within five seconds. */
  readonly callMs: number;
  /** Pause before each repeat after the first one. */
  readonly pauseMs: number;
  /** The time of the store, which bounds the time of events. Null asks the server. Tests move it with their clock. */
  readonly now: (() => Date) | null;
}

const DEFAULT_SETTINGS: EventStoreDbSettings = { callMs: 4_500, pauseMs: 100, now: null };
/** Stream of the events by which this adapter reads the time of the server. */
const TIME_STREAM = 'storeTime';
/** Page size of reads that must skip events. */
const EVENTS_PER_READ = 1_000;
/** Repeats when another process reads the time of the server at the same moment. */
const TIME_ATTEMPTS = 5;
/** Size of the first page that `lastPosition` reads from the end. It nearly always contains the last event. */
const LAST_PAGE = 16;
/** Maximum number of streams that one call reads concurrently. */
const AT_ONCE = 16;
/** Stream names per page. */
const STREAM_PAGE = 200;

type RecordedEvent = NonNullable<ResolvedEvent['event']>;
type Reading = StreamingRead<ResolvedEvent> | StreamingRead<AllStreamResolvedEvent>;

/** A range of `$all` without events of the prefix. It excludes `after` and includes `until`. */
interface Gap {
  readonly after: Position | null;
  readonly until: Position;
}

/** Position of the last event of the prefix in `$all` up to `until`; null when there is none. */
interface LastKnown {
  readonly position: Position | null;
  readonly until: Position;
}

/**
 * The event store on EventStoreDB 22.10 or later, or KurrentDB. A position is `esdb:<commit>/<prepare>`: an offset in
 * the server's log. The server detects a repeated event id only at the same version of the stream, so this adapter
 * never throws `DuplicateEventError`.
 *
 * The client reads `$all` without a filter, so this adapter also receives events of other prefixes and of the server,
 * and skips them. It stores the skipped ranges and does not read them again. Prefer a database that only Fanvas uses.
 */
export class EventStoreDbEventStore extends EventStore {
  private readonly logger = new Logger('EventStoreDB');
  private readonly client: EventStoreDBClient;
  private readonly hints: EventStoreDbHints;
  /** Gaps by stream prefix. Only followers add a prefix, so the map stays small. */
  private readonly gaps = new Map<string, Gap>();
  private readonly lastKnown = new Map<string, LastKnown>();
  private readonly settings: EventStoreDbSettings;
  private readonly time: StoreTime;
  /** Another node may take over when the connection to one is lost. */
  private readonly hasOtherNodes: boolean;

  /**
   * @param url as for `connectToEventStoreDb`. The first call opens the connection.
   * @param settings override the times, for tests
   */
  constructor(url: string, settings: Partial<EventStoreDbSettings> = {}) {
    super();
    this.settings = { ...DEFAULT_SETTINGS, ...settings };
    const { now } = this.settings;
    this.time = new StoreTime(now ? () => Promise.resolve(now()) : () => this.readServerTime());
    this.hasOtherNodes = isClusterUrl(url);
    this.client = connectToEventStoreDb(url);
    this.hints = new EventStoreDbHints(this.client);
  }

  override async append(stream: string, expectedVersion: number, events: readonly NewEvent[]): Promise<AppendResult> {
    validateAppend(stream, expectedVersion, events);
    await this.checkTime(stream, events);
    const answer = await this.sendUntilAnswered(stream, expectedVersion, events);
    this.hints.wake();
    const version = expectedVersion + events.length;
    // The answer to a retry may describe the end of the stream instead of this append, or have no position.
    const position = answer.nextExpectedRevision === BigInt(version) ? answer.position : undefined;
    return { version, position: formatPosition(position ?? (await this.positionOf(stream, version))) };
  }

  override async readStream(stream: string, options: ReadStreamOptions = {}): Promise<StoredEvent[]> {
    const { fromVersion = 0, limit = Infinity } = options;
    const events: StoredEvent[] = [];
    while (events.length < limit) {
      const maxCount = Math.min(EVENTS_PER_READ, limit - events.length);
      const page = await this.readPage(stream, fromVersion + events.length, maxCount);
      for (const event of page) events.push(toStored(event));
      if (page.length < maxCount) break;
    }
    return events;
  }

  override async lastEvents(streams: readonly string[]): Promise<StoredEvent[]> {
    const last = await this.ofEach(streams, (stream) =>
      emptyIfDeleted(
        this.collect(() =>
          this.client.readStream(stream, {
            direction: BACKWARDS,
            fromRevision: END,
            maxCount: 1,
            requiresLeader: true,
          }),
        ),
      ),
    );
    return last.flat().map(toStored);
  }

  override async readAll({ after, limit, streamPrefix = '' }: ReadAllOptions): Promise<StoredEvent[]> {
    const start = after === null ? null : parsePosition(after);
    const deadline = this.deadline();
    const found: StoredEvent[] = [];
    let reached = this.skipGap(streamPrefix, start);
    let maxCount = limit + 1;
    while (found.length < limit) {
      let page: RecordedEvent[];
      try {
        page = await this.readAllPage(reached ?? START, maxCount, deadline);
      } catch (error) {
        // This page failed or was too slow. Return the events found so far; the next call continues after them.
        if (found.length > 0) break;
        throw error;
      }
      for (const event of page) {
        const position = positionIn(event);
        if (reached && compare(position, reached) <= 0) continue;
        if (found.length === limit) break;
        reached = position;
        if (isWanted(event, streamPrefix)) found.push(toStored(event));
      }
      this.rememberGap(streamPrefix, found.at(-1)?.position ?? after, reached);
      if (page.length < maxCount) break;
      maxCount = EVENTS_PER_READ;
    }
    return found;
  }

  override async lastPosition(streamPrefix = ''): Promise<string | null> {
    const deadline = this.deadline();
    const known = this.lastKnown.get(streamPrefix);
    let from: ReadPosition = END;
    let top: Position | undefined;
    let maxCount = LAST_PAGE;
    for (;;) {
      const page: RecordedEvent[] = await this.readAllPage(from, maxCount, deadline, BACKWARDS);
      for (const event of page) {
        const position = positionIn(event);
        top ??= position;
        if (known && compare(position, known.until) <= 0) return this.rememberLast(streamPrefix, known.position, top);
        if (isWanted(event, streamPrefix)) return this.rememberLast(streamPrefix, position, top);
        from = position;
      }
      if (page.length < maxCount) return top ? this.rememberLast(streamPrefix, null, top) : null;
      maxCount = EVENTS_PER_READ;
    }
  }

  override comparePositions(a: string, b: string): number {
    return compare(parsePosition(a), parsePosition(b));
  }

  override async *streams(prefix: string, after: string | null = null): AsyncGenerator<string[]> {
    const names = new Set<string>();
    let reached: Position | null = null;
    for (;;) {
      const page: RecordedEvent[] = await this.readAllPage(reached ?? START, EVENTS_PER_READ, this.deadline());
      for (const event of page) {
        // The event may be a tombstone: after a scavenge, only the tombstone remains of a deleted stream.
        if (isStreamOf(event, prefix)) names.add(event.streamId);
        reached = positionIn(event);
      }
      if (page.length < EVENTS_PER_READ) break;
    }
    // latin1 strings have one character per byte, so they sort in byte order without allocations.
    const behind = after === null ? '' : bytesOf(after);
    const sorted = Array.from(names, bytesOf)
      .filter((name) => name > behind)
      .sort();
    for (let start = 0; start < sorted.length; start += STREAM_PAGE) {
      yield sorted.slice(start, start + STREAM_PAGE).map(textOf);
    }
  }

  override async missingStreams(streams: readonly string[]): Promise<string[]> {
    const first = await this.ofEach(streams, (stream) => emptyIfDeleted(this.readPage(stream, 0, 1)));
    return streams.filter((_, index) => first[index]?.length === 0);
  }

  override onAppended(listener: () => void): () => void {
    return this.hints.listen(listener);
  }

  /** Ends the subscription, the calls in flight and the connection. */
  override async close(): Promise<void> {
    this.hints.close();
    await this.client.dispose();
  }

  /**
   * Refuses events from the future, as on Postgres.
   * @throws EventStoreUnavailableError, because a repeat may have the right time
   */
  private async checkTime(stream: string, events: readonly NewEvent[]): Promise<void> {
    const times = events.map(({ metadata: { occurredAt } }) =>
      typeof occurredAt === 'string' ? Date.parse(occurredAt) : NaN,
    );
    const latest = Math.max(...times.filter((at) => !Number.isNaN(at)));
    if (latest === Number.NEGATIVE_INFINITY) return;
    try {
      await this.time.check(new Date(latest));
    } catch (error) {
      if (error instanceof EventFromFutureError) {
        const message =
          'An event from the future was refused. Compare the clock of this machine with that of the event store.';
        this.logger.error({ message, stream, reason: error.message });
      }
      throw error instanceof EventStoreUnavailableError ? error : new EventStoreUnavailableError(error);
    }
  }

  /** The server states its time only in what it stores, so an event of its own stream is appended and read. */
  private async readServerTime(): Promise<Date> {
    for (let attempt = 0; ; attempt += 1) {
      const event = { id: randomUUID(), type: 'TimeRead', data: {}, metadata: {} };
      const [last] = await this.lastEvents([TIME_STREAM]);
      const version = last?.version ?? NO_STREAM;
      try {
        await this.sendUntilAnswered(TIME_STREAM, version, [event]);
        const [stored] = await this.readPage(TIME_STREAM, version + 1, 1);
        if (stored) return stored.created;
        throw new Error('The server does not return the event that it has just stored.');
      } catch (error) {
        // Another process reads the time too.
        if (!(error instanceof WrongExpectedVersionError) || attempt === TIME_ATTEMPTS) throw error;
      }
    }
  }

  private deadline(): number {
    return performance.now() + this.settings.callMs;
  }

  /**
   * Sends the same events until the server stores or refuses them. It sends them again when nothing was written because
   * there is no leader, and when the server dropped them without an answer. The server recognises a repeat by its ids.
   */
  private async sendUntilAnswered(
    stream: string,
    expectedVersion: number,
    events: readonly NewEvent[],
  ): Promise<ServerAnswer> {
    const deadline = this.deadline();
    let unknown: Error | null = null;
    try {
      return await this.repeat(
        () => this.send(stream, expectedVersion, events, deadline),
        (error) => {
          if (timedOutAtServer(error)) unknown ??= appendError(stream, expectedVersion, error);
          const isMoving = this.hasOtherNodes && wasNeverSent(error);
          return timedOutAtServer(error) || wasRefusedForNow(error) || isMoving;
        },
        deadline,
      );
    } catch (error) {
      // An earlier repeat may be stored. A later answer does not disprove that.
      throw unknown ?? appendError(stream, expectedVersion, error);
    }
  }

  /** Repeats a call after an error that permits it, until the deadline. The first repeat follows at once. */
  private async repeat<T>(
    call: () => Promise<T>,
    permits: (error: unknown, attempt: number) => boolean,
    deadline: number,
  ): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        const pauseMs = attempt === 0 ? 0 : this.settings.pauseMs;
        if (!permits(error, attempt) || performance.now() + pauseMs >= deadline) throw error;
        // By the next turn of the event loop, the client has dropped the connection or switched to the named leader.
        await new Promise<void>((go) => (pauseMs === 0 ? setImmediate(go) : setTimeout(go, pauseMs)));
      }
    }
  }

  private async send(
    stream: string,
    expectedVersion: number,
    events: readonly NewEvent[],
    deadline: number,
  ): Promise<ServerAnswer> {
    const ms = remainingMs(deadline);
    const call = this.client.appendToStream(
      stream,
      events.map(({ id, type, data, metadata }) => jsonEvent({ id: id.toLowerCase(), type, data, metadata })),
      {
        expectedRevision: expectedVersion === NO_STREAM ? NEW_STREAM : BigInt(expectedVersion),
        requiresLeader: true,
        deadline: ms,
      },
    );
    // The client's own deadline starts only after it has found a node.
    return within(ms + 100, call, () => {
      throw new Error(`No answer within ${ms} ms.`);
    });
  }

  private async positionOf(stream: string, version: number): Promise<Position> {
    try {
      const [event] = await this.readPage(stream, version, 1);
      if (event) return positionIn(event);
    } catch (error) {
      throw new UnknownOutcomeError(stream, error);
    }
    throw new UnknownOutcomeError(stream, new Error(`The server accepted version ${version} and does not return it.`));
  }

  private readPage(stream: string, fromVersion: number, maxCount: number): Promise<RecordedEvent[]> {
    const fromRevision = BigInt(fromVersion);
    return this.collect(() =>
      this.client.readStream(stream, { direction: FORWARDS, fromRevision, maxCount, requiresLeader: true }),
    );
  }

  private readAllPage(
    fromPosition: ReadPosition,
    maxCount: number,
    deadline: number,
    direction: typeof FORWARDS | typeof BACKWARDS = FORWARDS,
  ): Promise<RecordedEvent[]> {
    return this.collect(
      () => this.client.readAll({ direction, fromPosition, maxCount, requiresLeader: true }),
      deadline,
    );
  }

  /**
   * Returns all events of one call; none when the stream does not exist. Repeats the call while no leader is elected. A
   * broken connection may have broken long before the call, so the call is repeated once, and in a cluster until a node
   * answers.
   */
  private async collect(ask: () => Reading, deadline = this.deadline()): Promise<RecordedEvent[]> {
    try {
      return await this.repeat(
        () => this.collectOnce(ask(), remainingMs(deadline)),
        (error, attempt) =>
          wasRefusedForNow(error) ||
          timedOutAtServer(error) ||
          (lostConnection(error) && (this.hasOtherNodes || attempt === 0)),
        deadline,
      );
    } catch (error) {
      throw readError(error);
    }
  }

  private collectOnce(reading: Reading, ms: number): Promise<RecordedEvent[]> {
    return new Promise((resolve, reject) => {
      const events: RecordedEvent[] = [];
      const timer = setTimeout(() => {
        reject(new Error(`No answer within ${ms} ms.`));
        reading.cancel().catch((reason: unknown) => {
          this.logger.debug('A call that took too long had not started.', { reason: String(reason) });
        });
      }, ms);
      reading.on('data', ({ event }: ResolvedEvent) => {
        if (event) events.push(event);
      });
      reading.on('error', (error) => {
        clearTimeout(timer);
        if (kindOf(error) === 'stream-not-found') resolve([]);
        else reject(error);
      });
      reading.on('end', () => {
        clearTimeout(timer);
        resolve(events);
      });
    });
  }

  /** Calls `ask` for each stream, `AT_ONCE` at a time. Returns the answers in the order of the streams. */
  private async ofEach<T>(streams: readonly string[], ask: (stream: string) => Promise<T>): Promise<T[]> {
    const answers: T[] = [];
    for (let start = 0; start < streams.length; start += AT_ONCE) {
      answers.push(...(await Promise.all(streams.slice(start, start + AT_ONCE).map(ask))));
    }
    return answers;
  }

  private skipGap(prefix: string, start: Position | null): Position | null {
    const gap = this.gaps.get(prefix);
    return gap && samePosition(gap.after, start) ? gap.until : start;
  }

  private rememberGap(prefix: string, after: string | null, until: Position | null): void {
    if (until) this.gaps.set(prefix, { after: after === null ? null : parsePosition(after), until });
  }

  private rememberLast(prefix: string, position: Position | null, until: Position): string | null {
    this.lastKnown.set(prefix, { position, until });
    return position && formatPosition(position);
  }
}

function bytesOf(name: string): string {
  return Buffer.from(name, 'utf8').toString('latin1');
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Streams that begin with `$` belong to the server. */
function isStreamOf({ streamId }: RecordedEvent, prefix: string): boolean {
  return streamId.startsWith(prefix) && !streamId.startsWith('$');
}

/** Types that begin with `$` belong to the server. One of them, `$streamDeleted`, is in the stream that it deletes. */
function isWanted(event: RecordedEvent, prefix: string): boolean {
  return isStreamOf(event, prefix) && !event.type.startsWith('$');
}

function toStored(event: RecordedEvent): StoredEvent {
  return {
    id: event.id,
    type: event.type,
    data: event.data as JsonObject,
    metadata: (event.metadata ?? {}) as JsonObject,
    stream: event.streamId,
    version: Number(event.revision),
    position: formatPosition(positionIn(event)),
    recordedAt: event.created,
  };
}

function positionIn({ position }: RecordedEvent): Position {
  if (!position) throw new Error('The event store gives no positions: it is older than EventStoreDB 22.10.');
  return position;
}

function formatPosition({ commit, prepare }: Position): string {
  return `esdb:${commit}/${prepare}`;
}

function parsePosition(position: string): Position {
  const match = /^esdb:(\d{1,20})\/(\d{1,20})$/.exec(position);
  if (!match) throw new RangeError('This is not a position of the EventStoreDB event store.');
  return { commit: BigInt(match[1] ?? ''), prepare: BigInt(match[2] ?? '') };
}

function compare(a: Position, b: Position): number {
  const [left, right] = a.commit === b.commit ? [a.prepare, b.prepare] : [a.commit, b.commit];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function samePosition(a: Position | null, b: Position | null): boolean {
  return a && b ? compare(a, b) === 0 : a === b;
}

function remainingMs(deadline: number): number {
  return Math.max(1, Math.round(deadline - performance.now()));
}
