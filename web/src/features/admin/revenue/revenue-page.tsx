import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type CreatorSort } from '../../../../../src/contract/applications.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { formatMoney } from '../../../lib/format.js';
import { moneyText } from '../../../lib/money-parts.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { LoadProblem } from '../../../components/work-area/load-problem.js';
import { pageOf } from '../../../components/pagination.js';
import { useNumberedPages } from '../../../components/work-area/list-pages.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { useRowKeys } from '../../../components/work-area/use-row-keys.js';
import { CREATOR_SORTS, sortOf } from './creator-sorts.js';
import { RevenueCard } from './revenue-card.js';

const PAGE_SIZE = 24;
const CARDS = 'mt-4 grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3';

/** The earnings of the platform and its creators, and each active creator (creator spec, section 2). */
export default function RevenuePage(): React.ReactNode {
  const [params, setParams] = useSearchParams();
  const sort = sortOf(params.get('sort'));
  const cards = useRowKeys<HTMLDivElement>({});
  const order = useRef<HTMLSelectElement>(null);
  useKeys([{ keys: ['S'], label: 'Sort', run: () => order.current?.focus() }]);
  const change = (next: { readonly sort?: CreatorSort; readonly page?: number }): void => {
    const search = new URLSearchParams(params);
    if (next.sort) search.set('sort', next.sort);
    if (next.page && next.page > 1) search.set('page', String(next.page));
    else search.delete('page');
    setParams(search, { replace: true });
  };
  const list = useNumberedPages('list_revenue_creators_admin', { p_sort: sort }, PAGE_SIZE, {
    at: [pageOf(params), (page) => change({ page })],
  });
  const { query, total } = list;

  return (
    <WorkPage
      title="Revenue Management"
      back={{ to: '/admin', label: 'Back to Admin Dashboard' }}
      size={56}
      footer="Line: revenue by UTC month, the last one so far, on each creator's own scale."
    >
      <div className="mt-6">
        <Totals />
      </div>
      <section aria-labelledby="creators" className="mt-10">
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <h2 id="creators" className="display-sm text-32">
            Creators{query.data && ` (${total.toLocaleString('en')})`}
          </h2>
          <label className="flex items-center gap-2 text-14 text-ink-2">
            Sort
            <select
              ref={order}
              value={sort}
              onChange={(event) => change({ sort: sortOf(event.target.value) })}
              className="touch h-10 rounded-ctl border border-line-strong bg-surface px-3 text-14 font-[560] text-ink"
            >
              {CREATOR_SORTS.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </div>
        <RpcList
          list={list}
          words={loadWords('creators', 'active creators')}
          empty={<EmptyState title="No Active Creators">There are currently no active creators to display.</EmptyState>}
          skeleton={
            <div className={CARDS}>
              {[0, 1, 2].map((index) => (
                <Skeleton key={index} className="h-108 rounded-panel" />
              ))}
            </div>
          }
        >
          {(rows) => (
            <div ref={cards} className={CARDS}>
              {rows.map((creator) => (
                <RevenueCard key={creator.id} creator={creator} />
              ))}
            </div>
          )}
        </RpcList>
      </section>
    </WorkPage>
  );
}

/** The cards of the platform and of all creators. */
function Totals(): React.ReactNode {
  const totals = useRpc('get_platform_revenue_admin', {});
  const { data } = totals;
  if (totals.isError && !data) return <LoadProblem title="The totals could not be loaded." query={totals} />;
  const money = (cents: number | undefined): React.ReactNode =>
    cents === undefined ? <Skeleton className="h-16 w-56" /> : formatMoney(cents);
  return (
    <div aria-busy={!data} className="grid gap-4 lg:grid-cols-[1fr_2.1fr]">
      <p role="status" className="sr-only">
        {data ? '' : 'Loading creators and analytics...'}
      </p>
      <section aria-label="Fanvas Revenue" className="rounded-panel border border-line bg-surface p-6">
        <div className="flex items-center justify-between gap-3">
          <h2 className="text-14 text-ink-2">Fanvas Revenue</h2>
          <p className="rounded-pill bg-hover px-2.5 py-1 text-13 font-[560] text-ink-2">50% share</p>
        </div>
        <div className="display mt-4 text-[3.25rem] tabular-nums sm:text-64">{money(data?.platform_cents)}</div>
        <p className="mt-3 text-13 text-ink-2">{data ? correctionsText(data.corrections_cents) : ' '}</p>
      </section>
      <section
        aria-label="Creator Revenue"
        className="grid items-end gap-6 rounded-panel border border-line bg-surface p-6 lg:grid-cols-[240px_minmax(0,1fr)]"
      >
        <div>
          <h2 className="text-14 text-ink-2">Creator Revenue</h2>
          <div className="display mt-4 text-[3.25rem] tabular-nums sm:text-64">{money(data?.earned_cents)}</div>
          <p className="mt-3 text-13 text-ink-2">{data ? moneyText(data) : ' '}</p>
        </div>
        <dl className="grid gap-4 sm:grid-cols-[auto_auto_auto] sm:gap-0 sm:divide-x sm:divide-line">
          <Figure label="Active Creators">{data?.active_creators.toLocaleString('en')}</Figure>
          <Figure label="This Month Revenue">{data && formatMoney(data.this_month_cents)}</Figure>
          <Figure label="Total Paid Generations">{data?.paid_generations.toLocaleString('en')}</Figure>
        </dl>
      </section>
    </div>
  );
}

function Figure({ label, children }: { label: string; children: React.ReactNode }): React.ReactNode {
  return (
    <div className="sm:px-4">
      <dt className="text-13 text-ink-2">{label}</dt>
      <dd className="display-sm mt-1.5 text-32 tabular-nums">{children ?? <Skeleton className="h-8 w-16" />}</dd>
    </div>
  );
}

/** Corrections as a sentence; they are already in the total. */
function correctionsText(cents: number): string {
  return cents === 0 ? 'No corrections' : `After ${formatMoney(Math.abs(cents))} of corrections`;
}
