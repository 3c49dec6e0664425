import { Navigate, Outlet } from 'react-router-dom';
import { PageFallback } from '../components/page-fallback.js';
import { useIsAdmin } from '../features/identity/api/check-admin.js';

/** Renders its pages for admins and sends all others to / (creator and admin spec, section 2). */
export function AdminOnly(): React.ReactNode {
  const { data: admin, isError } = useIsAdmin();
  if (admin) return <Outlet />;
  return admin === false || isError ? <Navigate to="/" replace /> : <PageFallback />;
}
