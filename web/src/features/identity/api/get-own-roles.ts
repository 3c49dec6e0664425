import { useQuery } from '@tanstack/react-query';
import { rpc } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { frameFirst } from '../../../lib/frame.js';

/** The roles of the signed-in person; idle for visitors. */
export function useOwnRoles() {
  const { user } = useViewer();
  return useQuery({
    queryKey: ['own-roles', user?.id],
    queryFn: ({ signal }) => frameFirst('get_own_roles_by_jwt', () => rpc('get_own_roles_by_jwt', {}, { signal })),
    enabled: user !== null,
    staleTime: 5 * 60_000,
  });
}
