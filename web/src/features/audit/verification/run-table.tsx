import { CircleAlert, CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react';
import type { VerificationRun } from '../../../../../src/contract/audit.js';
import { EmptyState } from '../../../components/states.js';
import { useLinkedPages } from '../../../components/work-area/list-pages.js';
import type { ListColumn } from '../../../components/work-area/list-rows.js';
import { loadWords } from '../../../components/work-area/answer.js';
import { RpcList } from '../../../components/work-area/rpc-list.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { cx } from '../../../lib/cx.js';
import { counted, formatShortDate } from '../../../lib/format.js';
import { shortId } from '../audit-text.js';
import { ProblemList } from './problem-list.js';
import { auditorOf, hasResult, mendedBy, problemsText, progressText, tookText } from './verification-text.js';

interface RunTableProps {
  /** The newest runs, which can be newer than those of the table. */
  readonly newest: readonly VerificationRun[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Full verifications, the newest first; each unfolds to its problems. */
export function RunTable({ newest, now }: RunTableProps): React.ReactNode {
  // The first page is the answer of `useRuns`, which asks again while a run is open.
  const list = useLinkedPages(
    'list_verification_runs',
    {},
    { field: 'p_after', rows: ({ runs }) => runs, toFirst: true },
  );
  return (
    <RpcList
      list={list}
      words={{ ...loadWords('the runs'), pages: ['Newest', 'Older'] }}
      empty={
        <EmptyState title="No full verification yet">
          A run reads the whole ledger and compares it with the newest seal, the public log and the database. The
          continuous verification reads what is new.
        </EmptyState>
      }
      blocks={3}
      caption="Full verifications, the newest first"
      columns={columnsOf(newest, now)}
      rowKey={({ id }) => String(id)}
      below={(run) => <span translate="no">{shortId(auditorOf(run))}</span>}
      detail={(run) => <Unfolded run={run} newest={newest} />}
      keys={{ move: 'Run', open: 'Problems', close: 'Close the run' }}
      className="mt-2"
    />
  );
}

function columnsOf(newest: readonly VerificationRun[], now: number): readonly ListColumn<VerificationRun>[] {
  return [
    {
      label: 'When, UTC',
      cell: (run) => formatShortDate(run.requested_at, new Date(now), 'UTC'),
      className: 'whitespace-nowrap',
    },
    {
      label: 'By',
      muted: true,
      wideOnly: true,
      cell: (run) => <span title={run.requested_by}>{shortId(auditorOf(run), 18)}</span>,
    },
    {
      label: 'Against',
      muted: true,
      wideOnly: true,
      className: 'whitespace-nowrap',
      cell: ({ result }) => (result === null ? '' : result.seal === null ? 'No seal' : `Seal ${result.seal.number}`),
    },
    {
      label: 'Events',
      numeric: true,
      wideOnly: true,
      cell: (run) => (hasResult(run) ? counted(run.events) : ''),
    },
    {
      label: 'Took',
      numeric: true,
      muted: true,
      wideOnly: true,
      cell: ({ started_at: from, ended_at: to }) => from !== null && to !== null && tookText(from, to),
    },
    { label: 'Result', cell: (run) => <State run={run} newest={newest} /> },
  ];
}

interface StateProps {
  readonly run: VerificationRun;
  readonly newest: readonly VerificationRun[];
}

function State({ run, newest }: StateProps): React.ReactNode {
  const mark = (Icon: typeof CircleCheck, tone: string, text: string): React.ReactNode => (
    <span className={cx('inline-flex items-center gap-1.5', tone)}>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span>{text}</span>
    </span>
  );
  if (run.ended_at === null) {
    return mark(LoaderCircle, 'text-ink-2', progressText(run, newest.find(hasResult)));
  }
  if (run.failure !== null) return mark(CircleAlert, 'text-bad', 'Failed');
  if (run.problems === 0) return mark(CircleCheck, 'text-good', problemsText(0));
  const mended = mendedBy(run, newest) === undefined ? '' : ', mended';
  return mark(TriangleAlert, 'text-warn', `${problemsText(run.problems)}${mended}`);
}

function Unfolded({ run, newest }: StateProps): React.ReactNode {
  const { requested_at: requested, started_at: started, ended_at: ended, failure, result } = run;
  const mended = mendedBy(run, newest);
  return (
    <div className="[overflow-wrap:anywhere]">
      {failure !== null && <p className="py-1 text-bad">{failure}</p>}
      {result !== null && result.first.length > 0 && <ProblemList problems={result.first} total={run.problems} />}
      {mended && <p className="text-ink-2">The run of {formatUtcInstant(mended.requested_at)} found no problems.</p>}
      <p className="mt-1 text-13 text-ink-2">
        Asked for by {auditorOf(run)} ({run.requested_by}) at {formatUtcInstant(requested)}
        {started !== null && `, started ${formatUtcInstant(started)}`}
        {ended !== null && `, ended ${formatUtcInstant(ended)}`}.
        {result?.checkpoint_size != null &&
          ` The public log continues our checkpoint of ${counted(result.checkpoint_size, 'event')}.`}
      </p>
    </div>
  );
}
