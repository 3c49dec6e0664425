import type { RevenueMonths } from '../../../../../src/contract/finance.js';
import { addMonths, monthOf, monthText } from '../finance-text.js';

/** Months that the overview shows at once. */
export const WINDOW_MONTHS = 12;

interface MonthsSelectProps {
  readonly found: RevenueMonths | undefined;
  /** YYYY-MM: the months before this one; null: the latest. */
  readonly before: string | null;
  readonly onChange: (before: string | null) => void;
}

/** Chooses among windows of a year, back from the current month. */
export function MonthsSelect({ found, before, onChange }: MonthsSelectProps): React.ReactNode {
  if (found === undefined || found.month_count === 0) return null;
  const current = monthOf(found.at);
  const oldest = addMonths(current, 1 - found.month_count);
  const windows = Array.from({ length: Math.ceil(found.month_count / WINDOW_MONTHS) }, (_, index) => {
    const last = addMonths(current, -index * WINDOW_MONTHS);
    const first = addMonths(last, 1 - WINDOW_MONTHS);
    return { value: index === 0 ? '' : addMonths(last, 1), first: first < oldest ? oldest : first, last };
  });
  const known = before === null || windows.some(({ value }) => value === before);
  return (
    <label className="flex h-10 items-center gap-2 rounded-ctl border border-line-strong bg-bg pr-2 pl-3 text-14">
      <span className="text-ink-2">Months</span>
      <select
        value={before ?? ''}
        onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
        className="bg-bg font-[560] tabular-nums"
      >
        {!known && <option value={before}>before {before}</option>}
        {windows.map(({ value, first, last }) => (
          <option key={value} value={value}>
            {first === last
              ? monthText.shortYear(last)
              : `${monthText.shortYear(first)} to ${monthText.shortYear(last)}`}
          </option>
        ))}
      </select>
    </label>
  );
}
