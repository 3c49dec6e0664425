import { cx } from '../lib/cx.js';

/** A placeholder with the geometry of the content. Set `aria-busy` on the region, not on each block. */
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
