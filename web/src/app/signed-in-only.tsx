import { Navigate, useLocation } from 'react-router-dom';
import { useViewer } from '../lib/auth.js';
import { PageFallback } from '../components/page-fallback.js';
import type { ReturnState } from '../features/identity/return-to.js';

/** Shows its page to those who are signed in; sends others to /sign-in, from where they come back with their state. */
export function SignedInOnly({ children }: { children: React.ReactNode }): React.ReactNode {
  const { status } = useViewer();
  const location = useLocation();
  if (status === 'loading') return <PageFallback />;
  if (status === 'signed-in') return children;
  const state: ReturnState = {
    returnTo: location.pathname + location.search,
    previousState: location.state as unknown,
  };
  return <Navigate to="/sign-in" replace state={state} />;
}
