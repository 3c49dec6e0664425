import { useQuery } from '@tanstack/react-query';
import { rpc } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { frameFirst } from '../../../lib/frame.js';

/** Whether the signed-in person is an admin; idle for visitors. */
export function useIsAdmin() {
  const { user } = useViewer();
  return useQuery({
    queryKey: ['admin', user?.id],
    queryFn: ({ signal }) => frameFirst('check_admin_by_jwt', () => rpc('check_admin_by_jwt', {}, { signal })),
    enabled: user !== null,
    staleTime: 5 * 60_000,
  });
}
