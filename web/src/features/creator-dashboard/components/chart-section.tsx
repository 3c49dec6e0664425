import { lazy, Suspense, useId } from 'react';
import type { CreatorMonth } from '../../../../../src/contract/revenue.js';
import { ChartLegend } from '../../../components/chart-legend.js';
import { HeadCells } from '../../../components/head-cells.js';
import type { ChartMonth as Bars } from '../../../components/month-chart.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { TableToggle } from '../../../components/table-toggle.js';
import { cx } from '../../../lib/cx.js';
import { monthText } from '../../../lib/months.js';
import { NOT_MOBILE, useMedia } from '../../../lib/use-media.js';
import { chartMonths, type ChartMonth } from '../chart-months.js';
import { count, dollars } from '../money.js';

const MonthChart = lazy(() =>
  import('../../../components/month-chart.js').then(({ MonthChart }) => ({ default: MonthChart })),
);

/** Months of the chart, the one in progress included. */
const WIDE_MONTHS = 10;
const PHONE_MONTHS = 6;

interface ChartSectionProps {
  /** Complete months, the last one first. */
  readonly history: readonly CreatorMonth[];
  readonly current: CreatorMonth;
}

/** The chart of the last months, with the same figures as a table. */
export function ChartSection({ history, current }: ChartSectionProps): React.ReactNode {
  const wide = useMedia(NOT_MOBILE);
  const titleId = useId();
  const months = chartMonths(history, current);
  const last = history[0];
  const some = months.some(({ paid, free }) => paid + free > 0);
  const title = last
    ? `${monthText.name(last.month)}: ${dollars(last.creator_earnings)}`
    : `${monthText.name(current.month)} so far: ${dollars(current.creator_earnings)}`;

  return (
    <section aria-labelledby={titleId}>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h2 id={titleId} className="display-sm text-32 tabular-nums">
          {title}
        </h2>
        {some && <ChartLegend solid="Paid images" hatched="Free images" />}
      </div>
      {some ? (
        <>
          <div className="mt-4 h-[250px] sm:h-[290px]">
            <Suspense fallback={<Skeleton className="h-full" />}>
              <MonthChart
                months={months.slice(wide ? -WIDE_MONTHS : -PHONE_MONTHS).map(barsOf)}
                marked={last?.month}
                label="Chart of paid and free images a month. The arrow keys show the figures of a month."
                axisText={count}
                barText={count}
              />
            </Suspense>
          </div>
          <TableToggle
            note={`* ${monthText.name(current.month)} so far. Free images earn nothing and are not added to paid ones.`}
          >
            <MonthTable months={months} />
          </TableToggle>
        </>
      ) : (
        <EmptyState className="mt-4" title="No images yet">
          Paid and free images of each month will stand here side by side.
        </EmptyState>
      )}
    </section>
  );
}

function barsOf({ month, label, name, paid, free, earnings, changes, inProgress }: ChartMonth): Bars {
  return {
    month,
    label,
    name,
    inProgress,
    solid: paid,
    hatched: free,
    figures: [
      { label: 'Paid images', text: count(paid) },
      { label: 'Your half', text: dollars(earnings) },
      ...changes.map(({ label: change, amount }) => ({ label: change, text: dollars(amount) })),
      { label: 'Free images', text: count(free) },
      { label: 'Earned by free', text: dollars(0) },
    ],
  };
}

const CELL = 'py-2 pl-3 text-right align-bottom tabular-nums';

function MonthTable({ months }: { months: readonly ChartMonth[] }): React.ReactNode {
  return (
    <table className="mt-4 w-full border-collapse text-14">
      <caption className="sr-only">Paid and free images a month, the latest first</caption>
      <thead>
        <tr className="border-b border-line text-13 text-ink-2">
          <HeadCells
            cells={[
              ['Month', 'py-2 text-left align-bottom font-[400]'],
              ['Paid images', cx(CELL, 'font-[400]')],
              ['Free images', cx(CELL, 'font-[400]')],
              ['Your half', cx(CELL, 'font-[400]')],
            ]}
          />
        </tr>
      </thead>
      <tbody>
        {months.toReversed().map(({ month, name, paid, free, earnings, changes, inProgress }) => (
          <tr key={month} className="border-b border-line">
            <th scope="row" className="py-2 text-left font-[400]">
              {inProgress ? `${name} so far` : name}
            </th>
            <td className={CELL}>{count(paid)}</td>
            <td className={CELL}>{count(free)}</td>
            <td className={CELL}>
              <span>{dollars(earnings)}</span>
              {changes.map(({ label, amount }) => (
                <span key={label} className="block text-13 text-ink-2">
                  {`${dollars(amount)} ${label.replace('of it ', '')}`}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
