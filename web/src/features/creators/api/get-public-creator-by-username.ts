import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PublicCreator } from '../../../../../src/contract/gallery.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';

/** One creator, archived ones too; null when the username is unknown. */
export function getPublicCreatorByUsername(username: string, options: RpcOptions = {}): Promise<PublicCreator | null> {
  return rpc('get_public_creator_by_username', { p_username: username }, { ...options, auth: false });
}

export function publicCreatorQuery(username: string) {
  return queryOptions({
    queryKey: ['creator', username.toLowerCase()],
    queryFn: ({ signal }) => getPublicCreatorByUsername(username, { signal }),
    staleTime: 60_000,
  });
}

/** One creator by username; null when there is none. */
export function usePublicCreator(username: string) {
  return useQuery(publicCreatorQuery(username));
}
