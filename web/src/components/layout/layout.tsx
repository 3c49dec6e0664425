import { Suspense, useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { ErrorBoundary } from '../../app/error-boundary.js';
import { useViewer } from '../../lib/auth.js';
import { askForDailyGrant } from '../../lib/daily-grant.js';
import { Footer } from './footer.js';
import { Header } from './header.js';
import { PageFallback } from './page-fallback.js';
import { PromoBanner } from './promo-banner.js';

/** The frame of every page: promo, header, main, footer. */
export function Layout(): React.ReactNode {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  useTopOnPathChange(pathname, main);
  useDailyGrant(pathname);

  return (
    <div className="flex min-h-svh flex-col">
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
        className="sr-only z-(--z-toast) rounded-ctl bg-inverse px-4 py-2 text-14 font-[600] text-on-inverse focus:not-sr-only focus:fixed focus:left-4 focus:top-4"
      >
        Skip to content
      </a>
      <PromoBanner />
      <Header />
      <main id="main" ref={main} tabIndex={-1} className="flex-1 outline-none">
        <ErrorBoundary resetKey={pathname}>
          <Suspense fallback={<PageFallback />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
    </div>
  );
}

/** A new path starts at its top, for the eye and for the keyboard. */
function useTopOnPathChange(pathname: string, main: React.RefObject<HTMLElement | null>): void {
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    window.scrollTo(0, 0);
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
}

/** On each route change, for those who are signed in; the rule itself keeps it to once a day. */
function useDailyGrant(pathname: string): void {
  const { user } = useViewer();
  const userId = user?.id;
  useEffect(() => {
    if (userId) void askForDailyGrant(userId);
  }, [userId, pathname]);
}
