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

interface SkeletonsProps {
  readonly count: number;
  readonly className: string;
}

/** Some placeholders of the same geometry. */
export function Skeletons({ count, className }: SkeletonsProps): React.ReactNode {
  return Array.from({ length: count }, (_, index) => <Skeleton key={index} className={className} />);
}
