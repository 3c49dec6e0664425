import { type ComponentType, lazy, Suspense } from 'react';
import { Navigate, Outlet, useLocation, useParams, useRouteError, type RouteObject } from 'react-router-dom';
import { isReservedSegment, withoutAt } from '../../../src/contract/paths.js';
import { PageFallback } from '../components/page-fallback.js';
import { AuthHost } from '../features/identity/components/auth-host.js';
import { withChunkTimeout } from './chunk-timeout.js';
import { AdminOnly } from './admin-only.js';
import { ErrorScreen } from './error-screen.js';
import { NotFoundPage } from './not-found-page.js';
import { AuditorOnly, FinanceOnly } from './own-role-only.js';
import { type PageCode, withCode } from './page-code.js';
import { creatorPages, pages, type PageRoute } from './pages.js';
import { Layout } from './shell/layout.js';
import { SignedInOnly } from './signed-in-only.js';

/** The identity SDK runs next to the pages, so that a broken page does not end the session. */
function Root(): React.ReactNode {
  return (
    <>
      <Outlet />
      <AuthHost />
    </>
  );
}

/** Shown in place of a route that could not be rendered, or whose code could not be loaded. */
function RouteError(): React.ReactNode {
  return <ErrorScreen error={useRouteError()} />;
}

/** A reserved path without a page is "not found", not an unknown creator. An address with an @ redirects. */
function UsernameGate(): React.ReactNode {
  const { username = '' } = useParams();
  const { pathname, search } = useLocation();
  const bare = withoutAt(pathname);
  if (bare !== null) return <Navigate to={bare + search} replace />;
  return isReservedSegment(username) ? <NotFoundPage /> : <Outlet />;
}

function toRoute({ path, load, access }: PageRoute): RouteObject {
  let Page: ComponentType | null = null;
  const code: PageCode = {
    isThere: () => Page !== null,
    load: async () => {
      Page = (await withChunkTimeout(load())).default;
    },
  };
  const page = withCode({ path, Component: () => Page && <Page /> }, code);
  return access === undefined ? page : { Component: SignedInOnly, children: [page] };
}

const GUARDS = { admin: AdminOnly, auditor: AuditorOnly, finance: FinanceOnly } as const;

type AreaRoute = PageRoute & { readonly access: keyof typeof GUARDS };

function isArea(page: PageRoute): page is AreaRoute {
  return page.access !== undefined && page.access in GUARDS;
}

/** An area for a role. Its own code is requested when the guard renders it, that of its pages before a navigation. */
export function toAreaRoute({ path, load, access }: AreaRoute): RouteObject {
  let ofPages: PageCode | undefined;
  const Area = lazy(async () => {
    const area = await withChunkTimeout(load());
    ofPages = area.code;
    return area;
  });
  const code: PageCode = {
    isThere: (pathname) => ofPages?.isThere(pathname) ?? true,
    load: async (pathname) => ofPages?.load(pathname),
  };
  const element = (
    <Suspense fallback={<PageFallback />}>
      <Area />
    </Suspense>
  );
  return {
    Component: SignedInOnly,
    children: [{ Component: GUARDS[access], children: [withCode({ path, element }, code)] }],
  };
}

const areas = pages.filter(isArea);
const ofAll = pages.filter((page) => !isArea(page));

/** The route table of the app. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    children: [
      {
        Component: Layout,
        ErrorBoundary: RouteError,
        children: [
          {
            ErrorBoundary: RouteError,
            children: [
              ...ofAll.map(toRoute),
              { Component: UsernameGate, children: creatorPages.map(toRoute) },
              { path: '*', Component: NotFoundPage },
            ],
          },
        ],
      },
      // With a frame of its own.
      { ErrorBoundary: RouteError, children: areas.map(toAreaRoute) },
    ],
  },
];
