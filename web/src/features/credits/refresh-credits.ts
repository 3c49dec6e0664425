import { refreshQueries } from '../../lib/query.js';

const DELAYS_MS = { now: 0, deduction: 1000, refund: 2000 } as const;

/** Fetches balance and history again: 1 s after a deduction, 2 s after a refund, or at once (fan spec, section 4). */
export function refreshCredits(after: keyof typeof DELAYS_MS = 'now'): void {
  setTimeout(() => void readCredits(), DELAYS_MS[after]);
}

/** Fetches balance and history again. Resolves when they are there. */
export function readCredits(): Promise<void> {
  return refreshQueries('credits', 'get_user_transactions_by_jwt', 'count_user_transactions_by_jwt');
}
