import { CloudOff } from 'lucide-react';
import type { OwnCreator } from '../../../../src/contract/creators.js';
import { Banner } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Skeleton } from '../../components/skeleton.js';
import { QueryProblem, type RepeatableQuery } from '../../components/states.js';
import { StatementDownload } from '../../components/statement-download.js';
import { formatShortDate } from '../../lib/format.js';
import { ownDataTimings } from '../../lib/own-data-timings.js';
import { useRpc } from '../../lib/use-rpc.js';
import { AnalyticsOverview } from './components/analytics-overview.js';
import { ChartSection } from './components/chart-section.js';
import { EarningsCards } from './components/earnings-cards.js';
import { HistoryTable } from './components/history-table.js';
import { LatestEarnings } from './components/latest-earnings.js';
import { MoneyBar } from './components/money-bar.js';
import { NextPayout } from './components/next-payout.js';
import { PayoutList } from './components/payout-list.js';
import { statementPath } from './statement-path.js';
import { problemOf } from '../../lib/problem-of.js';

/** Creator spec, section 9. */
const MONTHS_BACK = 24;

interface RevenueTabProps {
  readonly creator: OwnCreator;
  readonly embedded?: boolean;
}

/** Earnings of the creator: sums, months, and one by one (creator spec, section 2). */
export function RevenueTab({ creator, embedded = false }: RevenueTabProps): React.ReactNode {
  const analytics = useRpc('get_creator_dashboard_analytics', { p_creator_id: creator.id }, ownDataTimings);
  const history = useRpc(
    'get_creator_monthly_history',
    { p_creator_id: creator.id, p_months_back: MONTHS_BACK },
    ownDataTimings,
  );
  const current = analytics.data?.this_month;
  const complete = history.data?.monthly_breakdown;
  const months = (complete ?? []).map((month) => ({
    ...month,
    statement: statementPath(month.month, embedded ? creator.id : null),
  }));

  if (analytics.isError && !analytics.data) {
    return (
      <QueryProblem title="Error loading your earnings" retryLabel="Try Again" query={analytics}>
        {problemOf(analytics.error)} Your earnings are safe.
      </QueryProblem>
    );
  }
  return (
    <div aria-busy={!analytics.data}>
      <p role="status" className="sr-only">
        {analytics.data ? '' : 'Loading revenue...'}
      </p>
      {analytics.isError && <Stale query={analytics} />}
      <EarningsCards analytics={analytics.data} />
      <MoneyBar revenue={analytics.data?.revenue} />
      <div className="mt-16 grid gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1fr)_300px]">
        <div className="min-w-0">
          {history.isError && !complete ? (
            <QueryProblem title="Error loading your months" retryLabel="Try Again" query={history} />
          ) : (
            <>
              {current && complete ? <ChartSection history={complete} current={current} /> : <ChartSkeleton />}
              <section aria-labelledby="monthly-history" className="mt-12">
                <h2 id="monthly-history" className="display-sm text-32">
                  Monthly Revenue History
                </h2>
                {complete ? <HistoryTable months={months} /> : <Skeleton className="mt-4 h-[380px]" />}
              </section>
            </>
          )}
          <PayoutList creatorId={creator.id} />
        </div>
        <aside aria-label="Overview">
          <AnalyticsOverview stats={analytics.data?.stats} />
          <NextPayout analytics={analytics.data} embedded={embedded} />
        </aside>
      </div>
      <LatestEarnings
        creatorId={creator.id}
        months={current ? [current, ...months] : months}
        cutoffs={analytics.data?.revenue ?? null}
      />
      {!embedded && <StatementDownload subject="Every change of your earnings" address="/ledger/earnings-statement" />}
    </div>
  );
}

function ChartSkeleton(): React.ReactNode {
  return (
    <>
      <Skeleton className="h-8 w-52 rounded-sm" />
      <Skeleton className="mt-4 h-[250px] sm:h-[290px]" />
    </>
  );
}

interface StaleProps {
  readonly query: RepeatableQuery & { readonly dataUpdatedAt: number };
}

/** The figures are older than they should be. */
function Stale({ query }: StaleProps): React.ReactNode {
  const at = new Date(query.dataUpdatedAt);
  return (
    <Banner tone="warn" icon={<CloudOff aria-hidden />} className="mb-4">
      <span>
        These figures are from {formatShortDate(at.toISOString(), at, 'UTC')} UTC; newer ones could not be loaded.
      </span>
      <Button
        size={32}
        className="mt-2 text-ink sm:mt-0 sm:ml-3"
        busy={query.isFetching}
        busyLabel="Trying..."
        onClick={() => void query.refetch()}
      >
        Try Again
      </Button>
    </Banner>
  );
}
