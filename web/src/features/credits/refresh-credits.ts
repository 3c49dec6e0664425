import { refreshQueries } from '../../lib/query.js';

const DELAYS_MS = { now: 0, deduction: 1000, refund: 2000 } as const;

/** Fetches balance and history again: 1 s after a deduction, 2 s after a refund, or at once (fan spec, section 4). */
export function refreshCredits(after: keyof typeof DELAYS_MS = 'now'): void {
  setTimeout(() => {
    void refreshQueries('credits', 'get_user_transactions_by_jwt', 'count_user_transactions_by_jwt');
  }, DELAYS_MS[after]);
}
