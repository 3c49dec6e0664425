const EXTRA_ATTEMPTS = 5;

/**
 * Milliseconds until the next request for the balance; false ends the polling. The first credits of a new account may
 * arrive late: while the balance is 0, up to five more requests follow. The delay is 300 + 400 x attempt ms, or
 * `Retry-After` if that is longer.
 */
export function nextBalancePoll(answers: number, balance: number | undefined, retryAfterMs = 0): number | false {
  if (answers === 0 || (balance ?? 0) > 0 || answers > EXTRA_ATTEMPTS) return false;
  return Math.max(300 + 400 * answers, retryAfterMs);
}
