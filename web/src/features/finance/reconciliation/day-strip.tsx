import { Check } from 'lucide-react';
import type { DifferenceDay } from '../../../../../src/contract/reconciliation.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';
import { cx } from '../../../lib/cx.js';
import { counted } from '../../../lib/format.js';
import { dayText } from './reconciliation-text.js';

/** How many differences were open at the end of each of the last days. */
export function DayStrip({ days }: { readonly days: readonly DifferenceDay[] }): React.ReactNode {
  const first = days[0];
  const last = days.at(-1);
  return (
    <section aria-labelledby="days" className="mt-10">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="days" className="display-sm text-24">
          The last 30 days
        </h2>
        <p className="text-14 text-ink-2 max-sm:hidden">Differences open at the end of each day</p>
      </div>
      <ol className="mt-3 grid grid-cols-10 gap-[3px] sm:grid-cols-[repeat(30,minmax(0,1fr))]">
        {days.map(({ day, open }) => (
          <li
            key={day}
            title={`${formatUtcDay(day)}: ${textOf(open)}`}
            className={cx(
              'flex h-11 items-center justify-center rounded-[6px] text-13 font-[600] tabular-nums',
              open === null && 'border border-dashed border-line text-ink-2',
              open === 0 && 'bg-good-wash text-good',
              open !== null && open > 0 && 'border border-warn bg-warn-wash text-warn',
            )}
          >
            <span aria-hidden>{open === null ? '–' : open === 0 ? <Check className="size-3.5" /> : open}</span>
            <span className="sr-only">
              {formatUtcDay(day)}: {textOf(open)}
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-2 flex justify-between text-13 text-ink-2">
        <span>{first && dayText(first.day)}</span>
        <span>{last && `${dayText(last.day)}, now`}</span>
      </p>
    </section>
  );
}

function textOf(open: number | null): string {
  if (open === null) return 'not known';
  return open === 0 ? 'all agreed' : `${counted(open, 'difference')} open`;
}
