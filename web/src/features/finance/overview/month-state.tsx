import { LockKeyhole, LockKeyholeOpen } from 'lucide-react';
import type { BookMonth, MonthClose } from '../../../../../src/contract/finance.js';
import { formatUtcNearDay } from '../../../components/work-area/utc.js';
import { monthOf, monthText } from '../finance-text.js';
import { Name } from '../../../components/name.js';

interface MonthStateProps {
  readonly month: BookMonth;
  /** Now. */
  readonly at: string;
  /** The month that can be closed, YYYY-MM; null: none. */
  readonly next: string | null;
  /** The newest attempt to close it; null: none. */
  readonly closing: MonthClose | null;
}

/** How far the newest attempt to close the next month is. */
const NEXT = {
  waiting: 'Being closed',
  closed: 'Being closed',
  changed: 'Open, its figures changed',
  refused: 'Open, can be closed',
} as const;

/** Whether a month is closed, since when, and who closed it; of an open one, what it waits for. */
export function MonthState({ month, at, next, closing }: MonthStateProps): React.ReactNode {
  const { closed_at: closedAt, closed_by: id, closed_by_name: name } = month;
  const Icon = closedAt === null ? LockKeyholeOpen : LockKeyhole;
  return (
    <span className="flex items-start gap-1 text-13 whitespace-nowrap text-ink-2">
      <Icon aria-hidden className="mt-[3px] size-3.5 shrink-0" />
      <span>
        {closedAt === null ? (
          openText(month.month, at, next, closing)
        ) : (
          <span className="flex max-w-48 flex-wrap gap-x-1 max-sm:max-w-28">
            <span>Closed {formatUtcNearDay(closedAt, Date.parse(at))}</span>
            <span className="truncate">
              by <Name>{name ?? id ?? ''}</Name>
            </span>
          </span>
        )}
      </span>
    </span>
  );
}

function openText(month: string, at: string, next: string | null, closing: MonthClose | null): string {
  if (month === monthOf(at)) return 'Open, not ended';
  if (month === next) return closing === null ? 'Open, can be closed' : NEXT[closing.state];
  // Months are closed in order.
  if (next !== null) return `Open, after ${monthText.short(next)}`;
  // The rule of the server: the ledger may still receive events of the month until then.
  return 'Open, not before 00:15 UTC';
}
