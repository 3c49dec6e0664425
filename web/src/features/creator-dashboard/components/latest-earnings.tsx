import { useState } from 'react';
import type { CreatorMonth, PayoutCutoffs } from '../../../../../src/contract/revenue.js';
import { DownloadButton } from '../../../components/download-button.js';
import { Pagination } from '../../../components/pagination.js';
import { Loading } from '../../../components/loading.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState, QueryProblem } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';
import { ownDataTimings } from '../../../lib/own-data-timings.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { downloadEarnings } from '../api/download-earnings.js';
import { EarningRows } from './earning-rows.js';

const PAGE_SIZE = 6;
/** The server pages no further; the CSV has them all. */
const MAX_REACHABLE = 10_000;

interface LatestEarningsProps {
  readonly creatorId: string;
  /** For the choice of a month, the latest first. */
  readonly months: readonly Pick<CreatorMonth, 'month' | 'month_name'>[];
  /** Null while they are unknown. */
  readonly cutoffs: PayoutCutoffs | null;
}

/** Earnings, corrections and restorations one by one, the latest first; of all months or of one. */
export function LatestEarnings({ creatorId, months, cutoffs }: LatestEarningsProps): React.ReactNode {
  const [month, setMonth] = useState<string | null>(null);
  const [page, setPage] = useState(1);
  const query = useRpc(
    'get_creator_earnings',
    {
      p_creator_id: creatorId,
      p_month: month,
      p_limit: PAGE_SIZE,
      p_offset: (page - 1) * PAGE_SIZE,
    },
    ownDataTimings,
  );
  const { data, error, isPlaceholderData } = query;
  const total = data?.[0]?.total_count ?? 0;
  const pages = Math.max(1, Math.ceil(Math.min(total, MAX_REACHABLE) / PAGE_SIZE));
  const monthName = months.find((each) => each.month === month)?.month_name;

  return (
    <section aria-labelledby="latest-earnings" className="mt-16">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <h2 id="latest-earnings" className="display-sm text-32">
          Latest Earnings
        </h2>
        <p className="text-14 text-ink-2">
          Each picture, and why it earned what it did. Fans stay anonymous. Times are UTC.
        </p>
      </div>
      {months.length > 0 && (
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <label className="flex items-center gap-3 text-14 text-ink-2">
            Month
            <select
              className="h-10 rounded-ctl border border-line-strong bg-bg px-3 text-14 text-ink pointer-coarse:h-11 pointer-coarse:text-16"
              value={month ?? ''}
              onChange={({ target }) => {
                setMonth(target.value === '' ? null : target.value);
                setPage(1);
              }}
            >
              <option value="">All months</option>
              {months.map(({ month: value, month_name: name }) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <DownloadButton key={month} kind="quiet" load={(signal) => downloadEarnings(creatorId, month, signal)}>
            {monthName ? `${monthName} as CSV` : 'All earnings as CSV'}
          </DownloadButton>
        </div>
      )}
      {error && !data ? (
        <QueryProblem className="mt-4" title="Error loading earnings" retryLabel="Try Again" query={query} />
      ) : !data ? (
        <LoadingRows />
      ) : data.length === 0 ? (
        <EmptyState className="mt-4" title="No earnings yet">
          {monthName
            ? `No fan made an image in your style in ${monthName}.`
            : 'Each image that a fan makes in your style will be listed here, with what it earns.'}
        </EmptyState>
      ) : (
        <div
          className={cx('mt-3 transition-opacity duration-[var(--dur-1)]', isPlaceholderData && 'opacity-60')}
          aria-busy={isPlaceholderData}
        >
          <EarningRows rows={data} cutoffs={cutoffs} />
        </div>
      )}
      {data && data.length > 0 && (
        <div className="mt-4">
          <Pagination label="Pages of the earnings" page={page} pages={pages} onPage={setPage} />
          {total > MAX_REACHABLE && page === pages && (
            <p className="mt-3 text-14 text-ink-2">Older earnings are in the CSV.</p>
          )}
        </div>
      )}
    </section>
  );
}

function LoadingRows(): React.ReactNode {
  return (
    <Loading text="Loading earnings..." className="mt-12">
      {Array.from({ length: PAGE_SIZE }, (_, index) => (
        <div key={index} className="flex h-16 items-center gap-3 border-b border-line sm:h-11">
          <Skeleton className="size-10 rounded-sm sm:size-8" />
          <Skeleton className="h-5 w-1/3 rounded-sm" />
          <Skeleton className="ml-auto h-5 w-16 rounded-sm" />
        </div>
      ))}
    </Loading>
  );
}
