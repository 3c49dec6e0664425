import {
  CartesianGrid,
  Line,
  LineChart,
  Tooltip,
  XAxis,
  YAxis,
  type DotItemDotProps,
  type TooltipContentProps,
} from 'recharts';
import type { BookMonth } from '../../../../../src/contract/finance.js';
import { dollars, monthText } from '../finance-text.js';

interface DeferredLineProps {
  /** The oldest first. */
  readonly months: readonly BookMonth[];
  /** The month in progress, YYYY-MM. */
  readonly now: string;
}

interface Point {
  readonly month: string;
  /** Cents at the end of complete months. */
  readonly closed: number | null;
  /** Cents of the last complete month and of the one in progress: the dashed part of the line. */
  readonly open: number | null;
}

/** The deferred revenue at the end of each month; dashed to the month in progress. Arrow keys show a month's figure. */
export function DeferredLine({ months, now }: DeferredLineProps): React.ReactNode {
  const points = months.map(({ month, deferred_cents: cents }, index): Point => {
    const nextIsOpen = months[index + 1]?.month === now;
    return { month, closed: month === now ? null : cents, open: month === now || nextIsOpen ? cents : null };
  });
  const nameOf = (month: string): string => monthText.short(month) + (month === now ? '*' : '');
  return (
    <LineChart
      responsive
      data={points}
      aria-label="Chart of the deferred revenue at the end of each month. The arrow keys show the figure of a month."
      className="h-[150px] w-full [&_g]:outline-none [&_svg]:overflow-visible"
      style={{ width: '100%' }}
      margin={{ top: 12, right: 0, bottom: 0, left: 0 }}
    >
      <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
      <YAxis
        width={60}
        tickCount={3}
        axisLine={false}
        tickLine={false}
        tick={{ fontSize: 13, fill: 'var(--text-2)' }}
        tickFormatter={(cents: number) => dollars(cents).replace('.00', '')}
      />
      <XAxis
        dataKey="month"
        interval={0}
        height={28}
        padding={{ left: 36, right: 36 }}
        tickLine={false}
        axisLine={{ stroke: 'var(--line-strong)' }}
        tick={{ fontSize: 13, fill: 'var(--text-2)' }}
        tickFormatter={nameOf}
      />
      <Tooltip
        isAnimationActive={false}
        position={{ y: 0 }}
        offset={24}
        cursor={{ stroke: 'var(--line-strong)' }}
        content={(tip: TooltipContentProps) => <LineTip {...tip} months={months} now={now} />}
      />
      <Line
        dataKey="closed"
        stroke="var(--text)"
        strokeWidth={2}
        dot={{ r: 3.5, fill: 'var(--text)', stroke: 'var(--text)' }}
        isAnimationActive={false}
      />
      <Line
        dataKey="open"
        stroke="var(--text)"
        strokeWidth={2}
        strokeDasharray="4 4"
        dot={(dot: DotItemDotProps) => <OpenDot key={dot.index} {...dot} now={now} />}
        isAnimationActive={false}
      />
    </LineChart>
  );
}

/** The ring of the month in progress. The month before it has the dot of the other line. */
function OpenDot({ cx, cy, payload, now }: DotItemDotProps & { readonly now: string }): React.ReactNode {
  if ((payload as Point).month !== now) return null;
  return <circle cx={cx} cy={cy} r={3.5} fill="var(--bg)" stroke="var(--text)" strokeWidth={2} />;
}

function LineTip({ active, label, months, now }: TooltipContentProps & DeferredLineProps): React.ReactNode {
  const month = months.find((each) => each.month === label);
  if (!active || !month) return null;
  return (
    <p className="flex gap-3 rounded-[10px] border border-line-strong bg-raised px-3.5 py-2.5 text-13 tabular-nums">
      <span className="text-ink-2">
        {monthText.long(month.month)}
        {month.month === now && ' so far'}
      </span>
      <span className="font-[560]">{dollars(month.deferred_cents)}</span>
    </p>
  );
}
