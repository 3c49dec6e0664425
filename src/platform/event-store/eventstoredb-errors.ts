import {
  EventStoreUnavailableError,
  InvalidEventError,
  StreamDeletedError,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from './event-store.js';

/** The server refuses an append, or (from 25.0 on) an event above 16 MiB. The client does not list the second. */
const TOO_LARGE: ReadonlySet<string> = new Set(['maximum-append-size-exceeded', 'maximum-append-event-size-exceeded']);
/** Messages of grpc-js for requests that never left this process. */
const NEVER_SENT =
  /No connection established|Name resolution failed|Channel closed before call started|Channel has been shut down|Waiting for LB pick|waiting for name resolution|Failed to discover/;
/**
 * Answers of a server that cannot execute a call yet (a new leader is being elected, or the server starts), and
 * messages of a client that finds no node for it.
 */
const NOT_YET =
  /Server Is Not Ready|Server Is Too Busy|No leader info available|Failed to discover|Channel closed before call started|Channel has been shut down/;

/**
 * Maps a failed append to an error of the port. The outcome is unknown unless the error proves that nothing was
 * written.
 */
export function appendError(stream: string, expectedVersion: number, error: unknown): Error {
  const kind = kindOf(error);
  if (kind === 'wrong-expected-version') return new WrongExpectedVersionError(stream, expectedVersion);
  if (kind === 'stream-deleted') return new StreamDeletedError(stream, error);
  if (TOO_LARGE.has(kind)) {
    return new InvalidEventError(`The events for ${stream} are larger than the server accepts in one append.`);
  }
  if (kind === 'access-denied' || wasRefusedForNow(error) || wasNeverSent(error)) {
    return new EventStoreUnavailableError(error);
  }
  return new UnknownOutcomeError(stream, error);
}

/** Maps a failed read to an error of the port. */
export function readError(error: unknown): Error {
  if (kindOf(error) !== 'stream-deleted') return new EventStoreUnavailableError(error);
  const { streamName = '' } = error as { streamName?: string };
  return new StreamDeletedError(streamName, error);
}

/** The server did nothing and another attempt may succeed: it is not the leader, or no leader is elected yet. */
export function wasRefusedForNow(error: unknown): boolean {
  return kindOf(error) === 'not-leader' || NOT_YET.test(messageOf(error));
}

/** The connection broke, or no connection was established. */
export function lostConnection(error: unknown): boolean {
  return ['unavailable', 'cancelled'].includes(kindOf(error)) || wasNeverSent(error);
}

/** The request never left this process. */
export function wasNeverSent(error: unknown): boolean {
  return NEVER_SENT.test(messageOf(error));
}

/**
 * The server gave up after two seconds (`ABORTED`). It does that also for a repeat of an append that it has not
 * committed yet: it drops the repeat without an answer.
 */
export function timedOutAtServer(error: unknown): boolean {
  return kindOf(error) === 'timeout';
}

/** The type of an error, such as `stream-not-found`; empty for errors of other origin. */
export function kindOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const type = 'type' in error && typeof error.type === 'string' ? error.type : '';
  // The client names only the exceptions that it knows. The server's own name is in the trailers.
  return type === 'unknown' ? exceptionIn(error) || type : type;
}

/** The server's name of an exception; empty without trailers. */
function exceptionIn(error: object): string {
  const { _raw: raw } = error as { _raw?: { metadata?: { getMap(): Record<string, unknown> } } };
  const exception = raw?.metadata?.getMap()['exception'];
  return typeof exception === 'string' ? exception : '';
}

function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : '';
}
