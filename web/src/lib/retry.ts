import { ApiError } from './api-error.js';

/** Waits before the two retries: with the time of the attempts, about 3 s until the page says what failed. */
const RETRY_DELAYS_MS = [300, 900];

/** Retries a lost connection and a 5xx. A refusal for now is repeated at its end, see `reloadAfterRefusals`. */
export function worthRetrying(failures: number, error: unknown): boolean {
  if (failures >= RETRY_DELAYS_MS.length || !(error instanceof ApiError) || error.retryAfter !== null) return false;
  return error.status === 0 || error.status >= 500;
}

/** `Retry-After` of the error in milliseconds; 0 without one. */
export function retryAfterMs(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
}

/** Milliseconds before the next attempt. @param failures attempts that have failed before this one */
export function retryDelay(failures: number): number {
  return RETRY_DELAYS_MS[failures] ?? 0;
}
