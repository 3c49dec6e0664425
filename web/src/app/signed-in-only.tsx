import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { useRequiredIdentity, useViewer } from '../lib/auth.js';
import { PageFallback } from '../components/page-fallback.js';
import type { ReturnState } from '../features/identity/return-to.js';

/** Renders its pages for signed-in people. Redirects visitors to /sign-in, which returns them with their state. */
export function SignedInOnly(): React.ReactNode {
  const { status } = useViewer();
  const location = useLocation();
  useRequiredIdentity();
  if (status === 'loading') return <PageFallback />;
  if (status === 'signed-in') return <Outlet />;
  const state: ReturnState = {
    returnTo: location.pathname + location.search,
    previousState: location.state as unknown,
  };
  return <Navigate to="/sign-in" replace state={state} />;
}
