import { useIsAdmin } from '../features/identity/api/check-admin.js';
import { RoleOnly } from './role-only.js';

/** Renders its pages for admins and sends all others to / (creator and admin spec, section 2). */
export function AdminOnly(): React.ReactNode {
  const query = useIsAdmin();
  return <RoleOnly allowed={query.data} query={query} />;
}
