import { BrowserRouter, Navigate, Outlet, useLocation, useParams, useRoutes, type RouteObject } from 'react-router-dom';
import { Layout } from './shell/layout.js';
import { AuthHost } from '../features/identity/components/auth-host.js';
import { ErrorBoundary } from './error-boundary.js';
import { NotFoundPage } from './not-found-page.js';
import { isReservedSegment, withoutAt } from './reserved.js';
import { creatorPages, pages, type PageRoute } from './routes.js';
import { SignedInOnly } from './signed-in-only.js';

function toRoute({ path, Component, signedIn }: PageRoute): RouteObject {
  const element = <Component />;
  return { path, element: signedIn ? <SignedInOnly>{element}</SignedInOnly> : element };
}

/**
 * A path of the product that has no page is "not found", not a creator who does not exist. Names are written with an @
 * everywhere, so an address with one leads to the address without.
 */
function UsernameGate(): React.ReactNode {
  const { username = '' } = useParams();
  const { pathname, search } = useLocation();
  const bare = withoutAt(pathname);
  if (bare !== null) return <Navigate to={bare + search} replace />;
  return isReservedSegment(username) ? <NotFoundPage /> : <Outlet />;
}

const table: RouteObject[] = [
  {
    element: <Layout />,
    children: [
      ...pages.map(toRoute),
      { element: <UsernameGate />, children: creatorPages.map(toRoute) },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
];

function Pages(): React.ReactNode {
  return useRoutes(table);
}

/** The declarative router: the one with loaders and actions weighs 16 kB (gzip) more, and none of it is used here. */
export function Router(): React.ReactNode {
  return (
    <BrowserRouter>
      <ErrorBoundary>
        <Pages />
      </ErrorBoundary>
      <AuthHost />
    </BrowserRouter>
  );
}
