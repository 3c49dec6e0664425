import { queryOptions, useQuery } from '@tanstack/react-query';
import type { CreditBundle } from '../../../../../src/contract/payments.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';

/** The bundles that are for sale. */
export function getCreditBundles(options: RpcOptions = {}): Promise<CreditBundle[]> {
  return rpc('get_credit_bundles', {}, options);
}

export const creditBundlesQuery = queryOptions({
  queryKey: ['bundles'],
  queryFn: ({ signal }) => getCreditBundles({ signal }),
  staleTime: 5 * 60_000,
});

/** The bundles that are for sale. */
export function useCreditBundles() {
  return useQuery(creditBundlesQuery);
}
