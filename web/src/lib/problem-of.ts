import { ApiError } from './api-error.js';

/** An error whose message is one of our sentences, so that a page may show it. */
export class SaidError extends Error {
  override readonly name = 'SaidError';
}

/**
 * Our sentence in an error: of the server, or of this app. Null for every other error, because the text of the browser,
 * of a library or of a provider is never shown.
 */
export function ownWords(error: unknown): string | null {
  // oxlint-disable-next-line syntax/no-message-of-an-error -- the only place
  return (error instanceof ApiError || error instanceof SaidError) && error.message !== '' ? error.message : null;
}

/** The reason for a failure, in our words. Undefined without an error. */
export function problemOf(error: Error): string;
export function problemOf(error: Error | null): string | undefined;
export function problemOf(error: Error | null): string | undefined {
  return error === null ? undefined : (ownWords(error) ?? 'It failed. Please try again.');
}
