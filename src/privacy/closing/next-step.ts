import { CLOSING_STEPS, type ClosingStep } from '../../contract/closing.js';
import { HOUR_MS } from '../../contract/durations.js';
import { doublingDelay } from '../../platform/retry-delay.js';
import { type StepProgress, type StepsProgress } from './tables.js';

/** The next piece of work for a closure. */
export type NextStep =
  | { readonly kind: 'run'; readonly step: ClosingStep }
  /** Every step that could run waits for its retry. */
  | { readonly kind: 'wait'; readonly until: Date }
  /** All steps are done. */
  | { readonly kind: 'finish' };

/** The steps that must be done before each step. All other steps are independent, so one provider delays no other. */
const NEEDS: Readonly<Record<ClosingStep, readonly ClosingStep[]>> = {
  hide: [],
  pending: ['hide'],
  // Not `pending`: a refund that waits must not keep images online. The step repeats while an image is in progress.
  content: ['hide'],
  creator: ['pending'],
  checkouts: ['hide'],
  // Before that, refunds of images and payments can still add credits.
  credits: ['pending', 'checkouts'],
  // An open checkout can still create records at the processor.
  processor: ['checkouts'],
  identity: ['hide'],
};

/** Failed attempts of a step after which an operator should look at it. */
export const ATTEMPTS_BEFORE_ATTENTION = 5;

/** Milliseconds until a step that failed before runs again. */
export const retryDelay = doublingDelay(2_000, HOUR_MS);

/**
 * The next step of a closure, from its stored progress alone. Repeating it brings every closure to `finish`, on any
 * instance and after any number of interruptions, because each step may run again.
 */
export function nextStep(steps: StepsProgress, now: Date): NextStep {
  const open = CLOSING_STEPS.filter((step) => !isDone(steps[step]));
  if (open.length === 0) return { kind: 'finish' };
  const ready = open.filter((step) => NEEDS[step].every((needed) => isDone(steps[needed])));
  const dueStep = ready.find((step) => retryAt(steps[step]) <= now.getTime());
  if (dueStep) return { kind: 'run', step: dueStep };
  return { kind: 'wait', until: new Date(Math.min(...ready.map((step) => retryAt(steps[step])))) };
}

/** The result of one attempt of a step. */
export interface StepOutcome {
  /** False: it waits for work that others do, and must run again. */
  readonly done: boolean;
  /** Results of this attempt. They are added to those of earlier attempts. */
  readonly counts: Readonly<Record<string, number>>;
  /** Results of all attempts, which replace the earlier ones. */
  readonly totals?: Readonly<Record<string, number>>;
}

/** The progress of a step after an attempt that is done, has to wait, or failed with `error`. */
export function afterAttempt(
  before: StepProgress | undefined,
  outcome: StepOutcome & { readonly error?: string },
  now: Date,
): StepProgress {
  const counts = { ...addUp(before?.counts ?? {}, outcome.counts), ...outcome.totals };
  if (outcome.done) return { doneAt: now.toISOString(), counts };
  const attempts = (before?.attempts ?? 0) + 1;
  const retry = new Date(now.getTime() + retryDelay(attempts - 1)).toISOString();
  return { attempts, retryAt: retry, counts, ...(outcome.error === undefined ? {} : { error: outcome.error }) };
}

/** The progress of a step that must run again because something was left. Its counts stay. */
export function reopened(before: StepProgress | undefined): StepProgress {
  return before?.counts ? { counts: before.counts } : {};
}

export function isDone(progress: StepProgress | undefined): boolean {
  return progress?.doneAt !== undefined;
}

function retryAt(progress: StepProgress | undefined): number {
  return progress?.retryAt === undefined ? 0 : Date.parse(progress.retryAt);
}

function addUp(
  before: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const sum: Record<string, number> = { ...before };
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
