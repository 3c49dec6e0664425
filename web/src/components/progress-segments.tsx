import { cx } from '../lib/cx.js';

interface ProgressSegmentsProps {
  readonly steps: readonly { readonly name: string; readonly state: 'done' | 'current' | 'waiting' }[];
  readonly className?: string;
}

/** Equal segments: done solid, current half opaque, waiting grey. The provider reports no percentage. */
export function ProgressSegments({ steps, className }: ProgressSegmentsProps): React.ReactNode {
  return (
    <div aria-hidden className={cx('flex h-1 gap-1', className)}>
      {steps.map(({ name, state }) => (
        <span
          key={name}
          className={cx(
            'flex-1 transition-[background-color,opacity] duration-[var(--dur-3)]',
            state === 'waiting' ? 'bg-hover' : 'bg-seal-mark',
            state === 'current' && 'opacity-50',
          )}
        />
      ))}
    </div>
  );
}
