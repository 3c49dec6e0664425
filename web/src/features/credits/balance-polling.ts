const EXTRA_ATTEMPTS = 5;

/**
 * Milliseconds until the balance is asked for again, or false. A new account may still be getting its first credits:
 * while there is no balance above 0, ask up to five more times, after 300 + 400 x attempt ms, or as late as the server asks.
 */
export function nextBalancePoll(answers: number, balance: number | undefined, retryAfterMs = 0): number | false {
  if (answers === 0 || (balance ?? 0) > 0 || answers > EXTRA_ATTEMPTS) return false;
  return Math.max(300 + 400 * answers, retryAfterMs);
}
