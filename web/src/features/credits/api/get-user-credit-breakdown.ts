import { useQuery, type Query, type UseQueryResult } from '@tanstack/react-query';
import type { CreditBreakdown } from '../../../../../src/credits/wire.js';
import { rpc } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { nextBalancePoll } from '../balance-polling.js';
import { queryClient } from '../../../lib/query.js';
import { retryAfterMs } from '../../../lib/retry.js';

const KEY = 'credits';

/** Balances that were above 0 once: 0 is then what is left, not what has not come yet. */
const arrived = new WeakSet<object>();

function pollInterval(query: Query<CreditBreakdown>): number | false {
  const { dataUpdateCount, errorUpdateCount, data, error } = query.state;
  if (data && data.total_balance > 0) arrived.add(query);
  if (arrived.has(query)) return false;
  return nextBalancePoll(dataUpdateCount + errorUpdateCount, data?.total_balance, retryAfterMs(error));
}

/** The balance of the signed-in fan; idle for visitors. */
export function useCredits(): UseQueryResult<CreditBreakdown> {
  const { status, user } = useViewer();
  return useQuery<CreditBreakdown>({
    queryKey: [KEY, user?.id],
    queryFn: ({ signal }) => rpc<CreditBreakdown>('get_user_credit_breakdown', {}, { signal }),
    enabled: status === 'signed-in',
    retry: false, // the poll below is the retry
    refetchInterval: pollInterval,
    refetchOnWindowFocus: true, // it may have been spent or topped up in another tab
  });
}

const DELAYS_MS = { now: 0, deduction: 1000, refund: 2000 } as const;

/** Asks for balance and history again: 1 s after a deduction, 2 s after a refund, or at once. */
export function refreshCredits(after: keyof typeof DELAYS_MS = 'now'): void {
  setTimeout(() => {
    void queryClient.invalidateQueries({ queryKey: [KEY] });
    void queryClient.invalidateQueries({ queryKey: ['transactions'] });
  }, DELAYS_MS[after]);
}
