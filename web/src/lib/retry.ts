import { ApiError } from './api-error.js';

const MAX_RETRIES = 2;
const LONGEST_WAIT_S = 15;

/** Retries a lost connection, a 5xx and a short `Retry-After`. Never retries a refusal or waits for a long one. */
export function worthRetrying(failures: number, error: unknown): boolean {
  if (failures >= MAX_RETRIES) return false;
  if (!(error instanceof ApiError)) return false;
  if (error.retryAfter !== null && error.retryAfter > LONGEST_WAIT_S) return false;
  if (error.status === 429) return error.retryAfter !== null;
  return error.status === 0 || error.status >= 500;
}

/** `Retry-After` of the error in milliseconds; 0 without one. */
export function retryAfterMs(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
}

/** Milliseconds before the next attempt: `Retry-After`, else 1 s, 2 s. */
export function retryDelay(failures: number, error: unknown): number {
  return retryAfterMs(error) || 1000 * 2 ** failures;
}
