import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { PublicCreator } from '../../../../src/creators/wire.js';
import { rpc } from '../../lib/api.js';

/** A creator by username, archived ones too; null when there is none. Public, so it waits for nobody. */
export function useCreator(username: string): UseQueryResult<PublicCreator | null> {
  return useQuery({
    queryKey: ['creator', username],
    queryFn: ({ signal }) =>
      rpc<PublicCreator | null>('get_public_creator_by_username', { p_username: username }, { auth: false, signal }),
  });
}
