import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Purchase } from '../../../../../src/contract/payments.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { queryClient } from '../../../lib/query.js';

/** The fan's latest purchases, newest first. */
export function getUserPurchases(limit: number, options: RpcOptions = {}): Promise<Purchase[]> {
  return rpc('get_user_purchases_by_jwt', { p_limit: limit }, options);
}

export function purchasesQuery(userId: string | undefined, limit: number) {
  return queryOptions({
    queryKey: ['purchases', userId, limit],
    queryFn: ({ signal }) => getUserPurchases(limit, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The signed-in fan's latest purchases; shows the shorter list while a longer one loads. */
export function usePurchases(limit: number) {
  const { user } = useViewer();
  return useQuery({ ...purchasesQuery(user?.id, limit), enabled: user !== null });
}

/** Fetches the purchases again after a payment. */
export function refreshPurchases(): void {
  void queryClient.invalidateQueries({ queryKey: ['purchases'] });
}
