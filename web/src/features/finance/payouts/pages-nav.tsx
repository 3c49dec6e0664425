import { Button } from '../../../components/button.js';

interface PagesNavProps {
  /** Null on the first page. */
  readonly onPrevious: (() => void) | null;
  /** Null on the last page. */
  readonly onNext: (() => void) | null;
}

/** The way through the pages of a list; nothing when there is one page. */
export function PagesNav({ onPrevious, onNext }: PagesNavProps): React.ReactNode {
  if (onPrevious === null && onNext === null) return null;
  return (
    <nav aria-label="Pages" className="mt-4 flex gap-2">
      <Button size={32} disabled={onPrevious === null} onClick={() => onPrevious?.()}>
        Previous
      </Button>
      <Button size={32} disabled={onNext === null} onClick={() => onNext?.()}>
        Next
      </Button>
    </nav>
  );
}
