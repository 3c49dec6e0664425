import { ChevronsUpDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { cx } from '../../lib/cx.js';
import { useTopOnPathChange } from '../../lib/use-top-on-path-change.js';
import { LogoMark } from '../icons.js';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../menu.js';
import { SkipLink } from '../skip-link.js';
import { MayAct } from './acts.js';
import { Area } from './area.js';
import { useKeyListener, useKeys } from './keys.js';
import { Notices, useRoleLostAt } from './notices.js';
import { pageOf, type AreaPage } from './area-pages.js';

interface WorkLayoutProps<P extends AreaPage> {
  /** `Admin`, `Audit` */
  readonly area: string;
  /** In the order of the header. */
  readonly pages: readonly P[];
  /** Content after the label of a page, such as the number of things that wait there. */
  readonly mark?: (page: P) => React.ReactNode;
  /** Where the area switch leads. */
  readonly otherAreas: readonly { readonly to: string; readonly label: string }[];
  /** The refusal that says that this person has lost the role of the area. */
  readonly roleRefusal: string;
  readonly find: React.ReactNode;
  readonly account: React.ReactNode;
  /** The page: main and footer. */
  readonly children: React.ReactNode;
}

/** The props of an area's own frame: the rest is the same on all of its pages. */
export type AreaLayoutProps = Pick<WorkLayoutProps<AreaPage>, 'otherAreas' | 'account' | 'children'>;

/** The frame of a work area: header with area switch, pages, Find and the account. */
export function WorkLayout<P extends AreaPage>(props: WorkLayoutProps<P>): React.ReactNode {
  const { area, pages, otherAreas, roleRefusal, find, account, children } = props;
  const { pathname } = useLocation();
  useTopOnPathChange(pathname);
  useKeyListener();
  useGoKeys(pages);
  const roleLostAt = useRoleLostAt(roleRefusal);
  const list = { area, pages, mark: props.mark };
  return (
    <Area value={area}>
      <div className="flex min-h-svh flex-col">
        <SkipLink />
        <header className="sticky top-0 z-(--z-header) border-b border-line bg-bg">
          <div className="wrap flex h-14 items-center">
            <Link to="/" aria-label="Fanvas, home" className="flex items-center gap-2 rounded-ctl">
              <LogoMark className="size-[24px] shrink-0" />
              <span className="display-sm text-[26px] max-xs:sr-only sm:text-[27px]">Fanvas</span>
            </Link>
            <AreaSwitch area={area} areas={otherAreas} />
            <Pages {...list} className="hidden lg:flex" />
            <div className="ml-auto flex shrink-0 items-center gap-1 sm:gap-3">
              {find}
              {account}
            </div>
          </div>
          <div className="wrap overflow-x-auto no-scrollbar lg:hidden">
            <Pages {...list} className="flex" />
          </div>
        </header>
        <Notices roleLostAt={roleLostAt} roleRefusal={roleRefusal} />
        <MayAct value={roleLostAt === null}>{children}</MayAct>
      </div>
    </Area>
  );
}

interface AreaSwitchProps {
  readonly area: string;
  readonly areas: WorkLayoutProps<AreaPage>['otherAreas'];
}

function AreaSwitch({ area, areas }: AreaSwitchProps): React.ReactNode {
  return (
    <div className="mx-2.5 border-l border-line pl-2.5 sm:mr-5 sm:ml-3.5 sm:pl-3.5">
      <Menu modal={false}>
        <MenuTrigger
          aria-label={`Area: ${area}`}
          className="touch flex h-8 items-center gap-1.5 rounded-sm text-14 font-[600]"
        >
          {area}
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

interface PagesProps<P extends AreaPage> {
  readonly area: string;
  readonly pages: readonly P[];
  readonly mark: WorkLayoutProps<P>['mark'];
  readonly className: string;
}

function Pages<P extends AreaPage>({ area, pages, mark, className }: PagesProps<P>): React.ReactNode {
  const current = pageOf(pages, useLocation().pathname);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const links = [...(list.current?.children ?? [])];
    // On phones the pages scroll; the current one stays in view, also when a count arrives and moves it. Not by
    // `scrollIntoView`: the header is sticky, so that would scroll the page as well.
    const show = (): void => {
      const link = list.current?.querySelector<HTMLElement>('[aria-current]');
      const row = list.current?.parentElement;
      if (link && row) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
    };
    show();
    const observer = new ResizeObserver(show);
    for (const link of links) observer.observe(link);
    return () => observer.disconnect();
  }, [current]);
  return (
    <nav ref={list} aria-label={area} className={cx('h-11 gap-[22px] lg:h-14 lg:gap-5', className)}>
      {pages.map((page) => (
        <Link
          key={page.path}
          to={page.path}
          aria-current={page === current ? 'page' : undefined}
          className="relative flex items-center gap-[7px] text-14 whitespace-nowrap text-ink-2 hover:text-ink aria-[current]:font-[560] aria-[current]:text-ink aria-[current]:after:absolute aria-[current]:after:inset-x-0 aria-[current]:after:-bottom-px aria-[current]:after:h-0.5 aria-[current]:after:bg-seal-mark"
        >
          {page.label}
          {mark?.(page)}
        </Link>
      ))}
    </nav>
  );
}

/** G, then the letter of a page, goes there. */
function useGoKeys(pages: readonly AreaPage[]): void {
  const navigate = useNavigate();
  useKeys(
    pages.map(({ path, label, letter }) => ({
      keys: [`G ${letter}`],
      label,
      quiet: true,
      run: () => void navigate(path),
    })),
  );
}
