import { createPublicKey } from 'node:crypto';
import { type ProblemKind } from '../../contract/audit.js';
import { openCheckpoint } from '../log/checkpoint.js';
import { verifySealChain } from '../seals/ledger-seals.js';
import { proveSeal, SealedHeads } from '../seals/seal-file.js';
import { type LedgerProblem } from '../verify/account-audit.js';
import { addProblems } from '../verify/problem-reports.js';
import { uncoveredOf } from '../verify/sealed-rows.js';
import { type LedgerSources, type LedgerSummary, verifyLedger } from '../verify/verify-ledger.js';
import { type RunResult, type RunStart } from './run-threads.js';

/** Problems that are stored; all are counted. */
const STORED_PROBLEMS = 50;

/**
 * Verifies the whole ledger in this thread, with the chain of seals in the database, the heads of one seal, and the
 * public log.
 * @param onProgress receives the number of verified events of accounts
 */
export async function verifyRun(
  { pool, eventStore, images }: Pick<LedgerSources, 'pool' | 'eventStore'> & Required<Pick<LedgerSources, 'images'>>,
  { keys: pems, sealFile, checkpoints, clockOffsetMs }: Omit<RunStart, 'address'>,
  onProgress: (events: number) => void,
): Promise<RunResult> {
  const keys = pems.map((pem) => createPublicKey(pem));
  const sizes = checkpoints.flatMap(({ note }) => openCheckpoint(note, keys)?.size ?? []);
  const first: LedgerProblem[] = [];
  const onProblem = (problem: LedgerProblem): void => {
    if (first.length < STORED_PROBLEMS) first.push(problem);
  };
  let sealProblems = 0;
  const onSealProblem = (problem: LedgerProblem): void => {
    sealProblems += 1;
    onProblem(problem);
  };
  const proven =
    sealFile === null
      ? null
      : await proveSeal(sealFile, keys, (sentence) =>
          onSealProblem({ stream: '*', version: null, kind: 'seal', what: sentence }),
        );
  const seals = await verifySealChain(pool, keys, proven ? [proven] : [], onSealProblem);
  const summary = await verifyLedger(
    {
      pool,
      eventStore,
      images,
      keys,
      keptCheckpoints: checkpoints,
      ...(proven ? { sealed: await SealedHeads.open([proven]) } : {}),
    },
    { now: () => new Date(Date.now() + clockOffsetMs), onProblem, onProgress: ({ events }) => onProgress(events) },
  );
  const byKind = { ...summary.problemsByKind };
  if (sealProblems > 0) addProblems(byKind, { seal: sealProblems });
  return {
    problems: summary.problems + sealProblems,
    result: {
      seal: proven && { number: proven.manifest.number, started_at: proven.manifest.startedAt },
      checkpoint_size: sizes.length > 0 ? Math.max(...sizes) : null,
      compared: { ...countsOf(summary, proven !== null), seals },
      problems_by_kind: Object.entries(byKind).map(([kind, problems]) => ({ kind: kind as ProblemKind, problems })),
      first,
    },
  };
}

function countsOf(summary: LedgerSummary, sealed: boolean): Omit<RunResult['result']['compared'], 'seals'> {
  const { accounts, events, policyEvents, payoutEvents, earningEvents, processorEvents, acts, log } = summary;
  return {
    accounts,
    account_events: events,
    events: events + policyEvents + payoutEvents + earningEvents + processorEvents,
    policy_events: policyEvents,
    payout_events: payoutEvents,
    earning_events: earningEvents,
    processor_events: processorEvents,
    acts,
    generations: summary.generations,
    open_generations: summary.openGenerations,
    checkouts: summary.purchases,
    rows: Object.entries(summary.rows).map(([projection, rows]) => ({ projection, rows })),
    uncovered: uncoveredOf(summary).map(([name, rows]) => ({ name, rows })),
    leaves: log.leaves,
    checkpoints: log.checkpoints,
    sealed_streams: summary.sealedStreams,
    unsealed_events: sealed ? summary.unsealedEvents : 0,
  };
}
