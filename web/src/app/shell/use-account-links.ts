import { useIsAdmin } from '../../features/identity/api/check-admin.js';
import { useIsCreator } from '../../features/identity/api/check-creator.js';
import { accountLinks, type MenuLink } from './menu-items.js';

const forAdmins = accountLinks.some(({ only }) => only === 'admin');

/** The menu items of the signed-in person. Those of roles appear once the server has confirmed the role. */
export function useAccountLinks(): readonly MenuLink[] {
  const { data: admin = false } = useIsAdmin({ enabled: forAdmins });
  const { data: creator = false } = useIsCreator();
  const roles = { admin, creator };
  return accountLinks.filter(({ only }) => only === undefined || roles[only]);
}
