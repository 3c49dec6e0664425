import { useOwnRoles } from '../features/identity/api/get-own-roles.js';
import { RoleOnly } from './role-only.js';

/** Renders its pages for auditors and sends all others to /. */
export function AuditorOnly(): React.ReactNode {
  const { data, error, isFetching, refetch } = useOwnRoles();
  return (
    <RoleOnly allowed={data?.includes('auditor')} error={error} retrying={isFetching} onRetry={() => void refetch()} />
  );
}
