import { type NoParameters } from './scalars.js';

export interface IdentityCalls {
  /** Whether the caller is an admin. False for visitors. */
  check_admin_by_jwt: { request: NoParameters; response: boolean };
}
