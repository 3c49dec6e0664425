import { cx } from '../lib/cx.js';

/** A block in the geometry of what will stand there. Name the whole region with `aria-busy`, not each block. */
export function Skeleton({
  className,
  style,
}: {
  className?: string | undefined;
  style?: React.CSSProperties;
}): React.ReactNode {
  return (
    <div
      aria-hidden
      className={cx('pulse-soft bg-hover', !className?.includes('rounded-') && 'rounded-tile', className)}
      style={style}
    />
  );
}
