import { LoaderCircle } from 'lucide-react';
import { cx } from '../lib/cx.js';

interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** Its request runs: it shows a spinner and cannot be pressed, but keeps the focus. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
}

/** A switch with its label on the left. */
export function Switch({ label, checked, onChange, busy = false, disabled = false }: SwitchProps): React.ReactNode {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-disabled={busy || disabled || undefined}
      aria-busy={busy || undefined}
      className="group inline-flex min-h-8 shrink-0 items-center gap-3 rounded-sm text-14 font-[560] aria-disabled:cursor-not-allowed aria-disabled:text-ink-2"
      onClick={() => {
        if (!busy && !disabled) onChange(!checked);
      }}
    >
      <span>{label}</span>
      <span
        aria-hidden
        className={cx(
          'relative block h-7 w-12 rounded-pill border transition-colors duration-[var(--dur-1)]',
          checked ? 'border-inverse bg-inverse' : 'border-line-strong bg-transparent',
          disabled && 'opacity-50',
        )}
      >
        <span
          className={cx(
            'absolute top-[3px] flex size-5 items-center justify-center rounded-pill transition-[left] duration-[var(--dur-1)]',
            checked ? 'left-[23px] bg-on-inverse text-inverse' : 'left-[3px] bg-ink-2 text-bg',
          )}
        >
          {busy && <LoaderCircle className="size-4 motion-safe:animate-spin" />}
        </span>
      </span>
    </button>
  );
}
