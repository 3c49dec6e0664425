import { Check } from 'lucide-react';
import { cx } from '../../../lib/cx.js';
import { formatDuration, type Phase, type Step } from '../generation-view.js';

const NAMES: Record<Phase, string> = { queued: 'Queued', drawing: 'Drawing', finishing: 'Finishing' };

/** The steps as text, with their durations. */
export function Steps({ steps }: { steps: readonly Step[] }): React.ReactNode {
  return (
    <ol aria-label="Progress">
      {steps.map(({ name, state, seconds }, index) => (
        <li
          key={name}
          aria-current={state === 'current' ? 'step' : undefined}
          // The second step reserves room for its note, so that the layout does not shift.
          className={cx('relative flex gap-3.5', index === 0 && 'min-h-[52px]', index === 1 && 'min-h-[68px]')}
        >
          {index < steps.length - 1 && (
            <span aria-hidden className="absolute bottom-0 left-[13.5px] top-7 w-px bg-line" />
          )}
          <Mark state={state} />
          <div className={cx('flex-1 pt-0.5', index < steps.length - 1 && 'pb-5')}>
            <p
              className={cx(
                'flex justify-between gap-4 text-16 font-[560]',
                state === 'current' ? 'text-ink' : state === 'done' ? 'text-ink-2' : 'text-ink-3',
              )}
            >
              <span>
                <span>{NAMES[name]}</span>
                {state !== 'current' && <span className="sr-only">{state === 'done' ? ', done' : ', waiting'}</span>}
              </span>
              {seconds !== null && <span className="font-[400] tabular-nums">{formatDuration(seconds)}</span>}
            </p>
            {name === 'drawing' && state === 'current' && (
              <p className="text-14 text-ink-2">This may take up to 30 seconds</p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Mark({ state }: { state: Step['state'] }): React.ReactNode {
  return (
    <span
      aria-hidden
      className={cx(
        'flex size-7 shrink-0 items-center justify-center rounded-pill',
        state === 'done' && 'bg-hover text-ink',
        state === 'current' && 'border-2 border-seal-mark',
        state === 'waiting' && 'border border-line-strong',
      )}
    >
      {state === 'done' && <Check className="size-4" />}
      {state === 'current' && <span className="size-2.5 rounded-pill bg-seal-mark" />}
    </span>
  );
}
