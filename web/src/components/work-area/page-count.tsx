import { cx } from '../../lib/cx.js';

interface PageCountProps {
  readonly count: number | undefined;
  /** Something in it is urgent. */
  readonly urgent?: boolean;
  /** The word after the count, for screen readers. */
  readonly noun?: string;
}

/** How many things wait on a page; nothing for none. Counts are capped at 10,000. */
export function PageCount({ count, urgent = false, noun = 'waiting' }: PageCountProps): React.ReactNode {
  if (!count) return null;
  return (
    <span
      className={cx(
        'inline-flex h-5 min-w-5 items-center justify-center rounded-pill px-1.5 text-13 leading-none font-[600] tabular-nums',
        urgent ? 'bg-seal-wash text-seal-text' : 'bg-hover text-ink',
      )}
    >
      <span>{formatCount(count)}</span>
      <span className="sr-only">{urgent ? ` ${noun}, some urgent` : ` ${noun}`}</span>
    </span>
  );
}

/** `10,000+` for a count at its cap. */
export function formatCount(count: number): string {
  return count >= 10_000 ? '10,000+' : count.toLocaleString('en-US');
}
