import { useState } from 'react';
import type { PayoutRunSums } from '../../../../../src/contract/payouts.js';
import { formatUtcSecond } from '../../../components/work-area/utc.js';
import { cx } from '../../../lib/cx.js';
import { count } from '../finance-text.js';
import { personText, runState, sumOf } from './payout-text.js';
import { Name, Named } from '../../../components/name.js';

interface Stage {
  readonly name: string;
  /** The person and the time, or what it needs. */
  readonly text: string;
  readonly reached: boolean;
}

/** The four stages of a run: who did each, and when. */
export function RunStages({ run }: { readonly run: PayoutRunSums }): React.ReactNode {
  const [now] = useState(() => Date.now());
  const stages = stagesOf(run, now);
  const last = stages.findLastIndex(({ reached }) => reached);
  const names = [
    personText(run.drafted_by, run.drafted_by_name),
    personText(run.fixed_by, run.fixed_by_name),
    personText(run.checked_by, run.checked_by_name),
    ...run.recorded_by.map(({ id, name }) => personText(id, name)),
  ];
  return (
    <>
      <ol aria-label="Stages" className="mt-5 grid grid-cols-2 gap-x-1 gap-y-3.5 sm:grid-cols-4">
        {stages.map(({ name, text, reached }, at) => (
          <li key={name} aria-current={at === last ? 'step' : undefined} className="pr-3">
            <span
              aria-hidden
              className={cx('-mr-3 mb-2.5 block h-1 rounded-[2px]', reached ? 'bg-seal-mark' : 'bg-hover')}
            />
            <p className={cx('text-14 font-[560]', !reached && 'text-ink-2')}>
              <span>{name}</span>
              {reached && <span className="sr-only">, done</span>}
            </p>
            <p className="text-13 tabular-nums text-ink-2">
              <Named text={text} name={names} />
            </p>
          </li>
        ))}
      </ol>
      {run.cancelled_at !== null && (
        <p className="mt-4 text-14 [overflow-wrap:anywhere]">
          Cancelled by <Name>{personText(run.cancelled_by, run.cancelled_by_name)}</Name>
          <span>
            , {minute(run.cancelled_at, now)}: “{run.cancel_reason}”
          </span>
        </p>
      )}
    </>
  );
}

function stagesOf(run: PayoutRunSums, now: number): readonly Stage[] {
  const by = (id: string | null, name: string | null, at: string | null, else_: string): string =>
    at === null ? else_ : `${personText(id, name)}, ${minute(at, now)}`;
  const paid = sumOf(run.payouts, 'paid').payouts;
  const unpaid = sumOf(run.payouts, 'checked').payouts;
  const recorders = run.recorded_by.map(({ id, name }) => personText(id, name)).join(', ');
  const recorded =
    run.recorded_at === null
      ? 'From the report of the bank'
      : `${recorders}, ${minute(run.recorded_at, now)}${unpaid > 0 ? `: ${count(paid)} of ${count(paid + unpaid)}` : ''}`;
  return [
    { name: 'Drafted', text: by(run.drafted_by, run.drafted_by_name, run.drafted_at, ''), reached: true },
    {
      name: 'Amounts fixed',
      text: by(run.fixed_by, run.fixed_by_name, run.fixed_at, `For the cutoff, ${minute(run.cutoff, now)}`),
      reached: run.fixed_at !== null,
    },
    {
      name: 'Checked',
      text: by(run.checked_by, run.checked_by_name, run.checked_at, 'By another person than the one who drafted it'),
      reached: run.checked_at !== null,
    },
    { name: 'Paid and recorded', text: recorded, reached: runState(run) === 'paid' },
  ];
}

/** `22 Nov, 09:31` */
function minute(iso: string, now: number): string {
  return formatUtcSecond(iso, now).slice(0, -3);
}
