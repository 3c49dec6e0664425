import { CircleCheck, Clock, TriangleAlert } from 'lucide-react';
import { useRef } from 'react';
import type { BookMonth, MonthClose, RevenueMonths } from '../../../../../src/contract/finance.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { formatUtcTime } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { CsvButton } from '../../../components/work-area/csv-button.js';
import { FigureTable } from '../components/figure-table.js';
import { refusalOf } from '../components/refusal-of.js';
import { useAddress } from '../../../components/work-area/use-address.js';
import { monthOf, monthText } from '../finance-text.js';
import { CloseMonth } from './close-month.js';
import { DeferredAges } from './deferred-ages.js';
import { Headlines } from './headlines.js';
import { MonthState } from './month-state.js';
import { MonthsSelect, WINDOW_MONTHS } from './months-select.js';
import { RevenueChart } from './revenue-chart.js';
import { addsUp, REVENUE_COLUMNS, revenueRow, sumOfMonths } from './revenue-rows.js';

/** A close is mostly done within a second (milliseconds). */
const FOLLOW_MS = 1_500;

/** /finance: revenue by month, from what was bought to what was earned, and what is still owed. */
export default function OverviewPage(): React.ReactNode {
  const [before, show] = useAddress('before');
  const request = { p_limit: WINDOW_MONTHS, ...(before === null ? {} : { p_before: before }) };
  const query = useRpc('list_revenue_months', request, {
    ...liveTimings,
    refetchInterval: ({ state }) => (isWaiting(state.data) ? FOLLOW_MS : liveTimings.refetchInterval),
  });
  const refusal = refusalOf(query.error);
  const found = query.isPlaceholderData ? undefined : query.data;
  return (
    <WorkPage
      title="Finance"
      footer="Months are UTC. Free credits appear in no sum"
      actions={
        <>
          {found && (
            <p className="flex items-center gap-1.5 text-14 tabular-nums text-ink-2 max-sm:hidden">
              <Clock aria-hidden className="size-4" />
              <span>From the ledger at {formatUtcTime(found.at)} UTC</span>
            </p>
          )}
          <MonthsSelect found={query.data} before={before} onChange={show} />
          <CsvButton address={found === undefined || found.months.length === 0 ? null : fileOf(before)} />
        </>
      }
    >
      {refusal !== null ? (
        <p role="alert" className="mt-4 text-14 text-bad">
          {refusal}
        </p>
      ) : (
        <Answer query={query} words={loadWords('revenue')} skeleton={<PageSkeleton />}>
          {(data) => <Months data={data} />}
        </Answer>
      )}
    </WorkPage>
  );
}

function isWaiting(data: unknown): boolean {
  return (data as RevenueMonths | undefined)?.closing?.state === 'waiting';
}

function fileOf(before: string | null): string {
  const query = { limit: String(WINDOW_MONTHS), ...(before === null ? {} : { before }) };
  return `/exports/revenue-months.csv?${new URLSearchParams(query).toString()}`;
}

function Months({
  data: { at, months, next_to_close: next, closing },
}: {
  readonly data: RevenueMonths;
}): React.ReactNode {
  const [latest] = months;
  if (latest === undefined) {
    return (
      <EmptyState className="mt-6" title="The books are empty">
        They begin with the first credits that a person gets or buys.
      </EmptyState>
    );
  }
  return (
    <>
      <Headlines at={at} months={months} />
      <div className="mt-8 grid gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_312px]">
        <RevenueChart at={at} months={months} />
        <DeferredAges month={latest.month} />
      </div>
      <RevenueTable at={at} months={months} next={next} closing={closing} />
    </>
  );
}

interface RevenueTableProps {
  readonly at: string;
  /** The latest first, at least one. */
  readonly months: readonly BookMonth[];
  /** The month that can be closed; null: none. */
  readonly next: string | null;
  /** The newest attempt to close it; null: none. */
  readonly closing: MonthClose | null;
}

function RevenueTable({ at, months, next, closing }: RevenueTableProps): React.ReactNode {
  const holds = months.every(addsUp);
  const title = useRef<HTMLHeadingElement>(null);
  const rows = months.map((month) =>
    revenueRow(month, monthText.long(month.month), <MonthName month={month} at={at} next={next} closing={closing} />),
  );
  const first = months.at(-1)!.month;
  const last = months[0]!.month;
  return (
    <section aria-labelledby="revenue-title" className="mt-10">
      <div className="mb-2 flex flex-wrap items-center gap-x-6 gap-y-2">
        <h2 ref={title} id="revenue-title" tabIndex={-1} className="display-sm text-24">
          Revenue by month, US dollars
        </h2>
        <p className={`flex items-start gap-1.5 text-14 sm:ml-auto ${holds ? 'text-good' : 'text-bad'}`}>
          {holds ? (
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
          ) : (
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          )}
          <span>
            {holds ? 'From opening to closing, every row adds up' : 'A row does not add up from opening to closing'}
          </span>
        </p>
        <CloseMonth next={next} closing={closing} nextFocus={() => title.current} />
      </div>
      <FigureTable
        caption="Revenue by month, the latest first"
        head="Month"
        columns={REVENUE_COLUMNS}
        rows={rows}
        foot={revenueRow(sumOfMonths(months), 'All of these months', 'Sum', first === last ? undefined : first)}
        scrolls
      />
      <p className="mt-3 text-13 text-ink-2">
        Delivered is net of what refunds and disputes took back from earnings. Other: losses, less credits that were
        given up and remainders of prices. Press a figure to see its entries.
      </p>
    </section>
  );
}

interface MonthNameProps extends Pick<RevenueTableProps, 'at' | 'next' | 'closing'> {
  readonly month: BookMonth;
}

function MonthName({ month, at, next, closing }: MonthNameProps): React.ReactNode {
  return (
    <>
      <span className="whitespace-nowrap">
        <span>{monthText.shortYear(month.month)}</span>
        {month.month === monthOf(at) && (
          <>
            <span aria-hidden>*</span>
            <span className="sr-only"> so far</span>
          </>
        )}
      </span>
      <MonthState month={month} at={at} next={next} closing={closing} />
    </>
  );
}

function PageSkeleton(): React.ReactNode {
  return (
    <>
      <Skeleton className="mt-5 h-24 rounded-sm" />
      <Skeleton className="mt-8 h-72 rounded-sm" />
      <Skeleton className="mt-10 h-96 rounded-sm" />
    </>
  );
}
