import { Check, Minus, ShieldCheck, Terminal, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { LedgerVerification, VerificationRun } from '../../../../../src/contract/audit.js';
import { Badge } from '../../../components/badge.js';
import { Skeleton } from '../../../components/skeleton.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { copyText } from '../../../components/copy.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { formatUtcInstant, formatUtcTime } from '../../../components/work-area/utc.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { useViewer } from '../../../lib/auth.js';
import { useRpc } from '../../../lib/use-rpc.js';
import { CheckTable } from './check-table.js';
import { ProblemList } from './problem-list.js';
import { RunActions } from './run-actions.js';
import { RunTable } from './run-table.js';
import { SealFacts } from './seal-facts.js';
import { useRuns } from './use-runs.js';
import { askedBy, hasResult, openRunOf, progressText, verdictOf } from './verification-text.js';

const COMMAND = 'node verify-fanvas.mjs export ledger.ndjson --key key.pem --log folder-of-the-log';
const SHOWS = [
  'An event that was changed, moved, slipped in or dropped breaks the chain and is named.',
  'Any change of what the seal covers is named, also when everything after it was made to fit.',
  'Balances, earnings and months of the database are compared with the events, pictures and checkouts with the accounts.',
];
const SHOWS_NOT = [
  'What came after the newest seal is not covered by it.',
  'These are our copies of seal and key: a history that was rewritten with them is found only with copies that you hold.',
  'A seal says what was there, not that it was right.',
];

/** /audit/verification: both verifications of the ledger, the runs on demand, and what they show and what not. */
export default function VerificationPage(): React.ReactNode {
  const continuous = useRpc('get_ledger_verification', {}, liveTimings);
  const runs = useRuns();
  const [now] = useState(() => Date.now());
  const newest = runs.data?.runs ?? [];
  const last = newest.find(hasResult);
  return (
    <WorkPage title="Verification" heading={false} footer="Read only">
      <div className="grid items-end gap-x-16 gap-y-6 lg:grid-cols-[minmax(0,1fr)_400px]">
        <Answer
          query={continuous}
          words={loadWords('the verification')}
          skeleton={<Skeleton className="h-48 rounded-sm" />}
        >
          {(state) => (
            // Without the runs nothing can be said: the last one may have found problems.
            <Answer
              query={runs}
              words={loadWords('the last full verification')}
              skeleton={<Skeleton className="h-48 rounded-sm" />}
            >
              {() => <Result state={state} runs={newest} />}
            </Answer>
          )}
        </Answer>
        <section
          aria-label="Newest seal"
          className="max-lg:border-t max-lg:border-line max-lg:pt-2 lg:border-l lg:border-line lg:pl-8"
        >
          <SealFacts now={now} />
          <RunActions running={openRunOf(newest) !== undefined} />
        </section>
      </div>
      {continuous.data && <KnownProblems state={continuous.data} />}
      {last && <CheckTable result={last.result} />}
      <div className="mt-10 grid gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_376px]">
        <section aria-labelledby="runs" className="min-w-0">
          <h2 id="runs" className="display-sm text-24">
            Runs
          </h2>
          <RunTable newest={newest} now={now} />
        </section>
        <Meaning />
      </div>
    </WorkPage>
  );
}

interface ResultProps {
  readonly state: LedgerVerification;
  /** The newest first. */
  readonly runs: readonly VerificationRun[];
}

function Result({ state, runs }: ResultProps): React.ReactNode {
  const { user } = useViewer();
  const last = runs.find(hasResult);
  const open = openRunOf(runs);
  const { title, good, badge, text } = verdictOf(state, last);
  const failed = runs[0]?.failure ?? null;
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {badge !== null && (
          <Badge tone={good ? 'good' : 'bad'} icon={good ? <ShieldCheck aria-hidden /> : <TriangleAlert aria-hidden />}>
            {badge}
          </Badge>
        )}
        {last && (
          <p className="text-14 [overflow-wrap:anywhere] tabular-nums text-ink-2">
            {formatUtcInstant(last.started_at).slice(0, -4)} to {formatUtcTime(last.ended_at)} UTC, asked for by{' '}
            {askedBy(last, user?.id)}
          </p>
        )}
      </div>
      <h1 className="display mt-4 text-[3.75rem] sm:text-[4.5rem]">{title}</h1>
      <p className="mt-3 max-w-[60ch] text-16 tabular-nums text-ink-2">{text}</p>
      <p role="status" className="mt-3 text-14 empty:hidden">
        {open && 'A full verification is in progress. You may leave this page.'}
      </p>
      {open && <p className="mt-1 text-14 tabular-nums text-ink-2">{progressText(open, last)}</p>}
      {failed !== null && (
        <p role="alert" className="mt-3 text-14 text-bad">
          The last full verification gave no result. {failed}
        </p>
      )}
    </div>
  );
}

function KnownProblems({ state: { first, problems } }: { readonly state: LedgerVerification }): React.ReactNode {
  if (first.length === 0) return null;
  return (
    <section aria-labelledby="problems" className="mt-8">
      <h2 id="problems" className="display-sm text-24">
        Problems known to the continuous verification
      </h2>
      <div className="mt-1 border-b border-line">
        <ProblemList problems={first} total={problems} />
      </div>
    </section>
  );
}

function Meaning(): React.ReactNode {
  return (
    <section aria-labelledby="shows" className="min-w-0">
      <h2 id="shows" className="display-sm text-24">
        What this shows, and what not
      </h2>
      <ul className="mt-3 border-b border-line text-14">
        {SHOWS.map((text) => (
          <li key={text} className="flex gap-3 border-t border-line py-2">
            <Check aria-label="Shown:" className="mt-0.5 size-4 shrink-0 text-good" />
            <span>{text}</span>
          </li>
        ))}
        {SHOWS_NOT.map((text) => (
          <li key={text} className="flex gap-3 border-t border-line py-2 text-ink-2">
            <Minus aria-label="Not shown:" className="mt-0.5 size-4 shrink-0" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <section
        aria-labelledby="without-us"
        className="mt-6 flex gap-3 rounded-panel border border-line bg-surface p-4 text-14"
      >
        <Terminal aria-hidden className="mt-0.5 size-4 shrink-0" />
        <div className="min-w-0">
          <h3 id="without-us" className="font-[600]">
            Without us
          </h3>
          <p className="text-ink-2">
            Prove it on a machine of your own, with the export and your copies. The verifier is one file without
            dependencies; it shares no code with Fanvas.
          </p>
          <p className="mt-2 [overflow-wrap:anywhere]">{COMMAND}</p>
          <div className="mt-2 flex flex-wrap gap-x-4 gap-y-2">
            <button type="button" className="link tap" onClick={() => void copyText('Command', COMMAND)}>
              Copy command
            </button>
            <a className="link" href="/ledger/verify-fanvas.mjs" download>
              verify-fanvas.mjs
            </a>
            <Link className="link" to="/audit/verify">
              Verify a file in this browser
            </Link>
          </div>
        </div>
      </section>
    </section>
  );
}
