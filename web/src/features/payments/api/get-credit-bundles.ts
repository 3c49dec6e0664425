import { useQuery } from '@tanstack/react-query';
import { rpc } from '../../../lib/api.js';

/** The bundles that are for sale. */
export function useCreditBundles() {
  return useQuery({
    queryKey: ['bundles'],
    queryFn: ({ signal }) => rpc('get_credit_bundles', {}, { signal }),
    staleTime: 5 * 60_000,
  });
}
