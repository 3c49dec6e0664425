import { queryOptions, useQuery } from '@tanstack/react-query';
import { rpc } from '../../../lib/api.js';

/** Shared by the home page, the search and the names in other lists. */
export const publicCreatorsQuery = queryOptions({
  queryKey: ['creators'],
  queryFn: ({ signal }) => rpc('get_public_creators', {}, { signal, auth: false }),
  staleTime: 60_000,
});

/** All public creators. */
export function usePublicCreators({ enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({ ...publicCreatorsQuery, enabled });
}
