import type { createBrowserRouter, RouteObject } from 'react-router-dom';
import { PageFallback } from '../components/page-fallback.js';

/** The router of the pages, in the browser and on the server. */
export type PageRouter = ReturnType<typeof createBrowserRouter>;

/** The code that a route needs before it is shown. */
export interface PageCode {
  /** Whether the code for this path is there, so that `load` is not needed. */
  readonly isThere: (pathname: string) => boolean;
  readonly load: (pathname: string) => Promise<unknown>;
}

/**
 * Called when the code of the next page could not be loaded. Returns true when the page that is shown stays: it has
 * begun another navigation, to that page. False: the error takes the place of the page.
 */
export type KeepsPage = (error: unknown) => boolean;

let keepsPage: KeepsPage | null = null;

/** From now on a page is shown that can stay. Null: from now on there is none. */
export function setKeepsPage(listener: KeepsPage | null): void {
  keepsPage = listener;
}

/**
 * A route whose code is loaded before the navigation to it is committed. React Router's `lazy` keeps a failure for as
 * long as the page lives, so a loader does it.
 */
export function withCode(route: RouteObject, code: PageCode): RouteObject {
  return {
    ...route,
    // On the first load there is no page before it.
    HydrateFallback: PageFallback,
    loader: async ({ request: { signal }, url: { pathname } }) => {
      if (code.isThere(pathname)) return null;
      try {
        await code.load(pathname);
        return null;
      } catch (error) {
        // A step back in the history begins later.
        if (!signal.aborted && keepsPage?.(error)) await ended(signal);
        throw error;
      }
    },
    shouldRevalidate: ({ nextUrl }) => !code.isThere(nextUrl.pathname),
  };
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}

/** Resolves when the code of the first page is loaded, or cannot be. */
export function whenInitialized(router: PageRouter): Promise<void> {
  if (router.state.initialized) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}
