import { ChevronsUpDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { LogoMark } from '../../../components/icons.js';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../../components/menu.js';
import { SkipLink } from '../../../components/skip-link.js';
import { cx } from '../../../lib/cx.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { useTopOnPathChange } from '../../../lib/use-top-on-path-change.js';
import { MayAct } from '../components/acts.js';
import { HasPage } from '../components/has-page.js';
import { useKeyListener, useKeys } from '../components/keys.js';
import { liveTimings } from '../components/live.js';
import { Notices, useTrouble } from '../components/notices.js';
import { PlaceCount } from '../components/place-count.js';
import { Find } from './find.js';
import { placeOf, PLACES } from './places.js';

interface AdminLayoutProps {
  readonly hasPage: (path: string) => boolean;
  /** Where the area switch leads. */
  readonly otherAreas: readonly { readonly to: string; readonly label: string }[];
  readonly account: React.ReactNode;
  /** The page: main and footer. */
  readonly children: React.ReactNode;
}

/** The frame of the admin area: header with area switch, places with live counts, Find and the account. */
export function AdminLayout({ hasPage, otherAreas, account, children }: AdminLayoutProps): React.ReactNode {
  const { pathname } = useLocation();
  useTopOnPathChange(pathname);
  useKeyListener();
  useGoKeys(hasPage);
  const trouble = useTrouble();
  return (
    <HasPage value={hasPage}>
      <div className="flex min-h-svh flex-col">
        <SkipLink />
        <header className="sticky top-0 z-(--z-header) border-b border-line bg-bg">
          <div className="wrap flex h-14 items-center">
            <Link to="/" aria-label="Fanvas, home" className="flex items-center gap-2 rounded-ctl">
              <LogoMark className="size-[24px] shrink-0" />
              <span className="display-sm text-[26px] max-xs:sr-only sm:text-[27px]">Fanvas</span>
            </Link>
            <AreaSwitch areas={otherAreas} />
            <Places hasPage={hasPage} className="hidden lg:flex" />
            <div className="ml-auto flex shrink-0 items-center gap-1 sm:gap-3">
              <Find />
              {account}
            </div>
          </div>
          <div className="wrap overflow-x-auto no-scrollbar lg:hidden">
            <Places hasPage={hasPage} className="flex" />
          </div>
        </header>
        <Notices {...trouble} />
        <MayAct value={trouble.roleLostAt === null}>{children}</MayAct>
      </div>
    </HasPage>
  );
}

function AreaSwitch({ areas }: { readonly areas: AdminLayoutProps['otherAreas'] }): React.ReactNode {
  return (
    <div className="mx-2.5 border-l border-line pl-2.5 sm:mr-5 sm:ml-3.5 sm:pl-3.5">
      <Menu modal={false}>
        <MenuTrigger
          aria-label="Area: Admin"
          className="touch flex h-8 items-center gap-1.5 rounded-sm text-14 font-[600]"
        >
          Admin
          <ChevronsUpDown aria-hidden className="size-3.5 text-ink-2" />
        </MenuTrigger>
        <MenuContent align="start">
          {areas.map(({ to, label }) => (
            <MenuItem key={to} asChild>
              <Link to={to}>{label}</Link>
            </MenuItem>
          ))}
        </MenuContent>
      </Menu>
    </div>
  );
}

interface PlacesProps {
  readonly hasPage: (path: string) => boolean;
  readonly className: string;
}

function Places({ hasPage, className }: PlacesProps): React.ReactNode {
  const current = placeOf(useLocation().pathname);
  const { data: counts } = useRpc('get_admin_counts', {}, liveTimings);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // On phones the places scroll; the current one stays in view.
    list.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav ref={list} aria-label="Admin" className={cx('h-11 gap-[22px] lg:h-14 lg:gap-5', className)}>
      {PLACES.filter(({ path }) => hasPage(path)).map((place) => (
        <Link
          key={place.path}
          to={place.path}
          aria-current={place === current ? 'page' : undefined}
          className="relative flex items-center gap-[7px] text-14 whitespace-nowrap text-ink-2 hover:text-ink aria-[current]:font-[560] aria-[current]:text-ink aria-[current]:after:absolute aria-[current]:after:inset-x-0 aria-[current]:after:-bottom-px aria-[current]:after:h-0.5 aria-[current]:after:bg-seal-mark"
        >
          {place.label}
          {place.count && (
            <PlaceCount count={counts?.[place.count]} urgent={place.count === 'reports' && (counts?.urgent ?? 0) > 0} />
          )}
        </Link>
      ))}
    </nav>
  );
}

/** G, then the letter of a place, goes there. */
function useGoKeys(hasPage: (path: string) => boolean): void {
  const navigate = useNavigate();
  useKeys(
    PLACES.filter(({ path }) => hasPage(path)).map(({ path, label, letter }) => ({
      keys: [`G ${letter}`],
      label,
      quiet: true,
      run: () => void navigate(path),
    })),
  );
}
