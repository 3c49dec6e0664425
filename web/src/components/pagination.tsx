import { Button } from './button.js';

/** The ways to the other pages of a list. */
export interface Pages {
  /** Null on the first page. */
  readonly previous: (() => void) | null;
  /** Null on the last page. */
  readonly next: (() => void) | null;
  /** Right of the buttons: `Page 1 of 3`. */
  readonly text?: React.ReactNode;
}

interface PagesNavProps extends Pages {
  readonly names?: readonly [previous: string, next: string] | undefined;
  /** Names the landmark, where a page has several. */
  readonly label?: string | undefined;
}

/** The buttons to the previous and the next page. */
export function PagesNav({ previous, next, text, names, label = 'Pages' }: PagesNavProps): React.ReactNode {
  const [before, after] = names ?? ['Previous', 'Next'];
  return (
    <nav aria-label={label} className="flex items-center gap-2">
      <Button size={32} disabled={previous === null} onClick={() => previous?.()}>
        {before}
      </Button>
      <Button size={32} disabled={next === null} onClick={() => next?.()}>
        {after}
      </Button>
      {text !== undefined && (
        <p aria-live="polite" className="ml-auto text-14 tabular-nums text-ink-2">
          {text}
        </p>
      )}
    </nav>
  );
}

interface PaginationProps {
  /** 1-based. */
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
  /** Names the landmark, where a page has several. */
  readonly label?: string;
}

/** Previous and next page, and the current page. */
export function Pagination({ page, pages, onPage, label }: PaginationProps): React.ReactNode {
  return (
    <PagesNav
      label={label}
      previous={page <= 1 ? null : () => onPage(page - 1)}
      next={page >= pages ? null : () => onPage(page + 1)}
      text={pageText(page, pages)}
    />
  );
}

/** `Page 1 of 3` */
export function pageText(page: number, pages: number): string {
  return `Page ${page.toLocaleString('en')} of ${pages.toLocaleString('en')}`;
}

/** The number of the page in the address, from 1. */
export function pageOf(params: URLSearchParams): number {
  return Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
}
