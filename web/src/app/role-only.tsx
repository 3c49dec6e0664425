import { Navigate, Outlet } from 'react-router-dom';
import { PageFallback } from '../components/page-fallback.js';
import { QueryProblem, type RepeatableQuery } from '../components/states.js';
import { ApiError } from '../lib/api.js';

interface RoleOnlyProps {
  /** Whether the server says that this person has the role; undefined while it has not answered. */
  readonly allowed: boolean | undefined;
  /** Asks the server. */
  readonly query: RepeatableQuery;
}

/**
 * Renders the pages of an area for people with its role and sends all others to /. A check that the rate limit refuses
 * says nothing about the role, so it can be repeated.
 */
export function RoleOnly({ allowed, query }: RoleOnlyProps): React.ReactNode {
  if (allowed) return <Outlet />;
  if (query.error instanceof ApiError && query.error.status === 429) {
    return (
      <main id="main" className="wrap py-16">
        <QueryProblem title="Rate limit exceeded." query={query}>
          Please try again in a moment.
        </QueryProblem>
      </main>
    );
  }
  return allowed === false || query.error ? <Navigate to="/" replace /> : <PageFallback />;
}
