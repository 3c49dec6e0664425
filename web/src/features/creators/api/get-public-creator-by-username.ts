import { queryOptions, useQuery } from '@tanstack/react-query';
import { rpc } from '../../../lib/api.js';

/** One creator by username, archived ones too; null when there is none. */
export function publicCreatorQuery(username: string) {
  return queryOptions({
    queryKey: ['creator', username.toLowerCase()],
    queryFn: ({ signal }) => rpc('get_public_creator_by_username', { p_username: username }, { signal, auth: false }),
    staleTime: 60_000,
  });
}

/** One creator by username; null when there is none. */
export function usePublicCreator(username: string) {
  return useQuery(publicCreatorQuery(username));
}
