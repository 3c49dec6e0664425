import { Menu as MenuIcon, Search as SearchIcon, X } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useViewer } from '../../lib/auth.js';
import { useCode } from '../../lib/use-code.js';
import { ButtonLink, IconButton } from '../../components/button.js';
import { LogoMark } from '../../components/icons.js';
import { toast } from '../../components/toast.js';
import { Skeleton } from '../../components/skeleton.js';
import { CreatorSearch } from '../../features/creators/components/creator-search.js';
import { useWayBack } from '../../lib/way-back.js';

// Needed only after a sign-in or for the open menu: not part of the landing page.
const loadAccount = async () => (await import('./account-cluster.js')).default;
const loadMenu = () => import('./mobile-menu.js');
const MobileMenu = lazy(loadMenu);

export function Header(): React.ReactNode {
  const { pathname } = useLocation();
  // Path on which search or menu was opened. A navigation closes them.
  const [searchAt, setSearchAt] = useState<string | null>(null);
  const [menuAt, setMenuAt] = useState<string | null | undefined>(undefined);
  const searchButton = useRef<HTMLButtonElement>(null);
  const searching = searchAt === pathname;
  const menuOpen = menuAt === pathname;
  const openMenu = async (): Promise<void> => {
    try {
      // Loaded before it is rendered, because a failure during rendering would break the page.
      await loadMenu();
    } catch (error) {
      console.warn('The menu could not be loaded', error);
      toast({ title: 'The menu could not be loaded.', description: 'Please check your connection.' });
      return;
    }
    setMenuAt(pathname);
  };

  return (
    <header className="@container sticky top-0 z-(--z-header) bg-bg">
      <div className="wrap relative flex h-[max(56px,3rem)] items-center gap-[8px] sm:h-16">
        <Link
          to="/"
          aria-label="Fanvas, home"
          className="flex min-w-0 items-center gap-[8px] overflow-hidden rounded-ctl sm:mr-7 sm:shrink-0"
        >
          <LogoMark className="size-[24px] shrink-0" />
          <span className="display-sm text-[26px] sm:text-[27px]">Fanvas</span>
        </Link>

        {/* At a large text size the box has no room next to the logo. */}
        <div className="hidden w-[300px] sm:@min-[30rem]:block">
          <CreatorSearch />
        </div>

        <div className="ml-auto flex shrink-0 items-center gap-[4px] sm:gap-4">
          <IconButton
            ref={searchButton}
            label={searching ? 'Close search' : 'Search creators'}
            aria-expanded={searching}
            className="sm:@min-[30rem]:hidden"
            onClick={() => setSearchAt(searching ? null : pathname)}
          >
            {searching ? <X className="size-5" /> : <SearchIcon className="size-5" />}
          </IconButton>
          <Person />
          <IconButton
            label="Menu"
            aria-haspopup="dialog"
            aria-expanded={menuOpen}
            className="-mr-[10px] sm:hidden"
            onClick={() => void openMenu()}
          >
            <MenuIcon className="size-5" />
          </IconButton>
        </div>

        {searching && (
          <div className="absolute inset-x-0 top-full border-b border-line bg-bg px-4 pb-3 sm:@min-[30rem]:hidden">
            <CreatorSearch
              focusAtOnce
              onDone={() => {
                setSearchAt(null);
                searchButton.current?.focus();
              }}
            />
          </div>
        )}
      </div>
      {menuAt !== undefined && (
        <Suspense>
          <MobileMenu open={menuOpen} onOpenChange={(open) => setMenuAt(open ? pathname : null)} />
        </Suspense>
      )}
    </header>
  );
}

/** Sign-in links, or credits and avatar. Reserves their place until it is known which. */
function Person(): React.ReactNode {
  const { status, expectSignedIn } = useViewer();
  const { code: AccountCluster } = useCode(loadAccount, status === 'signed-in');
  const back = useWayBack();
  const reserved = (
    <div aria-hidden className="flex items-center gap-4">
      <Skeleton className="h-9 w-[76px] rounded-pill sm:h-10 sm:w-24" />
      <Skeleton className="hidden size-10 rounded-pill sm:block" />
    </div>
  );
  if (status === 'signed-in') return AccountCluster ? <AccountCluster /> : reserved;
  if (status === 'loading' && expectSignedIn) return reserved;

  return (
    <>
      <ButtonLink to="/sign-in" state={back} kind="quiet" className="max-sm:hidden" data-sign-in>
        Sign in
      </ButtonLink>
      <ButtonLink to="/sign-up" state={back} data-sign-in>
        Sign up
      </ButtonLink>
    </>
  );
}
