import { Navigate, Outlet } from 'react-router-dom';
import { PageFallback } from '../components/page-fallback.js';
import { ErrorState } from '../components/states.js';
import { ApiError } from '../lib/api.js';

interface RoleOnlyProps {
  /** Whether the server says that this person has the role; undefined while it has not answered. */
  readonly allowed: boolean | undefined;
  readonly error: Error | null;
  readonly retrying: boolean;
  readonly onRetry: () => void;
}

/**
 * Renders the pages of an area for people with its role and sends all others to /. A check that the rate limit refuses
 * says nothing about the role, so it can be repeated.
 */
export function RoleOnly({ allowed, error, retrying, onRetry }: RoleOnlyProps): React.ReactNode {
  if (allowed) return <Outlet />;
  if (error instanceof ApiError && error.status === 429) {
    return (
      <main id="main" className="wrap py-16">
        <ErrorState title="Rate limit exceeded." retrying={retrying} onRetry={onRetry}>
          Please try again in a moment.
        </ErrorState>
      </main>
    );
  }
  return allowed === false || error ? <Navigate to="/" replace /> : <PageFallback />;
}
