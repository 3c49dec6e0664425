import { Button } from './button.js';

interface PaginationProps {
  /** 1-based. */
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
  /** Names the landmark, where a page has several. */
  readonly label?: string;
}

/** Previous and next page, and the current page. */
export function Pagination({ page, pages, onPage, label = 'Pages' }: PaginationProps): React.ReactNode {
  return (
    <nav aria-label={label} className="flex items-center gap-2">
      <Button size={32} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button size={32} disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </Button>
      <p aria-live="polite" className="ml-auto text-14 tabular-nums text-ink-2">
        Page {page.toLocaleString('en')} of {pages.toLocaleString('en')}
      </p>
    </nav>
  );
}
