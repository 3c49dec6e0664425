import { lazy, Suspense, useId } from 'react';
import type { BookMonth } from '../../../../../src/contract/finance.js';
import { ChartLegend } from '../../../components/chart-legend.js';
import type { ChartMonth } from '../../../components/month-chart.js';
import { Skeleton } from '../../../components/skeleton.js';
import { TableToggle } from '../../../components/table-toggle.js';
import { NOT_MOBILE, useMedia } from '../../../lib/use-media.js';
import { ListRows, type ListColumn } from '../../../components/work-area/list-rows.js';
import { amount, dollars, monthOf, monthText } from '../finance-text.js';

const MonthChart = lazy(() =>
  import('../../../components/month-chart.js').then(({ MonthChart }) => ({ default: MonthChart })),
);
const DeferredLine = lazy(() => import('./deferred-line.js').then(({ DeferredLine }) => ({ default: DeferredLine })));

/** Months of the charts on a phone, the one in progress included. */
const PHONE_MONTHS = 5;

interface RevenueChartProps {
  /** Now. */
  readonly at: string;
  /** The latest first, at least one. */
  readonly months: readonly BookMonth[];
}

/** Delivered next to bought money by month, and the deferred revenue at the end of each month. */
export function RevenueChart({ at, months }: RevenueChartProps): React.ReactNode {
  const wide = useMedia(NOT_MOBILE);
  const id = useId();
  const now = monthOf(at);
  const drawn = months.slice(0, wide ? undefined : PHONE_MONTHS).toReversed();
  const marked = months.find(({ month }) => month !== now)?.month;
  return (
    <div className="min-w-0">
      <section aria-labelledby={`${id}-bars`}>
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
          <h2 id={`${id}-bars`} className="display-sm text-24">
            Delivered beside bought
          </h2>
          <ChartLegend solid="Delivered, earned" hatched="Bought, cash in" />
        </div>
        <div className="mt-3 h-[250px] sm:h-[290px]">
          <Suspense fallback={<Skeleton className="h-full" />}>
            <MonthChart
              months={drawn.map((month) => barsOf(month, now))}
              marked={marked}
              label="Chart of what was delivered and bought a month. The arrow keys show the figures of a month."
              axisText={axisText}
              axisWidth={60}
            />
          </Suspense>
        </div>
        <TableToggle note={months[0]!.month === now && `* ${monthText.name(now)} so far.`}>
          <ChartTable months={months} now={now} />
        </TableToggle>
      </section>
      <section aria-labelledby={`${id}-line`} className="mt-6">
        <h2 id={`${id}-line`} className="display-sm text-24">
          Deferred revenue, end of month
        </h2>
        <div className="mt-3 h-[150px]">
          <Suspense fallback={<Skeleton className="h-full" />}>
            <DeferredLine months={drawn} now={now} />
          </Suspense>
        </div>
      </section>
    </div>
  );
}

function barsOf(month: BookMonth, now: string): ChartMonth {
  const inProgress = month.month === now;
  return {
    month: month.month,
    inProgress,
    name: monthText.long(month.month),
    label: monthText.short(month.month) + (inProgress ? '*' : ''),
    // A month in which more was taken back than delivered has no bar.
    solid: Math.max(0, month.recognised_cents),
    hatched: month.sold_cents,
    figures: [
      { label: 'Delivered', text: dollars(month.recognised_cents) },
      { label: 'Bought', text: dollars(month.sold_cents) },
      { label: 'Refunded', text: dollars(0 - month.refunded_cents) },
      { label: 'Disputed', text: dollars(0 - month.charged_back_cents) },
      { label: inProgress ? 'Deferred now' : 'Deferred, close', text: dollars(month.deferred_cents) },
    ],
  };
}

/** `$1,000`; with cents when the axis has less than a dollar between its marks. */
function axisText(cents: number): string {
  const text = dollars(cents);
  return text.endsWith('.00') ? text.slice(0, -3) : text;
}

function ChartTable({ months, now }: { readonly months: readonly BookMonth[]; readonly now: string }): React.ReactNode {
  const column = (label: string, centsOf: (month: BookMonth) => number): ListColumn<BookMonth> => ({
    label,
    numeric: true,
    cell: (month) => <span className={centsOf(month) === 0 ? 'text-ink-3' : undefined}>{amount(centsOf(month))}</span>,
  });
  return (
    <ListRows
      caption="Delivered, bought and deferred a month, US dollars, the latest first"
      columns={[
        { label: 'Month', cell: ({ month }) => `${monthText.long(month)}${month === now ? ' so far' : ''}` },
        column('Delivered', (month) => month.recognised_cents),
        column('Bought', (month) => month.sold_cents),
        column('Deferred, close', (month) => month.deferred_cents),
      ]}
      rows={months}
      rowKey={({ month }) => month}
      className="mt-4"
    />
  );
}
