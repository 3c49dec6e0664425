import { queryOptions, useQuery } from '@tanstack/react-query';
import { rpc, type RpcOptions } from '../../../lib/api.js';
import { useViewer } from '../../../lib/auth.js';
import { frameFirst } from '../../../lib/frame.js';

/** Whether the signed-in person is an admin. */
export function checkAdmin(options: RpcOptions = {}): Promise<boolean> {
  return rpc('check_admin_by_jwt', {}, options);
}

export function adminQuery(userId: string | undefined) {
  return queryOptions({
    queryKey: ['admin', userId],
    queryFn: ({ signal }) => frameFirst('check_admin_by_jwt', () => checkAdmin({ signal })),
    staleTime: 5 * 60_000,
  });
}

/** Whether the signed-in person is an admin; idle for visitors. */
export function useIsAdmin() {
  const { user } = useViewer();
  return useQuery({ ...adminQuery(user?.id), enabled: user !== null });
}
