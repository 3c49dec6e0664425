import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ActFilter, AdminAct } from '../../../../../src/contract/acts.js';
import { Button } from '../../../components/button.js';
import { copyLink } from '../../../components/copy.js';
import { Skeleton } from '../../../components/skeleton.js';
import { EmptyState } from '../../../components/states.js';
import { downloadExport } from '../../../lib/download-export.js';
import { useDownload } from '../../../lib/use-download.js';
import { refreshRpc, useRpc } from '../../../lib/use-rpc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { Answer } from '../../../components/work-area/answer.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { formatCount } from '../../../components/work-area/place-count.js';
import { rowId } from '../../../components/work-area/use-queue.js';
import { Entries } from './entries.js';
import { aboutText, entryAddress } from './entry-text.js';
import { About, LogFilters } from './log-filters.js';
import { useLogFilter, type LogFilter } from './use-log-filter.js';

const PAGE_SIZE = 50;

/** /admin/log: the acts of admins and finance people, the latest first. Each entry unfolds. */
export default function LogPage(): React.ReactNode {
  const filter = useLogFilter();
  const log = useActLog(filter);
  return (
    <WorkPage
      title="Log of admin acts"
      actions={<LogFilters filter={filter} exporting={log.csv.busy} onExport={log.csv.start} />}
      footer={log.query.data && countText(log.total, filter.filtered)}
    >
      {filter.values.about !== null && (
        <About about={aboutText(filter.values.about, log.acts)} onClear={() => filter.change('about', null)} />
      )}
      <ActLog log={log} filter={filter} />
    </WorkPage>
  );
}

/** The acts that concern a user, with the filters and the file of the log. */
export function LogOfUser({ userId }: { readonly userId: string }): React.ReactNode {
  const filter = useLogFilter(userId);
  const log = useActLog(filter);
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <LogFilters filter={filter} exporting={log.csv.busy} onExport={log.csv.start} />
      </div>
      <ActLog log={log} filter={filter} narrow />
    </>
  );
}

/** The page of the log that a filter selects, and its file. */
function useActLog(filter: LogFilter) {
  const { request, before } = filter;
  // One more than the page shows: is there an older page?
  const query = useRpc('list_admin_acts', { ...request, p_before: before, p_limit: PAGE_SIZE + 1 }, liveTimings);
  const csv = useCsv(request);
  useKeys([{ keys: ['E'], label: 'CSV', run: csv.start }]);
  return {
    query,
    csv,
    acts: (query.data ?? []).slice(0, PAGE_SIZE),
    hasOlder: (query.data?.length ?? 0) > PAGE_SIZE,
    total: query.data?.[0]?.total_count ?? 0,
  };
}

interface ActLogProps {
  /** See {@link Entries}. */
  readonly narrow?: boolean;
  readonly log: ReturnType<typeof useActLog>;
  readonly filter: LogFilter;
}

function ActLog({ log, filter, narrow = false }: ActLogProps): React.ReactNode {
  const { query, csv, acts, hasOlder, total } = log;
  const rows = useRows(acts, filter);
  return (
    <>
      <p role="alert" className="mt-4 text-14 text-bad empty:hidden">
        {csv.failure !== null && `The file could not be downloaded. ${csv.failure}`}
      </p>
      <Answer
        query={query}
        failure="Failed to load the log. Please try again."
        loadingText="Loading the log..."
        skeleton={<Blocks />}
      >
        {() => (
          <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? 'opacity-60' : undefined}>
            {acts.length === 0 ? (
              <Nothing filtered={filter.filtered || filter.before !== null} unfiltered={filter.unfiltered} />
            ) : (
              <Entries
                narrow={narrow}
                acts={acts}
                now={query.dataUpdatedAt}
                open={filter.open}
                tabStop={rows.current?.id}
                onFocus={rows.focus}
                onToggle={rows.toggle}
                onCopy={copyEntry}
              />
            )}
            <Pages filter={filter} acts={acts} hasOlder={hasOlder} total={total} />
            <p className="mt-4 text-13 text-ink-2">
              Entries cannot be changed or removed. Acts on credits are events of the ledger as well, and are sealed
              with it.
            </p>
          </div>
        )}
      </Answer>
    </>
  );
}

interface Rows {
  /** The row that the keys work on: the one with the focus, else the unfolded one, else the first. */
  readonly current: AdminAct | undefined;
  readonly focus: (id: string) => void;
  readonly toggle: (act: AdminAct) => void;
}

/** The current row, and its keys. */
function useRows(acts: readonly AdminAct[], { open, unfold }: LogFilter): Rows {
  const [focused, focus] = useState<string | null>(null);
  const current = acts.find(({ id }) => id === focused) ?? acts.find(({ id }) => id === open) ?? acts[0];
  const toggle = (act: AdminAct): void => unfold(act.id === open ? null : act.id);
  const move = (step: 1 | -1): void => {
    if (!current) return;
    const row = (id: string): HTMLElement | null => document.getElementById(rowId(id));
    const isFocused = row(current.id) === document.activeElement;
    const next = isFocused ? acts[acts.indexOf(current) + step] : current;
    if (next) row(next.id)?.focus();
  };
  useKeys([
    { keys: ['J', 'K'], label: 'Move', run: (key) => move(key === 'J' ? 1 : -1) },
    { keys: ['↓', '↑'], label: 'Next, previous row', quiet: true, run: (key) => move(key === '↓' ? 1 : -1) },
    { keys: ['↵'], label: 'Unfold', run: () => current && toggle(current) },
    { keys: ['C'], label: 'Copy link', run: () => current && copyEntry(current) },
  ]);
  return { current, focus, toggle };
}

function copyEntry(act: AdminAct): void {
  void copyLink(window.location.origin + entryAddress(act));
}

/** The file with all entries that match. The export is an act itself. */
function useCsv(filter: ActFilter) {
  const { busy, failure, start } = useDownload(async (signal) => {
    const chosen = Object.entries(filter).filter((field): field is [string, string] => typeof field[1] === 'string');
    const query = new URLSearchParams(chosen).toString();
    const file = await downloadExport(
      `/exports/admin-acts.csv${query && `?${query}`}`,
      'fanvas-admin-acts.csv',
      signal,
    );
    refreshRpc('list_admin_acts');
    return file;
  });
  return { busy, failure, start: () => void start() };
}

interface PagesProps {
  readonly filter: LogFilter;
  readonly acts: readonly AdminAct[];
  readonly hasOlder: boolean;
  readonly total: number;
}

function Pages({ filter, acts, hasOlder, total }: PagesProps): React.ReactNode {
  const { before, skipped, newer, older } = filter;
  const last = acts.at(-1);
  const first = skipped(PAGE_SIZE);
  const turn = (go: () => void): void => {
    go();
    document.getElementById('main')?.focus();
  };
  return (
    <nav aria-label="Pages" className="mt-4 flex items-center gap-2">
      <Button size={32} disabled={before === null} onClick={() => turn(newer)}>
        Newer
      </Button>
      <Button size={32} disabled={!hasOlder} onClick={() => last && turn(() => older(last.number))}>
        Older
      </Button>
      <p aria-live="polite" className="ml-auto text-14 tabular-nums text-ink-2">
        {acts.length > 0 &&
          (first === null
            ? `${acts.length} of ${formatCount(total)}`
            : `${(first + 1).toLocaleString('en-US')} to ${(first + acts.length).toLocaleString('en-US')} of ${formatCount(total)}`)}
      </p>
    </nav>
  );
}

/** `51 acts match`, `1 act in all`. */
function countText(total: number, filtered: boolean): string {
  const one = total === 1;
  const acts = `${formatCount(total)} ${one ? 'act' : 'acts'}`;
  if (!filtered) return `${acts} in all`;
  return `${acts} ${one ? 'matches' : 'match'}`;
}

interface NothingProps {
  readonly filtered: boolean;
  readonly unfiltered: string;
}

function Nothing({ filtered, unfiltered }: NothingProps): React.ReactNode {
  if (!filtered) {
    return (
      <EmptyState className="mt-4" title="No acts yet">
        Each act of an admin appears here.
      </EmptyState>
    );
  }
  return (
    <EmptyState className="mt-4" title="No act matches">
      <Link className="link" to={unfiltered}>
        Show all
      </Link>
    </EmptyState>
  );
}

function Blocks(): React.ReactNode {
  return (
    <div className="mt-4 space-y-px">
      {Array.from({ length: 12 }, (_, index) => (
        <div key={index} className="flex h-11 items-center gap-6 border-b border-line px-3">
          <Skeleton className="h-4 w-32 rounded-sm" />
          <Skeleton className="h-4 w-28 rounded-sm max-sm:hidden" />
          <Skeleton className="h-4 w-40 rounded-sm" />
        </div>
      ))}
    </div>
  );
}
