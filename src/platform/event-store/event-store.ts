import type { JsonObject } from '../json.js';

/** An event as a context hands it to the store. `id` is a UUID and makes a retry recognisable. */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
  /** Data and metadata as JSON, if the caller has serialised them already. */
  readonly json?: EventJson;
}

/** Canonical JSON of an event's parts (see `canonicalJson`), except that `hash` may be at any place in the metadata. */
export interface EventJson {
  readonly data: string;
  readonly metadata: string;
}

/** An event as the store returns it. */
export interface StoredEvent extends Omit<NewEvent, 'json'> {
  readonly stream: string;
  /** 0 for the first event of a stream, then without gaps. */
  readonly version: number;
  /** Place in the order of all events. Opaque and specific to the adapter; compare with `comparePositions`. */
  readonly position: string;
  readonly recordedAt: Date;
}

/** Events per page, where the caller does not choose it. */
export const PAGE_SIZE = 1000;

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
  /** Return the events after this one; null starts with the first stream. */
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

export interface ReadOccurredOptions {
  readonly types: readonly string[];
  /** Included. */
  readonly from: Date;
  /** Not included. */
  readonly to: Date;
  /** Only streams whose name starts with this. */
  readonly streamPrefix: string;
}

/** A part of an event that holds an id: the first of these fields that the event has. */
export interface IdField {
  readonly part: 'data' | 'metadata';
  readonly names: readonly string[];
}

export interface ReadMentioningOptions {
  readonly id: string;
  /** Where to look, in addition to the ids of the events themselves. */
  readonly fields: readonly IdField[];
  /** Return events after this position; null starts at the beginning. */
  readonly after: string | null;
  /** Events of a page. An adapter without an index ignores it. */
  readonly limit: number;
}

/** Some of the events that mention an id. */
export interface Mentions {
  readonly events: readonly StoredEvent[];
  /** Events that were read for them. */
  readonly read: number;
}

/** An event whose position cannot be true. */
export interface MisplacedEvent {
  readonly stream: string;
  readonly version: number;
}

/** Another writer appended to the stream first. Read its tail and decide again. */
export class WrongExpectedVersionError extends Error {
  constructor(
    readonly stream: string,
    readonly expectedVersion: number,
  ) {
    super(`Stream ${stream} is not at version ${expectedVersion}.`);
    this.name = 'WrongExpectedVersionError';
  }
}

/** The acknowledgement of an append was lost: the events may or may not be stored. Retry with the same event ids. */
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

/** The store is not available; nothing was written. */
export class EventStoreUnavailableError extends Error {
  constructor(cause: unknown) {
    super('The event store does not answer.', { cause });
    this.name = 'EventStoreUnavailableError';
  }
}

/**
 * Another program deleted the stream permanently. Its events cannot be read, and it accepts no event again. Only
 * EventStoreDB can delete a stream.
 */
export class StreamDeletedError extends Error {
  constructor(
    readonly stream: string,
    cause?: unknown,
  ) {
    super(`The stream ${stream} was deleted in the event store: its events are missing.`, { cause });
    this.name = 'StreamDeletedError';
  }
}

/** The events cannot be stored by any adapter: a bug in the caller. */
export class InvalidEventError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidEventError';
  }
}

/**
 * Append-only streams of events with optimistic concurrency and one total order that can be followed without gaps. Two
 * adapters, Postgres and EventStoreDB, pass `test/contract/event-store.ts`; docs/event-store.md lists their
 * differences.
 */
export abstract class EventStore {
  /**
   * Appends all events or none. A retry with the same event ids at the same expected version returns the first result
   * again.
   * @throws WrongExpectedVersionError when the stream's last version is not `expectedVersion`
   * @throws UnknownOutcomeError when the connection broke before the answer
   * @throws EventStoreUnavailableError when the store could not be reached
   * @throws StreamDeletedError when another program deleted the stream
   * @throws InvalidEventError for events that no adapter can store (see `validate-append.ts`)
   * @throws DuplicateEventError if the adapter detects it (Postgres does)
   */
  abstract append(stream: string, expectedVersion: number, events: readonly NewEvent[]): Promise<AppendResult>;

  /**
   * Reads the events of one stream in order; empty when it does not exist.
   * @throws StreamDeletedError when another program deleted the stream
   */
  abstract readStream(stream: string, options?: ReadStreamOptions): Promise<StoredEvent[]>;

  /**
   * Reads the events of several streams, one stream after the other, each in order. Skips deleted streams. Returns
   * fewer than `limit` only at the end. Adapters that can read them in one call override this.
   * @param streams in byte order, each once
   */
  async readStreams(streams: readonly string[], { after, limit }: ReadStreamsOptions): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    const start = after ? streams.indexOf(after.stream) : 0;
    for (const stream of streams.slice(Math.max(start, 0))) {
      if (events.length >= limit) break;
      const fromVersion = stream === after?.stream ? after.version + 1 : 0;
      const rest = this.readStream(stream, { fromVersion, limit: limit - events.length });
      for (const event of await emptyIfDeleted(rest)) events.push(event);
    }
    return events;
  }

  /**
   * Like {@link readStreams}, for a caller that needs each event once: an adapter can then decode an event when the
   * caller reaches it, and many events take little memory. The result can be iterated once.
   */
  async scanStreams(streams: readonly string[], options: ReadStreamsOptions): Promise<Iterable<StoredEvent>> {
    return this.readStreams(streams, options);
  }

  /** Reads the last event of each of these streams; skips streams without an event and deleted ones. */
  abstract lastEvents(streams: readonly string[]): Promise<StoredEvent[]>;

  /**
   * Reads the events of all streams in order. Never returns an event while one that sorts before it may still commit.
   * May return fewer than `limit` before the end, when the store is slow; only no event means that there is none.
   */
  abstract readAll(options: ReadAllOptions): Promise<StoredEvent[]>;

  /**
   * Reads the events of some types that occurred in a period, by the `occurredAt` of their metadata, in pages and in
   * any order. This default reads all events of the prefix; adapters with an index override it.
   */
  async *occurred({ types, from, to, streamPrefix }: ReadOccurredOptions): AsyncGenerator<StoredEvent[]> {
    const wanted = new Set(types);
    for await (const page of pagesOf(this, { after: null, limit: PAGE_SIZE, streamPrefix })) {
      yield page.filter(({ type, metadata }) => {
        const { occurredAt } = metadata;
        const at = typeof occurredAt === 'string' ? Date.parse(occurredAt) : NaN;
        return wanted.has(type) && at >= from.getTime() && at < to.getTime();
      });
    }
  }

  /** Whether `mentioning` finds events by an index. Otherwise it reads all events. */
  readonly indexesIds: boolean = false;

  /**
   * Reads the events with this id, or with it in one of the fields, in order and in pages. This default reads all
   * events, and its pages may be empty; adapters with an index override it.
   */
  async *mentioning({ id, fields, after }: ReadMentioningOptions): AsyncGenerator<Mentions> {
    for await (const page of pagesOf(this, { after, limit: PAGE_SIZE })) {
      yield { events: page.filter((event) => mentions(event, id, fields)), read: page.length };
    }
  }

  /**
   * Returns the position of the last stored event (of the streams with this prefix), even if followers cannot see it
   * yet; null when there is none. Measures the lag of a follower.
   */
  abstract lastPosition(streamPrefix?: string): Promise<string | null>;

  /**
   * Counts the events stored after a position (of the streams with this prefix), up to `atMost`. This default reads
   * them; adapters that can count override it.
   */
  async countAfter(
    after: string | null,
    { streamPrefix = '', atMost = Infinity }: { streamPrefix?: string; atMost?: number } = {},
  ): Promise<number> {
    let count = 0;
    for await (const page of pagesOf(this, { after, limit: Math.min(PAGE_SIZE, atMost), streamPrefix })) {
      count += page.length;
      if (count >= atMost) return atMost;
    }
    return count;
  }

  /**
   * Returns the first events (of the streams with this prefix) whose position lies beyond the end of the store. No
   * append makes them and no follower reads them: the position was changed in the database, or the events come from the
   * dump of another server. This default returns none: it is for stores whose positions cannot be changed.
   */
  misplacedEvents(_options: { readonly streamPrefix?: string; readonly limit: number }): Promise<MisplacedEvent[]> {
    return Promise.resolve([]);
  }

  /** Compares as a comparator of `Array.sort` does: negative, zero or positive. */
  abstract comparePositions(a: string, b: string): number;

  /**
   * Lists the names of all streams with this prefix, each once, in byte order, in pages of up to 200. For tools that
   * process every stream. Postgres skips through an index and keeps one page. EventStoreDB has no list of its streams,
   * so that adapter reads every event of the prefix before the first page and keeps all names in memory. A stream that
   * is created meanwhile may be missing. A deleted stream may be listed: its tombstone bears its name.
   * @param prefix plain ASCII, not empty
   * @param after only names that sort after this one; all by default
   */
  abstract streams(prefix: string, after?: string | null): AsyncIterable<string[]>;

  /** Returns those of these streams that have no event, or were deleted. */
  abstract missingStreams(streams: readonly string[]): Promise<string[]>;

  /**
   * Calls `listener` soon after any process appended events. A hint only: calls may be late, repeated or missing.
   * @returns a function that removes the listener
   */
  abstract onAppended(listener: () => void): () => void;

  /** Closes the connections that the adapter opened; a pool that was passed in stays open. */
  abstract close(): Promise<void>;
}

/** Reads the events after a position in pages of at most `limit`. The last page is empty: a short one is no end. */
async function* pagesOf(store: EventStore, options: ReadAllOptions): AsyncGenerator<StoredEvent[]> {
  let { after } = options;
  for (;;) {
    const page: StoredEvent[] = await store.readAll({ ...options, after });
    yield page;
    const last = page.at(-1);
    if (!last) return;
    after = last.position;
  }
}

/** True when an event has this id, or has it in one of the fields. */
export function mentions(event: StoredEvent, id: string, fields: readonly IdField[]): boolean {
  if (event.id === id.toLowerCase()) return true;
  return fields.some(({ part, names }) => {
    const holder = event[part];
    const name = names.find((each) => holder[each] !== undefined && holder[each] !== null);
    return name !== undefined && holder[name] === id;
  });
}

/** Resolves to no events when the stream was deleted. */
export async function emptyIfDeleted<T>(reading: Promise<T[]>): Promise<T[]> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof StreamDeletedError) return [];
    throw error;
  }
}
