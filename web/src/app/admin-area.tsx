import { Menu as MenuIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Outlet, useLocation, useRoutes } from 'react-router-dom';
import { IconButton } from '../components/button.js';
import { PageFallback } from '../components/page-fallback.js';
import { AdminLayout } from '../features/admin/shell/admin-layout.js';
import { adminPages, hasAdminPage } from './admin-pages.js';
import { withChunkTimeout } from './chunk-timeout.js';
import { NotFoundPage } from './not-found-page.js';
import { PageBoundary } from './page-boundary.js';
import { AvatarMenu } from './shell/account-cluster.js';
import MobileMenu from './shell/mobile-menu.js';
import { useAccountLinks } from './shell/use-account-links.js';

const ROOT = '/admin';

const children = [
  ...adminPages.map(({ path, load }) => ({
    path: path.slice(ROOT.length).replace(/^\//, ''),
    Component: lazy(() => withChunkTimeout(load())),
  })),
  { path: '*', Component: Missing },
];

/** The admin area: its frame and its pages. Rendered below the guard only. */
export default function AdminArea(): React.ReactNode {
  return useRoutes([{ Component: Frame, children }]);
}

function Frame(): React.ReactNode {
  const { pathname } = useLocation();
  const areas = useAccountLinks().filter(({ only }) => only === 'creator');
  return (
    <AdminLayout hasPage={hasAdminPage} otherAreas={[{ to: '/', label: 'Fanvas' }, ...areas]} account={<Account />}>
      <Suspense fallback={<PageFallback />}>
        <PageBoundary at={pathname}>
          <Outlet />
        </PageBoundary>
      </Suspense>
    </AdminLayout>
  );
}

/** The avatar menu; on phones a button that opens the slide-out menu. */
function Account(): React.ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <AvatarMenu />
      <IconButton
        label="Menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        className="-mr-[10px] sm:hidden"
        onClick={() => setOpen(true)}
      >
        <MenuIcon className="size-5" />
      </IconButton>
      <MobileMenu open={open} onOpenChange={setOpen} />
    </>
  );
}

function Missing(): React.ReactNode {
  return (
    <main id="main" tabIndex={-1} className="flex-1 outline-none">
      <NotFoundPage />
    </main>
  );
}
