import { queryClient } from '../../lib/query.js';
import { refreshRpc } from '../../lib/use-rpc.js';

const DELAYS_MS = { now: 0, deduction: 1000, refund: 2000 } as const;

/** Fetches balance and history again: 1 s after a deduction, 2 s after a refund, or at once (fan spec, section 4). */
export function refreshCredits(after: keyof typeof DELAYS_MS = 'now'): void {
  setTimeout(() => {
    void queryClient.invalidateQueries({ queryKey: ['credits'] });
    refreshRpc('get_user_transactions_by_jwt');
    refreshRpc('count_user_transactions_by_jwt');
  }, DELAYS_MS[after]);
}
