import { useQuery } from '@tanstack/react-query';
import { rpc } from '../../lib/api.js';
import { useViewer } from '../../lib/auth.js';
import { accountLinks, type MenuLink } from './menu-items.js';

const forAdmins = accountLinks.some(({ only }) => only === 'admin');

/** The menu items of the signed-in person; the admin ones once the server has said so. */
export function useAccountLinks(): readonly MenuLink[] {
  const { user } = useViewer();
  const { data: admin = false } = useQuery({
    queryKey: ['admin', user?.id],
    queryFn: ({ signal }) => rpc<boolean>('check_admin_by_jwt', {}, { signal }),
    enabled: forAdmins && user !== null,
    staleTime: 5 * 60_000,
  });
  return accountLinks.filter(({ only }) => only === undefined || admin);
}
