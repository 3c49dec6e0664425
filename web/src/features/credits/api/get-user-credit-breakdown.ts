import { useQuery, type Query, type UseQueryResult } from '@tanstack/react-query';
import type { CreditBreakdown } from '../../../../../src/contract/credits.js';
import { rpc } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { frameFirst } from '../../../lib/frame.js';
import { retryAfterMs } from '../../../lib/retry.js';
import { nextBalancePoll } from '../balance-polling.js';

/** Wait before a known balance is read again after a failure, in ms. */
const RETRY_MS = 10_000;

/** Queries that have returned a balance above 0. A later 0 is the real balance, not a missing first grant. */
const arrived = new WeakSet<object>();

function pollInterval(query: Query<CreditBreakdown, Error, CreditBreakdown, (string | undefined)[]>): number | false {
  const { dataUpdateCount, errorUpdateCount, data, error } = query.state;
  if (data && data.total_balance > 0) arrived.add(query);
  // The page shows the last known balance, which may be older than what just changed it.
  if (arrived.has(query)) return error ? Math.max(RETRY_MS, retryAfterMs(error)) : false;
  return nextBalancePoll(dataUpdateCount + errorUpdateCount, data?.total_balance, retryAfterMs(error));
}

/** The balance of the signed-in fan, by kind of credit; idle for visitors. */
export function useCredits(): UseQueryResult<CreditBreakdown> {
  const { status, user } = useViewer();
  return useQuery({
    queryKey: ['credits', user?.id],
    queryFn: ({ signal }) =>
      frameFirst('get_user_credit_breakdown', () => rpc('get_user_credit_breakdown', {}, { signal })),
    enabled: status === 'signed-in',
    retry: false, // polling retries
    refetchInterval: pollInterval,
    refetchOnWindowFocus: true, // another tab may have spent or bought credits
  });
}
