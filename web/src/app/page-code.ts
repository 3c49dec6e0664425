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
 * Called when code could not be loaded while another page is shown, which stays meanwhile. Resolves to true when the
 * code is to be asked for again, and to false to show the error in place of the page, also when the signal ends: the
 * person goes elsewhere.
 */
export type OnMissingCode = (error: unknown, href: string, signal: AbortSignal) => Promise<boolean>;

let onMissingCode: OnMissingCode | null = null;

/** From now on a page is shown that can stay. Null: from now on there is none. */
export function setOnMissingCode(listener: OnMissingCode | null): void {
  onMissingCode = listener;
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
    loader: async ({ request }) => {
      const { pathname, search, hash } = new URL(request.url);
      for (;;) {
        try {
          if (!code.isThere(pathname)) await code.load(pathname);
          return null;
        } catch (error) {
          const again = await onMissingCode?.(error, pathname + search + hash, request.signal);
          if (!again) throw error;
        }
      }
    },
    shouldRevalidate: ({ nextUrl }) => !code.isThere(nextUrl.pathname),
  };
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
