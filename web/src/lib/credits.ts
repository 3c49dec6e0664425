import { useQuery, type Query, type UseQueryResult } from '@tanstack/react-query';
import { rpc } from './api.js';
import { useViewer } from './auth.js';
import { queryClient } from './query.js';

/** A fan's balance, as `get_user_credit_breakdown` answers it. Credits are integers. */
export interface CreditBreakdown {
  readonly success: boolean;
  readonly daily_credits: number;
  readonly bonus_credits: number;
  readonly paid_credits: number;
  readonly total_balance: number;
  /** daily + bonus */
  readonly free_credits: number;
  readonly daily_credits_last_granted: string | null;
  readonly lifetime_earned: number;
  readonly lifetime_spent: number;
}

const KEY = 'credits';
const EXTRA_ATTEMPTS = 5;

/**
 * Milliseconds until the balance is asked for again, or false. A new account may still be getting its first credits:
 * while there is no balance above 0, ask up to five more times, after 300 + 400 x attempt ms.
 */
export function nextBalancePoll(answers: number, balance: number | undefined): number | false {
  if (answers === 0 || (balance ?? 0) > 0 || answers > EXTRA_ATTEMPTS) return false;
  return 300 + 400 * answers;
}

function pollInterval(query: Query<CreditBreakdown>): number | false {
  const { dataUpdateCount, errorUpdateCount, data } = query.state;
  return nextBalancePoll(dataUpdateCount + errorUpdateCount, data?.total_balance);
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
