import { useIsCreator } from '../../features/identity/api/check-creator.js';
import { useOwnRoles } from '../../features/identity/api/get-own-roles.js';
import { accountLinks, type MenuLink } from './menu-items.js';

/** The menu items of the signed-in person. Those of roles appear once the server has confirmed the role. */
export function useAccountLinks(): readonly MenuLink[] {
  const { data: roles = [] } = useOwnRoles();
  const { data: creator = false } = useIsCreator();
  return accountLinks.filter(
    ({ only }) => only?.some((role) => (role === 'creator' ? creator : roles.includes(role))) ?? true,
  );
}
