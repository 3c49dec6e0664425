import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PublicCreator } from '../../../../../src/contract/gallery.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';

/** All public creators. */
export function getPublicCreators(options: RpcOptions = {}): Promise<PublicCreator[]> {
  return rpc('get_public_creators', {}, { ...options, auth: false });
}

/** Shared by the home page, the search and the names in other lists. */
export const publicCreatorsQuery = queryOptions({
  queryKey: ['creators'],
  queryFn: ({ signal }) => getPublicCreators({ signal }),
  staleTime: 60_000,
});

/** All public creators. */
export function usePublicCreators({ enabled = true }: { enabled?: boolean } = {}) {
  return useQuery({ ...publicCreatorsQuery, enabled });
}
