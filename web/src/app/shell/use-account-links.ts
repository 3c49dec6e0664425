import { useIsCreator } from '../../features/identity/api/check-creator.js';
import { useOwnRoles } from '../../features/identity/api/get-own-roles.js';
import { accountLinks, type MenuLink } from './menu-items.js';

/** The menu items of the signed-in person. Those of some people appear once the server has confirmed who they are. */
export function useAccountLinks(): readonly MenuLink[] {
  const { data: roles = [] } = useOwnRoles();
  const { data: creator } = useIsCreator();
  const people = new Set<string>([...roles, ...(creator === undefined ? [] : [creator ? 'creator' : 'not a creator'])]);
  return accountLinks.filter(({ only }) => only?.some((person) => people.has(person)) ?? true);
}
