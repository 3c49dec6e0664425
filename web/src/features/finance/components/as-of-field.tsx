import { CircleAlert } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from '../../../components/button.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { cx } from '../../../lib/cx.js';

interface AsOfFieldProps {
  /** As it was entered; null for now. */
  readonly at: string | null;
  /** The server's sentence about this instant; null when it accepts it. */
  readonly refusal: string | null;
  readonly onChange: (at: string | null) => void;
}

/** The instant of the figures. The server reads what was entered and says what is wrong with it. */
export function AsOfField({ at, refusal, onChange }: AsOfFieldProps): React.ReactNode {
  const id = useId();
  const [text, setText] = useState(at ?? '');
  const field = useRef<HTMLInputElement>(null);
  useKeys([{ keys: ['T'], label: 'As of', run: () => field.current?.focus() }]);
  const apply = (): void => onChange(text.trim() === '' ? null : text.trim());
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <div className="flex flex-wrap items-center gap-2">
        <div
          className={cx(
            'flex h-10 items-center gap-2 rounded-ctl border bg-bg px-3 text-14',
            refusal === null ? 'border-line-strong' : 'border-bad',
          )}
        >
          <label htmlFor={id} className="whitespace-nowrap text-ink-2">
            As of, UTC
          </label>
          <input
            ref={field}
            id={id}
            value={text}
            maxLength={40}
            placeholder="now"
            autoComplete="off"
            spellCheck={false}
            aria-invalid={refusal !== null}
            aria-describedby={`${id}-note`}
            onChange={(event) => setText(event.target.value)}
            className="w-[178px] bg-transparent tabular-nums outline-none"
          />
        </div>
        <Button type="submit">Show</Button>
        {at !== null && <Button onClick={() => onChange(null)}>Now</Button>}
      </div>
      <p
        id={`${id}-note`}
        role={refusal === null ? undefined : 'alert'}
        className={cx('mt-1.5 flex items-start gap-1.5 text-13', refusal === null ? 'text-ink-2' : 'text-bad')}
      >
        {refusal !== null && <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />}
        <span>{refusal ?? 'A day, or a time such as 2026-10-31T12:00:00Z'}</span>
      </p>
    </form>
  );
}
