import { lazy, Suspense, type ComponentType } from 'react';
import { matchPath, Outlet, useLocation, type RouteObject } from 'react-router-dom';
import { PageFallback } from '../components/page-fallback.js';
import { isChunkFailure } from './chunk-reload.js';
import { withChunkTimeout } from './chunk-timeout.js';
import { NotFoundPage } from './not-found-page.js';
import { PageBoundary } from './page-boundary.js';
import type { PageCode } from './page-code.js';

/** A page of a work area. Its code is a chunk of its own. */
export interface AreaPage {
  readonly path: string;
  readonly load: () => Promise<{ default: ComponentType }>;
}

/** The routes of an area below its root, such as `/admin`. An unknown path is "not found" inside the frame. */
export function areaRoutes(root: string, pages: readonly AreaPage[]): RouteObject[] {
  return [
    ...pages.map(({ path, load }) => ({
      path: path.slice(root.length).replace(/^\//, ''),
      Component: lazy(() => withChunkTimeout(load())),
    })),
    { path: '*', Component: Missing },
  ];
}

/** The code of an area's pages, loaded before the navigation to one, so that the page of before stays until then. */
export function areaCode(pages: readonly AreaPage[]): PageCode {
  const loaded = new Set<AreaPage>();
  const pageAt = (pathname: string): AreaPage | undefined => pages.find(({ path }) => matchPath(path, pathname));
  return {
    isThere: (pathname) => {
      const page = pageAt(pathname);
      return page === undefined || loaded.has(page);
    },
    load: async (pathname) => {
      const page = pageAt(pathname);
      if (!page) return;
      try {
        await withChunkTimeout(page.load());
      } catch (error) {
        if (isChunkFailure(error)) throw error;
        // The frame of the area stays, and shows the error of its page.
      }
      loaded.add(page);
    },
  };
}

/** The page of the address, with its loading and failed states. */
export function AreaOutlet(): React.ReactNode {
  const { pathname } = useLocation();
  return (
    <Suspense fallback={<PageFallback />}>
      <PageBoundary at={pathname}>
        <Outlet />
      </PageBoundary>
    </Suspense>
  );
}

function Missing(): React.ReactNode {
  return (
    <main id="main" tabIndex={-1} className="flex-1 outline-none">
      <NotFoundPage />
    </main>
  );
}
