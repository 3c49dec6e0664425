import { ApiError } from '../../../lib/api.js';
import { problemOf } from '../../../lib/problem-of.js';

/** The server's sentence about what was entered; null when there is none, or something else failed. */
export function refusalOf(error: Error | null): string | null {
  if (!(error instanceof ApiError) || error.status !== 400) return null;
  return error.details ?? problemOf(error);
}
