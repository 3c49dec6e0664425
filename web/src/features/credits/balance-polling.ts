const EXTRA_ATTEMPTS = 5;

/**
 * Milliseconds until the next request for the balance, or false. A new account may still be waiting for its first
 * credits: while the balance is 0, up to five more requests follow, 300 + 400 x attempt ms apart, or after
 * `Retry-After`.
 */
export function nextBalancePoll(answers: number, balance: number | undefined, retryAfterMs = 0): number | false {
  if (answers === 0 || (balance ?? 0) > 0 || answers > EXTRA_ATTEMPTS) return false;
  return Math.max(300 + 400 * answers, retryAfterMs);
}
