import { createBrowserRouter, Outlet, useParams, type RouteObject } from 'react-router-dom';
import { Layout } from '../components/layout/layout.js';
import { ErrorScreen } from './error-screen.js';
import { NotFoundPage } from './not-found-page.js';
import { isReservedSegment } from './reserved.js';
import { SignedInOnly } from './signed-in-only.js';
import { creatorPages, pages, type PageRoute } from './routes.js';

function toRoute({ path, Component, signedIn }: PageRoute): RouteObject {
  const element = <Component />;
  return { path, element: signedIn ? <SignedInOnly>{element}</SignedInOnly> : element };
}

/** A path of the product that has no page is "not found", not a creator who does not exist. */
function UsernameGate(): React.ReactNode {
  const { username = '' } = useParams();
  return isReservedSegment(username) ? <NotFoundPage /> : <Outlet />;
}

export const router = createBrowserRouter([
  {
    element: <Layout />,
    errorElement: <ErrorScreen />,
    children: [
      {
        errorElement: <ErrorScreen inLayout />,
        children: [
          ...pages.map(toRoute),
          { element: <UsernameGate />, children: creatorPages.map(toRoute) },
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
]);
