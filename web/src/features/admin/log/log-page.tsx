import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { AdminAct } from '../../../../../src/contract/acts.js';
import type { ActFilter } from '../../../../../src/contract/calls/acts.js';
import { copyLink } from '../../../components/copy.js';
import { EmptyState } from '../../../components/states.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { formatCount } from '../../../components/work-area/page-count.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { ActItem, logColumns } from './entries.js';
import { Entry } from './entry.js';
import { aboutText, entryAddress } from './entry-text.js';
import { About, LogFilters } from './log-filters.js';
import { useLogFilter, type LogFilter } from './use-log-filter.js';

const PAGE_SIZE = 50;
/** Narrower screens have no room for five columns. */
const ROOM_FOR_TABLE = '(min-width: 860px)';

/** /admin/log: the acts of admins and finance people, the latest first. Each entry unfolds. */
export default function LogPage(): React.ReactNode {
  const filter = useLogFilter();
  const log = useActLog(filter);
  return (
    <WorkPage
      title="Log of admin acts"
      actions={<LogFilters filter={filter} file={fileOf(filter.request)} />}
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
        <LogFilters filter={filter} file={fileOf(filter.request)} />
      </div>
      <ActLog log={log} filter={filter} narrow />
    </>
  );
}

/** The page of the log that a filter selects, and its file. */
function useActLog(filter: LogFilter) {
  const { request, before, skipped, newer, older } = filter;
  // One more than the page shows: is there an older page?
  const query = useRpc('list_admin_acts', { ...request, p_before: before, p_limit: PAGE_SIZE + 1 }, liveTimings);
  const acts = (query.data ?? []).slice(0, PAGE_SIZE);
  const last = (query.data?.length ?? 0) > PAGE_SIZE ? acts.at(-1) : undefined;
  const total = query.data?.[0]?.total_count ?? 0;
  const turn = (go: () => void) => (): void => {
    go();
    document.getElementById('main')?.focus();
  };
  const pages = {
    previous: before === null ? null : turn(newer),
    next: last === undefined ? null : turn(() => older(last.number)),
    text: acts.length > 0 && rangeText(skipped(PAGE_SIZE), acts.length, total),
  };
  return { query, total, acts, list: { query, rows: acts, pages } };
}

/** `1 to 50 of 51`; `2 of 51` when the place of the page is unknown. */
function rangeText(first: number | null, shown: number, total: number): string {
  if (first === null) return `${shown} of ${formatCount(total)}`;
  return `${(first + 1).toLocaleString('en-US')} to ${(first + shown).toLocaleString('en-US')} of ${formatCount(total)}`;
}

interface ActLogProps {
  /** A list in any case: the entries have a part of the width. */
  readonly narrow?: boolean;
  readonly log: ReturnType<typeof useActLog>;
  readonly filter: LogFilter;
}

function ActLog({ log, filter, narrow = false }: ActLogProps): React.ReactNode {
  const { query, acts, list } = log;
  const { open, unfold } = filter;
  const [focused, setFocused] = useState<string | null>(null);
  useKeys([{ keys: ['C'], label: 'Copy link', run: () => void (current && copyEntry(current)) }]);
  const current = acts.find(({ id }) => id === focused) ?? acts.find(({ id }) => id === open) ?? acts[0];
  const now = query.dataUpdatedAt;
  return (
    <>
      <RpcList
        list={list}
        words={{ ...loadWords('the log'), pages: ['Newer', 'Older'] }}
        empty={<Nothing filtered={filter.filtered || filter.before !== null} unfiltered={filter.unfiltered} />}
        blocks={12}
        caption="Acts, the latest first"
        {...(!narrow && { columns: logColumns(now) })}
        item={(act) => <ActItem act={act} now={now} />}
        wideFrom={ROOM_FOR_TABLE}
        rowKey={({ id }) => id}
        detail={(act) => <Entry act={act} onCopy={() => copyEntry(act)} />}
        open={open}
        onOpen={unfold}
        onFocus={setFocused}
        sort={{ by: 'time', all: [], onSort: () => undefined }}
        keys={{ open: 'Unfold' }}
        className="mt-4 table-fixed"
      />
      {query.data && (
        <p className="mt-4 text-13 text-ink-2">
          Entries cannot be changed or removed. Acts on credits are events of the ledger as well, and are sealed with
          it.
        </p>
      )}
    </>
  );
}

function copyEntry(act: AdminAct): void {
  void copyLink(window.location.origin + entryAddress(act));
}

/** The file with all entries that match. */
function fileOf(filter: ActFilter): string {
  const chosen = Object.entries(filter).filter((field): field is [string, string] => typeof field[1] === 'string');
  const query = new URLSearchParams(chosen).toString();
  return `/exports/admin-acts.csv${query && `?${query}`}`;
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
    return <EmptyState title="No acts yet">Each act of an admin appears here.</EmptyState>;
  }
  return (
    <EmptyState title="No act matches">
      <Link className="link" to={unfiltered}>
        Show all
      </Link>
    </EmptyState>
  );
}
