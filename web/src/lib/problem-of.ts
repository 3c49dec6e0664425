import { ApiError } from './api.js';

/** The reason why an act failed, in the server's words. Undefined without an error. */
export function problemOf(error: Error | null): string | undefined {
  if (error === null) return undefined;
  return error instanceof ApiError ? error.message : 'It failed. Please try again.';
}
