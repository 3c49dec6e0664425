import { ArrowLeft, LoaderCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { PayoutRunSums } from '../../../../../src/contract/payouts.js';
import { Skeleton } from '../../../components/skeleton.js';
import { Answer, loadWords } from '../../../components/work-area/answer.js';
import { liveTimings } from '../../../components/work-area/live.js';
import { WorkPage } from '../../../components/work-area/work-page.js';
import { refreshRpc, useRpc } from '../../../lib/use-rpc.js';
import { useEscBack } from '../components/use-esc-back.js';
import { count } from '../finance-text.js';
import { PAYOUTS_PATH } from './payout-paths.js';
import { isSettling, sumOf } from './payout-text.js';
import { RunActions } from './run-actions.js';
import { RunCreators } from './run-creators.js';
import { RunFiles } from './run-files.js';
import { RunStages } from './run-stages.js';
import { RunSums } from './run-sums.js';
import { RunBadge } from './state-mark.js';

/** Pause between two questions while the worker is at it, milliseconds. */
const WATCH_MS = 1_500;

/** /finance/payouts/runs/:runId: a run with its stages, its creators and its files for the bank. */
export default function RunPage(): React.ReactNode {
  const { runId = '' } = useParams();
  const query = useRpc(
    'get_payout_run',
    { p_run_id: runId },
    {
      ...liveTimings,
      refetchInterval: ({ state: { data } }) =>
        data !== undefined && isSettling(data as PayoutRunSums) ? WATCH_MS : liveTimings.refetchInterval,
    },
  );
  useEscBack();
  // The answer to an earlier run is not this one.
  const run = query.isPlaceholderData ? undefined : query.data;
  const settling = run !== undefined && isSettling(run);
  useRefreshAtTheEnd(settling);
  return (
    <WorkPage
      title={run === undefined ? 'Payout run' : `Payout run ${run.number}`}
      heading={false}
      footer="Amounts are US dollars. Times are UTC"
    >
      <Link
        to={PAYOUTS_PATH}
        className="mb-3 inline-flex min-h-6 items-center gap-1.5 text-14 text-ink-2 hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        Payouts
      </Link>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="display text-44">Payout run {run?.number}</h1>
          {run && <RunBadge run={run} />}
        </div>
        {run && <RunActions run={run} />}
      </div>
      <Answer
        query={{ ...query, data: run }}
        words={loadWords('the payout run')}
        skeleton={<Skeleton className="mt-5 h-96 rounded-sm" />}
      >
        {(data) => (
          <>
            <RunStages run={data} />
            <Progress run={data} />
            <div className="mt-6 grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_320px]">
              <RunCreators run={data} />
              <RunSums run={data} />
            </div>
            {data.step === 'check' && <RunFiles run={data} />}
          </>
        )}
      </Answer>
    </WorkPage>
  );
}

/** Loads the rows of the run again as soon as the worker has carried a step out. */
function useRefreshAtTheEnd(settling: boolean): void {
  const before = useRef(settling);
  useEffect(() => {
    if (before.current && !settling) refreshRpc('list_payout_run_creators', 'list_payout_files');
    before.current = settling;
  }, [settling]);
}

const DOING = { draft: 'Drafting', fix: 'Fixing amounts', check: 'Checking', cancel: 'Cancelling' } as const;

/** How far the worker is with the latest step. */
function Progress({ run }: { readonly run: PayoutRunSums }): React.ReactNode {
  const { step, working, carried_out: done, creators, payouts } = run;
  const all = sumOf(payouts, 'drafted', 'fixed', 'checked', 'paid', 'failed', 'cancelled').payouts;
  return (
    <div role="status" className="mt-5 empty:hidden">
      {working && (
        <p className="flex items-center gap-2.5 rounded-ctl bg-surface px-4 py-3 text-14">
          <LoaderCircle aria-hidden className="size-[18px] shrink-0 animate-spin motion-reduce:animate-none" />
          <span className="tabular-nums">
            {DOING[step]}:{' '}
            {step === 'draft'
              ? `${count(creators)} creators so far.`
              : `${count(done)} of ${count(Math.max(all, done))} payouts.`}{' '}
            You can leave this page.
          </span>
        </p>
      )}
    </div>
  );
}
