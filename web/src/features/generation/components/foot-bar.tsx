import { useRef } from 'react';
import { cx } from '../../../lib/cx.js';
import { useFootBar } from '../../../lib/use-foot-bar.js';

interface FootBarProps {
  readonly className?: string | false;
  readonly children: React.ReactNode;
}

/** The place at the foot of a creator's pages. Only its content takes pointers. */
export function FootBar({ className, children }: FootBarProps): React.ReactNode {
  const barRef = useRef<HTMLDivElement>(null);
  useFootBar(barRef);
  return (
    <div
      ref={barRef}
      className={cx(
        'pointer-events-none fixed inset-x-3 bottom-[calc(12px+env(safe-area-inset-bottom))] z-(--z-bar) sm:inset-x-(--gutter) sm:bottom-5',
        className,
      )}
    >
      {children}
    </div>
  );
}
