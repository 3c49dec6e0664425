import type { LedgerVerification, VerificationRun } from '../../../../../src/contract/audit.js';
import { formatUtcInstant } from '../../../components/work-area/utc.js';
import { counted } from '../../../lib/format.js';

/** A run that has ended with a result. */
export type EndedRun = VerificationRun & {
  readonly started_at: string;
  readonly ended_at: string;
  readonly result: NonNullable<VerificationRun['result']>;
};

/** Whether a run has ended with a result. A failed run has none. */
export function hasResult(run: VerificationRun): run is EndedRun {
  return run.result !== null && run.started_at !== null && run.ended_at !== null;
}

/** The run that waits or is in progress; undefined without one. @param runs the newest first */
export function openRunOf(runs: readonly VerificationRun[]): VerificationRun | undefined {
  return runs.find(({ ended_at: ended }) => ended === null);
}

/** `1 problem`, `No problems` */
export function problemsText(problems: number): string {
  return problems === 0 ? 'No problems' : counted(problems, 'problem');
}

/** The first line of the page: the result of the newest run, or of the continuous verification when that has more. */
export interface Verdict {
  readonly title: string;
  readonly good: boolean;
  /** On the badge; null while nothing is known. */
  readonly badge: string | null;
  /** Sentences below the title. */
  readonly text: string;
}

/** The verdict of both verifications. @param last the newest run with a result */
export function verdictOf(continuous: LedgerVerification, last: EndedRun | undefined): Verdict {
  const { verified_until: until, problems: known, events } = continuous;
  const ongoing =
    until === null
      ? 'The continuous verification has not ended its first run.'
      : `The continuous verification has checked everything stored before ${formatUtcInstant(until)}: ${counted(events, 'event')}.`;
  if (!last) {
    const text = until === null ? 'The first run has not ended. Until then nothing is known.' : ongoing;
    if (known > 0) return { title: problemsText(known), good: false, badge: 'Needs a person', text };
    if (until === null) return { title: 'Not verified yet', good: true, badge: null, text };
    return { title: problemsText(0), good: true, badge: 'Verified continuously', text };
  }
  const problems = Math.max(known, last.problems);
  const { seal, compared } = last.result;
  const text = `${sealedText(last)} ${ongoing}`;
  if (known > 0) return { title: problemsText(problems), good: false, badge: 'Needs a person', text };
  const against =
    seal === null ? `Verified ${counted(compared.events, 'event')}` : `Verified against seal ${seal.number}`;
  return { title: problemsText(problems), good: problems === 0, badge: against, text };
}

function sealedText({ problems, result: { seal, compared } }: EndedRun): string {
  if (problems > 0) return `The last full verification found ${counted(problems, 'problem')}.`;
  if (seal === null)
    return `${counted(compared.events, 'event')} are whole and follow the rules. No seal was compared.`;
  const unsealed = compared.unsealed_events;
  const after =
    unsealed === 0
      ? 'Nothing came after it.'
      : `What came after it, ${counted(unsealed, 'event')}, is whole and follows the rules, and is not sealed yet.`;
  return `Everything stored before ${formatUtcInstant(seal.started_at)} is as it was sealed. ${after}`;
}

/** The name of the auditor who asked, or the id of one without a name. */
export function auditorOf(run: VerificationRun): string {
  return run.requested_by_name ?? run.requested_by;
}

/** `you`, or the name of the auditor who asked. */
export function askedBy(run: VerificationRun, viewerId: string | undefined): string {
  return run.requested_by === viewerId ? 'you' : auditorOf(run);
}

/** `0.8 s`, `42 s`, `1 min 36 s`, `2 h 5 min`: the time between two instants. */
export function tookText(from: string, to: string): string {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from));
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * The first later run that found no problems: the problems of this run are mended by then. Undefined without one.
 * @param runs the newest first
 */
export function mendedBy(run: VerificationRun, runs: readonly VerificationRun[]): EndedRun | undefined {
  if (run.problems === 0) return undefined;
  return runs.filter(hasResult).findLast(({ id, problems }) => id > run.id && problems === 0);
}

/** How far an open run is: `Waiting`, or the events so far, with those of the run before. */
export function progressText(run: VerificationRun, before: EndedRun | undefined): string {
  if (run.started_at === null) return 'Waiting';
  const expected = before?.result.compared.account_events ?? 0;
  return expected >= run.events && expected > 0
    ? `${counted(run.events)} of about ${counted(expected, 'event')}`
    : counted(run.events, 'event');
}
