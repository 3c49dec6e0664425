import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { currentYear } from '../../lib/current-year.js';
import { cx } from '../../lib/cx.js';
import { useArea } from './area.js';
import { KeyHints } from './key-hints.js';
import { Named } from '../name.js';

interface WorkPageProps {
  readonly title: string;
  /** The name or id that the title contains. */
  readonly name?: string | undefined;
  /** False when the page renders its own heading. */
  readonly heading?: boolean;
  /** 44 px for a page of a work area, 56 px for the pages of the specification. */
  readonly size?: 44 | 56;
  readonly back?: { readonly to: string; readonly label: string };
  /** At the end of the line with the way back. */
  readonly beside?: React.ReactNode;
  /** Right of the title. */
  readonly actions?: React.ReactNode;
  /** The meaning of the figures: left in the footer. The keys of `useKeys` are right. */
  readonly footer?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** A page of a work area (admin, audit): title, content and the slim footer. */
export function WorkPage({
  title,
  name,
  heading = true,
  size = 44,
  back,
  beside,
  actions,
  footer,
  children,
}: WorkPageProps): React.ReactNode {
  const area = useArea().toLowerCase();
  return (
    <>
      <title translate={name === undefined ? undefined : 'no'}>{`${title} · Fanvas ${area}`}</title>
      <main id="main" tabIndex={-1} className="wrap flex-1 pt-6 outline-none">
        {back && (
          <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6">
            <Link to={back.to} className="inline-flex min-h-6 items-center gap-1.5 text-14 text-ink-2 hover:text-ink">
              <ArrowLeft aria-hidden className="size-4" />
              <span>{back.label}</span>
            </Link>
            {beside}
          </div>
        )}
        {heading && (
          <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
            <h1 className={cx('display', size === 44 ? 'text-44' : 'text-44 sm:text-[3.5rem]')}>
              <Named text={title} name={name} />
            </h1>
            {actions && <div className="flex flex-wrap items-center gap-2 max-sm:w-full">{actions}</div>}
          </div>
        )}
        {children}
      </main>
      <footer className="mt-10 border-t border-line above-foot-bar pb-[var(--foot-bar,0px)] max-sm:mt-12">
        <div className="wrap flex min-h-14 flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4 text-13 text-ink-2">
          <p>{footer ?? `© ${currentYear()} Fanvas, ${area}`}</p>
          <KeyHints />
        </div>
      </footer>
    </>
  );
}
