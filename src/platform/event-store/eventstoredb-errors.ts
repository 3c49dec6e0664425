import {
  EventStoreUnavailableError,
  InvalidEventError,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from './event-store.js';

/** The server refused, so nothing was written. */
const REFUSED: ReadonlySet<string> = new Set(['access-denied', 'not-leader', 'stream-deleted']);
/** Messages of grpc-js for requests that never left this process. */
const NEVER_SENT =
  /No connection established|Name resolution failed|Channel closed before call started|Waiting for LB pick|waiting for name resolution|Failed to discover/;

/**
 * Maps a failed append to an error of the port. The outcome is unknown unless the error proves that nothing was
 * written.
 */
export function appendError(stream: string, expectedVersion: number, error: unknown): Error {
  const kind = kindOf(error);
  if (kind === 'wrong-expected-version') return new WrongExpectedVersionError(stream, expectedVersion);
  if (kind === 'maximum-append-size-exceeded') {
    return new InvalidEventError(`The events for ${stream} are larger than the server accepts in one append.`);
  }
  const { message = '' } = error as { message?: string };
  if (REFUSED.has(kind) || NEVER_SENT.test(message)) return new EventStoreUnavailableError(error);
  return new UnknownOutcomeError(stream, error);
}

/** The client's type of an error, such as `stream-not-found`; empty for errors of other origin. */
export function kindOf(error: unknown): string {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : '';
  return typeof type === 'string' ? type : '';
}
