import { cx } from '../lib/cx.js';

interface ChipProps extends React.ComponentProps<'a'> {
  readonly icon?: React.ReactNode;
}

/** 36 px outlined pill that links to another site. */
export function Chip({ icon, className, children, ...rest }: ChipProps): React.ReactNode {
  return (
    <a
      {...rest}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={cx(
        'inline-flex h-9 items-center gap-2 rounded-pill border border-line px-3.5 text-14 text-ink-2 transition-colors duration-[var(--dur-1)] hover:border-line-strong hover:text-ink [&_svg]:size-4',
        className,
      )}
    >
      {icon}
      <span>{children}</span>
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
