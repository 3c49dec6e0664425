import { type Role } from '../roles.js';
import { type NoParameters } from '../scalars.js';

export interface IdentityCalls {
  /** Whether the caller is an admin. False for visitors. */
  check_admin_by_jwt: { request: NoParameters; response: boolean };
  /** The roles of the caller, which decide the areas that the menu shows. Empty for visitors. */
  get_own_roles_by_jwt: { request: NoParameters; response: readonly Role[] };
}
