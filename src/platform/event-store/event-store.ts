import type { JsonObject } from '../json.js';

/** An event as a context hands it to the store. `id` is a UUID and makes a retry recognisable. */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
  /** Both as JSON, when whoever made the event has written it already. */
  readonly json?: EventJson;
}

/** Canonical JSON of an event's parts (see `canonicalJson`), but that the hash may stand anywhere. */
export interface EventJson {
  readonly data: string;
  readonly metadata: string;
}

/** An event as the store gives it back. */
export interface StoredEvent extends Omit<NewEvent, 'json'> {
  readonly stream: string;
  /** 0 for the first event of a stream, then without gaps. */
  readonly version: number;
  /** Place in the order of all events: opaque, made by and meant for the same adapter; compare with `comparePositions`. */
  readonly position: string;
  readonly recordedAt: Date;
}

/** Events that `lastEvents` reads at once. */
const LAST_PAGE = 1000;

/** Events that `countAfter` reads at once. */
const COUNT_PAGE = 1000;

/** Expected version of a stream that must not exist yet. */
export const NO_STREAM = -1;

export interface AppendResult {
  /** Version of the last appended event. */
  readonly version: number;
  /** Position of the last appended event. */
  readonly position: string;
}

export interface ReadStreamOptions {
  /** First version to return; 0 by default. */
  readonly fromVersion?: number;
  readonly limit?: number;
}

export interface ReadStreamsOptions {
  /** Return what follows this event; null starts with the first stream. */
  readonly after: { readonly stream: string; readonly version: number } | null;
  readonly limit: number;
}

export interface ReadAllOptions {
  /** Return events after this position; null starts at the beginning. */
  readonly after: string | null;
  readonly limit: number;
  /** Only streams whose name starts with this. */
  readonly streamPrefix?: string;
}

/** Somebody else appended to the stream first: read its tail and decide again. */
export class WrongExpectedVersionError extends Error {
  constructor(
    readonly stream: string,
    readonly expectedVersion: number,
  ) {
    super(`Stream ${stream} is not at version ${expectedVersion}.`);
    this.name = 'WrongExpectedVersionError';
  }
}

/** The answer to an append never came: the events may or may not be stored. Retry with the same event ids. */
export class UnknownOutcomeError extends Error {
  constructor(stream: string, cause: unknown) {
    super(`It is not known whether the events of ${stream} were stored.`, { cause });
    this.name = 'UnknownOutcomeError';
  }
}

/** One of the events has an id that is already stored elsewhere (another stream, or another place of this one). */
export class DuplicateEventError extends Error {
  constructor(readonly stream: string) {
    super(`An event for ${stream} has the id of an event that is already stored elsewhere.`);
    this.name = 'DuplicateEventError';
  }
}

/** The store cannot be asked now; nothing was written. */
export class EventStoreUnavailableError extends Error {
  constructor(cause: unknown) {
    super('The event store does not answer.', { cause });
    this.name = 'EventStoreUnavailableError';
  }
}

/** What was to be appended is not something a store can keep: a fault of the caller. */
export class InvalidEventError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidEventError';
  }
}

/**
 * Append-only streams of events with optimistic concurrency and one total order that can be followed without gaps.
 * Two adapters, Postgres and EventStoreDB, pass `test/contract/event-store.ts`; docs/event-store.md says where they differ.
 */
export abstract class EventStore {
  /**
   * Appends all events or none. The same events (by id) appended again at the same expected version are answered as
   * the first time.
   * @throws WrongExpectedVersionError when the stream's last version is not `expectedVersion`
   * @throws UnknownOutcomeError when the connection broke before the answer
   * @throws EventStoreUnavailableError when the store could not be reached at all
   * @throws InvalidEventError for a batch that no store can keep (see `validate-append.ts`)
   * @throws DuplicateEventError where the adapter can tell (Postgres can)
   */
  abstract append(stream: string, expectedVersion: number, events: readonly NewEvent[]): Promise<AppendResult>;

  /** Events of one stream in order; empty when it does not exist. */
  abstract readStream(stream: string, options?: ReadStreamOptions): Promise<StoredEvent[]>;

  /**
   * Events of several streams, one stream after the other, each in order. Fewer than `limit` come only at the end. An adapter
   * that can ask for them in one call overrides this.
   * @param streams in byte order, each once
   */
  async readStreams(streams: readonly string[], { after, limit }: ReadStreamsOptions): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    const start = after ? streams.indexOf(after.stream) : 0;
    for (const stream of streams.slice(Math.max(start, 0))) {
      if (events.length >= limit) break;
      const fromVersion = stream === after?.stream ? after.version + 1 : 0;
      for (const event of await this.readStream(stream, { fromVersion, limit: limit - events.length }))
        events.push(event);
    }
    return events;
  }

  /**
   * The last event of each of these streams; streams without an event are left out. This reads the streams whole: an adapter that
   * can begin at the end overrides it.
   */
  async lastEvents(streams: readonly string[]): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (const stream of streams) {
      let last: StoredEvent | undefined;
      for (let page = await this.readStream(stream, { limit: LAST_PAGE }); page.length > 0;) {
        last = page.at(-1);
        page = await this.readStream(stream, { fromVersion: (last?.version ?? 0) + 1, limit: LAST_PAGE });
      }
      if (last) events.push(last);
    }
    return events;
  }

  /** Events of all streams in order. Never shows an event while one that sorts before it may still commit. */
  abstract readAll(options: ReadAllOptions): Promise<StoredEvent[]>;

  /**
   * Position of the last event that is stored (of the streams with this prefix), also when followers cannot see it yet; null
   * when there is none. Says how far a follower is behind.
   */
  abstract lastPosition(streamPrefix?: string): Promise<string | null>;

  /**
   * How many events are stored after a position (of the streams with this prefix), counted no further than `atMost`. This reads
   * them: an adapter that can count overrides it.
   */
  async countAfter(
    after: string | null,
    { streamPrefix = '', atMost = Infinity }: { streamPrefix?: string; atMost?: number } = {},
  ): Promise<number> {
    let count = 0;
    let last = after;
    while (count < atMost) {
      const limit = Math.min(COUNT_PAGE, atMost - count);
      const page = await this.readAll({ after: last, limit, streamPrefix });
      count += page.length;
      if (page.length < limit) break;
      last = page.at(-1)?.position ?? last;
    }
    return count;
  }

  /** Negative, zero or positive, as for `Array.sort`. */
  abstract comparePositions(a: string, b: string): number;

  /**
   * Names of all streams with this prefix, each once, in byte order, in pages of up to 200. For tools that go over every stream:
   * a whole listing is linear on both adapters, but Postgres skips through an index and keeps one page, while EventStoreDB, which
   * has no list of its streams, reads every event of the prefix once before the first page and holds all the names.
   * A stream that begins meanwhile may be missing.
   * @param prefix plain ASCII, not empty
   * @param after only names that sort behind this one; all by default
   */
  abstract streams(prefix: string, after?: string | null): AsyncIterable<string[]>;

  /** Which of these streams have no event at all. */
  abstract missingStreams(streams: readonly string[]): Promise<string[]>;

  /** Calls back soon after events were appended, by any process (a hint: it may be late, doubled or missed). Returns how to stop. */
  abstract onAppended(listener: () => void): () => void;

  /** Gives up what the adapter itself has opened; a pool that it was given stays open. */
  abstract close(): Promise<void>;
}
