import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import { cx } from '../../../lib/cx.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { addMonths, monthOf, monthText } from '../finance-text.js';

interface MonthSelectProps {
  /** YYYY-MM; null: now. */
  readonly month: string | null;
  /** The server's sentence about this month; null when it accepts it. */
  readonly refusal: string | null;
  readonly onChange: (month: string | null) => void;
}

/** Chooses now or the end of a month, back to the first entry. */
export function MonthSelect({ month, refusal, onChange }: MonthSelectProps): React.ReactNode {
  const id = useId();
  const { data } = useRpc('list_revenue_months', { p_limit: 1 });
  const current = data && monthOf(data.at);
  const ends = Array.from({ length: Math.max(0, (data?.month_count ?? 0) - 1) }, (_, index) =>
    addMonths(current!, -1 - index),
  );
  const chosen = month === null || month === current ? '' : month;
  return (
    <div>
      <div
        className={cx(
          'flex h-10 items-center gap-2 rounded-ctl border bg-bg pr-2 pl-3 text-14',
          refusal === null ? 'border-line-strong' : 'border-bad',
        )}
      >
        <label htmlFor={id} className="text-ink-2">
          As of
        </label>
        <select
          id={id}
          value={chosen}
          aria-invalid={refusal !== null}
          aria-describedby={refusal === null ? undefined : `${id}-note`}
          onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
          className="bg-bg font-[560] tabular-nums"
        >
          <option value="">now</option>
          {chosen !== '' && !ends.includes(chosen) && <option value={chosen}>{chosen}</option>}
          {ends.map((each) => (
            <option key={each} value={each}>
              end of {monthText.long(each)}
            </option>
          ))}
        </select>
      </div>
      {refusal !== null && (
        <p id={`${id}-note`} role="alert" className="mt-1.5 flex items-start gap-1.5 text-13 text-bad">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{refusal}</span>
        </p>
      )}
    </div>
  );
}
