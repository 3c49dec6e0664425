import { useOwnRoles } from '../features/identity/api/get-own-roles.js';
import { RoleOnly } from './role-only.js';

/** Renders its pages for finance and admins, as the calls of the books do, and sends all others to /. */
export function FinanceOnly(): React.ReactNode {
  const { data, error, isFetching, refetch } = useOwnRoles();
  const allowed = data?.some((role) => role === 'finance' || role === 'admin');
  return <RoleOnly allowed={allowed} error={error} retrying={isFetching} onRetry={() => void refetch()} />;
}
