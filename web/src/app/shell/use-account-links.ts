import { useIsAdmin } from '../../features/identity/api/check-admin.js';
import { accountLinks, type MenuLink } from './menu-items.js';

const forAdmins = accountLinks.some(({ only }) => only === 'admin');

/** The menu items of the signed-in person. Admin items appear once the server has confirmed the role. */
export function useAccountLinks(): readonly MenuLink[] {
  const { data: admin = false } = useIsAdmin({ enabled: forAdmins });
  return accountLinks.filter(({ only }) => only === undefined || admin);
}
