import { Link, useSearchParams } from 'react-router-dom';
import type { ApplicationRow, ApplicationState } from '../../../../../src/contract/applications.js';
import { Avatar } from '../../../components/avatar.js';
import { Skeleton, Skeletons } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { cx } from '../../../lib/cx.js';
import { formatShortDate } from '../../../lib/format.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { ListDetail } from '../../../components/work-area/list-detail.js';
import { pageOf } from '../../../components/pagination.js';
import { useNumberedPages } from '../../../components/work-area/list-pages.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatCount, PageCount } from '../../../components/work-area/page-count.js';
import { SearchField } from '../../../components/work-area/search-field.js';
import { since } from '../../../components/work-area/since.js';
import { useQueue } from '../../../components/work-area/use-queue.js';
import { useTypedSearch } from '../../../components/work-area/use-typed-search.js';
import { ApplicationDetail } from './application-detail.js';
import { STATES } from './application-text.js';
import { useReview } from './use-review.js';
import { Name } from '../../../components/name.js';

const PAGE_SIZE = 50;
const keyOf = (row: ApplicationRow): string => row.creator_id;

/** /admin/applications: applicants, one decision at a time, and creators who wait for a model. */
export default function ApplicationsPage(): React.ReactNode {
  const [address, setAddress] = useSearchParams();
  const { state, empty } = STATES.find((each) => each.state === address.get('tab')) ?? STATES[0]!;
  const search = address.get('search') ?? '';
  const [text, setText] = useTypedSearch(search, (next) =>
    setAddress(next === '' ? { tab: state } : { tab: state, search: next }, { replace: true }),
  );
  const list = useNumberedPages('list_applications_admin', { p_state: state, p_search: search }, PAGE_SIZE, {
    timings: liveTimings,
    at: [pageOf(address), (page, options) => setAddress({ tab: state, search, page: String(page) }, options)],
  });
  const { query } = list;
  // While another tab loads, the answer to the former one is still there.
  const rows = list.rows.filter((row) => row.state === state);
  const total = rows[0]?.total_count ?? 0;
  const queue = useQueue(rows, keyOf);
  const review = useReview(queue);
  const open = state === 'pending' || state === 'waiting_for_model';
  const now = query.dataUpdatedAt;

  return (
    <WorkPage
      title="Applications"
      actions={
        <div className="relative w-full sm:w-64">
          <SearchField
            label="Search applications"
            placeholder="Name, handle or address"
            maxLength={100}
            value={text}
            onText={setText}
            className="h-10 border-line-strong bg-bg pr-3"
          />
        </div>
      }
      footer={footerOf(state, total, rows[0], now)}
    >
      <StateLinks state={state} />
      <RpcList
        list={{ ...list, rows }}
        words={loadWords('applications')}
        empty={
          <EmptyState title={search === '' ? empty : 'Nothing found'}>
            {search !== '' && `No application here has '${search}' in its name, handle or address.`}
          </EmptyState>
        }
        skeleton={<Blocks />}
      >
        {() => (
          <ListDetail
            queue={queue}
            label={STATES.find((each) => each.state === state)?.label ?? 'Applications'}
            head={
              <div className="flex h-9 items-center justify-between border-b border-line px-3 text-13 text-ink-2">
                <span>Applicant</span>
                <span>{open ? 'Waits' : 'Decided, UTC'}</span>
              </div>
            }
            row={(row) => <Row row={row} open={open} now={now} />}
            foot={
              <p className="mt-3 text-13 text-ink-2">
                {open ? 'Oldest first.' : 'Latest first.'}
                {state === 'pending' &&
                  ' An application within 90 days of a rejection is refused by the server and is not in this list.'}
              </p>
            }
            detailLabel={(row) => `Application of ${row.name}`}
            detail={(row) => <ApplicationDetail key={row.creator_id} row={row} review={review} />}
          />
        )}
      </RpcList>
    </WorkPage>
  );
}

function footerOf(state: ApplicationState, total: number, oldest: ApplicationRow | undefined, now: number): string {
  if (state !== 'pending') return `${formatCount(total)} in this list`;
  const waits = oldest?.applied_at ? `, oldest ${since(oldest.applied_at, now)}` : '';
  return `${formatCount(total)} pending${waits}`;
}

function StateLinks({ state: current }: { readonly state: ApplicationState }): React.ReactNode {
  return (
    <nav
      aria-label="Applications by state"
      className="no-scrollbar mt-4 flex gap-6 overflow-x-auto border-b border-line sm:gap-7"
    >
      {STATES.map(({ state, label }) => (
        <Link
          key={state}
          to={state === 'pending' ? '?' : `?tab=${state}`}
          aria-current={state === current ? 'page' : undefined}
          className={cx(
            'inline-flex h-11 shrink-0 items-center gap-2 whitespace-nowrap border-b-2 text-14',
            state === current ? 'border-seal-mark font-[560] text-ink' : 'border-transparent text-ink-2 hover:text-ink',
          )}
        >
          <span>{label}</span>
          {(state === 'pending' || state === 'waiting_for_model') && <OpenCount state={state} />}
        </Link>
      ))}
    </nav>
  );
}

function OpenCount({ state }: { readonly state: ApplicationState }): React.ReactNode {
  const { data } = useRpc('list_applications_admin', { p_state: state, p_limit: 1 }, liveTimings);
  return <PageCount count={data?.[0]?.total_count} />;
}

interface RowProps {
  readonly row: ApplicationRow;
  readonly open: boolean;
  readonly now: number;
}

function Row({ row, open, now }: RowProps): React.ReactNode {
  const waitsSince = row.state === 'pending' ? row.applied_at : row.decided_at;
  const day = (iso: string | null): string => (iso === null ? '' : formatShortDate(iso, new Date(now), 'UTC'));
  return (
    <span className="flex min-h-14 items-center gap-3 px-3 py-2 text-14">
      <Avatar name={row.name} shape="tile" size={32} />
      <span className="min-w-0 flex-1">
        <span translate="no" className="block truncate font-[560]">
          {row.name}
        </span>
        <span className="block truncate text-13 text-ink-2">
          <Name>{row.instagram}</Name>
          <span>
            {open && ` · ${row.state === 'pending' ? day(row.applied_at) : `approved ${day(row.decided_at)}`}`}
          </span>
        </span>
      </span>
      {row.question !== null && (
        <span className={cx('shrink-0 text-13', row.question === 'answered' ? 'text-good' : 'text-ink-2')}>
          {row.question === 'answered' ? 'Answered' : 'Asked'}
        </span>
      )}
      <span className="shrink-0 text-right tabular-nums">
        {open ? waitsSince !== null && since(waitsSince, now) : day(row.decided_at)}
      </span>
    </span>
  );
}

function Blocks(): React.ReactNode {
  return (
    <div className="mt-4 grid gap-8 lg:grid-cols-[minmax(300px,420px)_minmax(0,1fr)]">
      <div className="space-y-2">
        <Skeletons count={4} className="h-14 rounded-sm" />
      </div>
      <Skeleton className="h-[420px]" />
    </div>
  );
}
