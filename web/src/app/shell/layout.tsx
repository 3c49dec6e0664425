import { lazy, Suspense, useEffect } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useViewer } from '../../lib/auth.js';
import { cx } from '../../lib/cx.js';
import { useOfflineSaid } from '../../lib/offline-said.js';
import { useOnline } from '../../lib/use-online.js';
import { useTopOnPathChange } from '../../lib/use-top-on-path-change.js';
import { SKIP_LINKS_ID, SkipLink } from '../../components/skip-link.js';
import { toast } from '../../components/toast.js';
import { Footer } from './footer.js';
import { Header } from './header.js';
import { PromoBanner } from './promo-banner.js';
import { hasTopPadding } from './top-padding.js';

/** Loaded for signed-in persons only. Optional: a failure to load it must not break the page. */
const SignedInExtras = lazy(() =>
  import('./signed-in-extras.js').catch((error: unknown) => {
    console.warn('Daily credits are not asked for, and finished images are not announced on other pages', error);
    return { default: () => null };
  }),
);

/** The frame of every page: promo, header, main, footer. */
export function Layout(): React.ReactNode {
  const { pathname } = useLocation();
  const { user } = useViewer();
  useTopOnPathChange(pathname);
  useOfflineNotice();

  return (
    <div className="flex min-h-svh flex-col">
      <SkipLink />
      <div id={SKIP_LINKS_ID} />
      {hasOffer(pathname) && <PromoBanner />}
      <Header />
      <main id="main" tabIndex={-1} className={cx('flex-1 outline-none', hasTopPadding(pathname) && 'pt-3 sm:pt-6')}>
        <Outlet />
      </main>
      <Footer />
      {user && (
        <Suspense>
          <SignedInExtras userId={user.id} />
        </Suspense>
      )}
    </div>
  );
}

/**
 * A returning person gets no second bonus. The forms themselves do without: the offer would disappear with the sign-up,
 * and the page would move.
 */
function hasOffer(pathname: string): boolean {
  return !/^\/(?:closed-account|sign-in|sign-up|oauth)(?:\/|$)/.test(pathname);
}

/** Shows a message while the browser is offline, unless the page itself says so. */
function useOfflineNotice(): void {
  const offline = !useOnline();
  const said = useOfflineSaid();
  useEffect(() => {
    if (!offline || said) return undefined;
    return toast({
      kind: 'error',
      title: 'You are offline.',
      description: 'This page goes on once the connection is back.',
    });
  }, [offline, said]);
}
