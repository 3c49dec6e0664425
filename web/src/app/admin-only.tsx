import { Navigate, Outlet } from 'react-router-dom';
import { PageFallback } from '../components/page-fallback.js';
import { ErrorState } from '../components/states.js';
import { useIsAdmin } from '../features/identity/api/check-admin.js';
import { ApiError } from '../lib/api.js';

/**
 * Renders its pages for admins and sends all others to / (creator and admin spec, section 2). A check that the rate
 * limit refuses says nothing about the role, so it can be repeated.
 */
export function AdminOnly(): React.ReactNode {
  const { data: admin, error, isFetching, refetch } = useIsAdmin();
  if (admin) return <Outlet />;
  if (error instanceof ApiError && error.status === 429) {
    return (
      <main id="main" className="wrap py-16">
        <ErrorState title="Rate limit exceeded." retrying={isFetching} onRetry={() => void refetch()}>
          Please try again in a moment.
        </ErrorState>
      </main>
    );
  }
  return admin === false || error ? <Navigate to="/" replace /> : <PageFallback />;
}
