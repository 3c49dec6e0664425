import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { CreditTransaction } from '../../../../../src/contract/credits.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';

/** Movements on one page of the history. */
export const TRANSACTIONS_PAGE_SIZE = 20;

/** One page (from 1) of the fan's transactions, newest first. */
export function getUserTransactions(page: number, options: RpcOptions = {}): Promise<CreditTransaction[]> {
  return rpc('get_user_transactions_by_jwt', { page_size: TRANSACTIONS_PAGE_SIZE, page_number: page }, options);
}

export function transactionsQuery(userId: string | undefined, page: number) {
  return queryOptions({
    queryKey: ['transactions', userId, page],
    queryFn: ({ signal }) => getUserTransactions(page, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** One page of the signed-in fan's transactions; shows the page before it while it loads. */
export function useTransactions(page: number) {
  const { user } = useViewer();
  return useQuery({ ...transactionsQuery(user?.id, page), enabled: user !== null });
}
