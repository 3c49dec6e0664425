import { useState } from 'react';
import { Button } from '../../../components/button.js';
import { cx } from '../../../lib/cx.js';

interface InstantFieldProps {
  readonly ref: React.Ref<HTMLInputElement>;
  /** ISO 8601; null for now. */
  readonly at: string | null;
  readonly onChange: (at: string | null) => void;
}

/** The instant of the figures, in UTC. It applies on Enter and when the field loses the focus. */
export function InstantField({ ref, at, onChange }: InstantFieldProps): React.ReactNode {
  /** The typed text that does not apply yet; null without one. */
  const [typed, setTyped] = useState<string | null>(null);
  // The instant of an event has milliseconds, the field has none: only what was typed may change the instant.
  const shown = at === null ? '' : at.slice(0, 19);
  const text = typed ?? shown;
  const apply = (): void => {
    setTyped(null);
    if (text === shown) return;
    // The field gives no seconds when they are 0.
    const instant = new Date(`${text.length === 16 ? `${text}:00` : text}Z`);
    onChange(text === '' || Number.isNaN(instant.getTime()) ? null : instant.toISOString());
  };
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <label className="flex h-10 items-center gap-2 rounded-ctl border border-line-strong bg-bg px-3 text-14">
        <span className="text-ink-2">As of, UTC</span>
        <input
          ref={ref}
          type="datetime-local"
          step={1}
          value={text}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={apply}
          // Firefox does not submit a form by Enter in this field.
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            apply();
          }}
          className={cx('bg-transparent tabular-nums outline-none', text === '' && 'text-ink-2')}
        />
      </label>
      <Button size={40} disabled={text === ''} onClick={() => onChange(null)}>
        Now
      </Button>
    </form>
  );
}
