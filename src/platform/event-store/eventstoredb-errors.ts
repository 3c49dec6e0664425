import {
  EventStoreUnavailableError,
  InvalidEventError,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from './event-store.js';

/** The server says that it refused, so nothing was written. */
const REFUSED: ReadonlySet<string> = new Set(['access-denied', 'not-leader', 'stream-deleted']);
/** grpc-js says that the request never left this process. */
const NEVER_SENT =
  /No connection established|Name resolution failed|Channel closed before call started|Waiting for LB pick|waiting for name resolution|Failed to discover/;

/** What went wrong with an append, in the words of the port. Whatever does not say that nothing was written, may have been. */
export function appendError(stream: string, expectedVersion: number, error: unknown): Error {
  const kind = kindOf(error);
  if (kind === 'wrong-expected-version') return new WrongExpectedVersionError(stream, expectedVersion);
  if (kind === 'maximum-append-size-exceeded') {
    return new InvalidEventError(`What is to be appended to ${stream} is larger than the server takes at once.`);
  }
  const { message = '' } = error as { message?: string };
  if (REFUSED.has(kind) || NEVER_SENT.test(message)) return new EventStoreUnavailableError(error);
  return new UnknownOutcomeError(stream, error);
}

/** The client's word for an error, such as `stream-not-found`; empty for errors that are not the client's. */
export function kindOf(error: unknown): string {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : '';
  return typeof type === 'string' ? type : '';
}
