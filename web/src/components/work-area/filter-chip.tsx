import { cx } from '../../lib/cx.js';

interface FilterChipProps {
  readonly pressed: boolean;
  readonly onPress: () => void;
  readonly children: React.ReactNode;
}

/** A 36 px pill that is pressed while its rows are shown. */
export function FilterChip({ pressed, onPress, children }: FilterChipProps): React.ReactNode {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      className={cx(
        'inline-flex h-9 items-center gap-2 rounded-pill border px-3.5 text-14 whitespace-nowrap hover:border-line-strong',
        pressed ? 'border-line-strong bg-hover font-[560]' : 'border-line text-ink-2',
      )}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
