import { CircleAlert, CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { VerificationRun } from '../../../../../src/contract/audit.js';
import { useKeys } from '../../../components/work-area/keys.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { cx } from '../../../lib/cx.js';
import { counted, shortId } from '../audit-text.js';
import { ProblemList } from './problem-list.js';
import {
  auditorOf,
  hasResult,
  mendedBy,
  minuteText,
  problemsText,
  progressText,
  tookText,
} from './verification-text.js';

interface RunTableProps {
  /** The newest first. */
  readonly runs: readonly VerificationRun[];
  /** The newest runs, which can be newer than these. */
  readonly newest: readonly VerificationRun[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

const HEAD = 'h-9 px-3 text-left text-13 font-[400] text-ink-2 whitespace-nowrap';
const rowId = (id: number): string => `run-${id}`;

/** Full verifications; each unfolds to its problems. J and K move, Enter unfolds. */
export function RunTable({ runs, newest, now }: RunTableProps): React.ReactNode {
  const [current, setCurrent] = useState<number | null>(null);
  const [open, setOpen] = useState<number | null>(null);
  const stop = runs.some(({ id }) => id === current) ? current : runs[0]?.id;
  const toggle = (id: number): void => setOpen(open === id ? null : id);
  const move = (step: 1 | -1): void => {
    const next = current === null ? runs[0] : runs[runs.findIndex(({ id }) => id === current) + step];
    if (next) document.getElementById(rowId(next.id))?.focus();
  };
  useKeys([
    { keys: ['J', 'K'], label: 'Run', run: (key) => move(key === 'J' ? 1 : -1) },
    { keys: ['↵'], label: 'Problems', run: () => stop !== null && stop !== undefined && toggle(stop) },
    { keys: ['Esc'], label: 'Close the run', quiet: true, run: () => setOpen(null) },
  ]);
  return (
    <table className="mt-2 w-full border-collapse text-14 tabular-nums max-sm:-mx-3 max-sm:w-[calc(100%+1.5rem)]">
      <caption className="sr-only">Full verifications, the newest first</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line">
          <th scope="col" className={HEAD}>
            When, UTC
          </th>
          <th scope="col" className={cx(HEAD, 'max-sm:hidden')}>
            By
          </th>
          <th scope="col" className={cx(HEAD, 'max-sm:hidden')}>
            Against
          </th>
          <th scope="col" className={cx(HEAD, 'text-right max-sm:hidden')}>
            Events
          </th>
          <th scope="col" className={cx(HEAD, 'text-right max-sm:hidden')}>
            Took
          </th>
          <th scope="col" className={HEAD}>
            Result
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Fragment key={run.id}>
            <Row
              run={run}
              newest={newest}
              now={now}
              open={open === run.id}
              isStop={stop === run.id}
              onFocus={() => setCurrent(run.id)}
              onToggle={() => toggle(run.id)}
            />
            {open === run.id && <Unfolded run={run} newest={newest} />}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<RunTableProps, 'newest' | 'now'> {
  readonly run: VerificationRun;
  readonly open: boolean;
  readonly isStop: boolean;
  readonly onFocus: () => void;
  readonly onToggle: () => void;
}

function Row({ run, newest, now, open, isStop, onFocus, onToggle }: RowProps): React.ReactNode {
  const by = auditorOf(run);
  const seal = run.result?.seal ?? null;
  return (
    <tr className={cx('h-11', open ? 'bg-hover' : 'border-b border-line')}>
      <th scope="row" className={cx('px-3 py-2 text-left font-[400]', open && 'row-mark')}>
        <button
          type="button"
          id={rowId(run.id)}
          aria-expanded={open}
          tabIndex={isStop ? 0 : -1}
          onFocus={onFocus}
          onClick={onToggle}
          className="min-h-6 rounded-sm whitespace-nowrap hover:underline"
        >
          {minuteText(run.requested_at, now)}
        </button>
        <span translate="no" className="block text-ink-2 sm:hidden">
          {shortId(by)}
        </span>
      </th>
      <td className="px-3 text-ink-2 max-sm:hidden" title={run.requested_by}>
        {shortId(by, 18)}
      </td>
      <td className="px-3 whitespace-nowrap text-ink-2 max-sm:hidden">
        {run.result === null ? '' : seal === null ? 'No seal' : `Seal ${seal.number}`}
      </td>
      <td className="px-3 text-right max-sm:hidden">{hasResult(run) ? counted(run.events) : ''}</td>
      <td className="px-3 text-right whitespace-nowrap text-ink-2 max-sm:hidden">
        {run.started_at !== null && run.ended_at !== null && tookText(run.started_at, run.ended_at)}
      </td>
      <td className="px-3 max-sm:text-right">
        <State run={run} newest={newest} />
      </td>
    </tr>
  );
}

function State({ run, newest }: Pick<RowProps, 'run' | 'newest'>): React.ReactNode {
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

function Unfolded({ run, newest }: Pick<RowProps, 'run' | 'newest'>): React.ReactNode {
  const { requested_at: requested, started_at: started, ended_at: ended, failure, result } = run;
  const mended = mendedBy(run, newest);
  return (
    <tr className="border-b border-line bg-hover">
      <td colSpan={6} className="px-3 pb-4 [overflow-wrap:anywhere]">
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
      </td>
    </tr>
  );
}
