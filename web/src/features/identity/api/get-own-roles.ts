import { queryOptions, useQuery } from '@tanstack/react-query';
import { rpc } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { frameFirst } from '../../../lib/frame.js';

export function ownRolesQuery(userId: string | undefined) {
  return queryOptions({
    queryKey: ['own-roles', userId],
    queryFn: ({ signal }) => frameFirst('get_own_roles_by_jwt', () => rpc('get_own_roles_by_jwt', {}, { signal })),
    staleTime: 5 * 60_000,
  });
}

/** The roles of the signed-in person; idle for visitors. */
export function useOwnRoles() {
  const { user } = useViewer();
  return useQuery({ ...ownRolesQuery(user?.id), enabled: user !== null });
}
