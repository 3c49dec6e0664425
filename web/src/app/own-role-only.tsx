import type { Role } from '../../../src/contract/roles.js';
import { useOwnRoles } from '../features/identity/api/get-own-roles.js';
import { RoleOnly } from './role-only.js';

/** Renders its pages for auditors and sends all others to /. */
export const AuditorOnly = onlyFor('auditor');
/** Renders its pages for finance and admins, as the calls of the books do, and sends all others to /. */
export const FinanceOnly = onlyFor('finance', 'admin');

/** A guard for people with one of these roles. */
function onlyFor(...roles: readonly Role[]): () => React.ReactNode {
  return function OwnRoleOnly() {
    const query = useOwnRoles();
    return <RoleOnly allowed={query.data?.some((role) => roles.includes(role))} query={query} />;
  };
}
