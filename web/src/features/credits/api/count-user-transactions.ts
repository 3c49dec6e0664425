import { queryOptions, useQuery } from '@tanstack/react-query';
import { rpc, type RpcOptions } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';

/** How many transactions the fan has in all. */
export function countUserTransactions(options: RpcOptions = {}): Promise<number> {
  return rpc('count_user_transactions_by_jwt', {}, options);
}

export function transactionCountQuery(userId: string | undefined) {
  return queryOptions({
    queryKey: ['transactions', userId, 'count'],
    queryFn: ({ signal }) => countUserTransactions({ signal }),
  });
}

/** How many transactions the signed-in fan has in all. */
export function useTransactionCount() {
  const { user } = useViewer();
  return useQuery({ ...transactionCountQuery(user?.id), enabled: user !== null });
}
