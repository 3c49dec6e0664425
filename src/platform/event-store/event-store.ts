import type { JsonObject } from '../json.js';

/** An event as a context hands it to the store. `id` is a UUID and makes a retry recognisable. */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

/** An event as the store gives it back. */
export interface StoredEvent extends NewEvent {
  readonly stream: string;
  /** 0 for the first event of a stream, then without gaps. */
  readonly version: number;
  /** Place in the order of all events: opaque, made by and meant for the same adapter; compare with `comparePositions`. */
  readonly position: string;
  readonly recordedAt: Date;
}

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
 * Two adapters are planned, Postgres and EventStoreDB; `test/contract/event-store.ts` is what both must pass.
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

  /** Events of all streams in order. Never shows an event while one that sorts before it may still commit. */
  abstract readAll(options: ReadAllOptions): Promise<StoredEvent[]>;

  /**
   * Position of the last event that is stored (of the streams with this prefix), also when followers cannot see it yet; null
   * when there is none. Says how far a follower is behind.
   */
  abstract lastPosition(streamPrefix?: string): Promise<string | null>;

  /** Negative, zero or positive, as for `Array.sort`. */
  abstract comparePositions(a: string, b: string): number;

  /** Calls back soon after events were appended, by any process (a hint: it may be late, doubled or missed). Returns how to stop. */
  abstract onAppended(listener: () => void): () => void;
}
