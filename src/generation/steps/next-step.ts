import { MINUTE_MS } from '../../contract/durations.js';
import { GENERATION_TIMEOUT_MS } from '../../contract/limits.js';
import { doublingDelay } from '../../platform/retry-delay.js';
import { type Failure } from '../predictions/judge-prediction.js';
import { MAX_FINISH_ATTEMPTS, MAX_PROVIDER_CANCEL_ATTEMPTS } from '../limits.js';
import { MESSAGES } from '../messages.js';
import { type GenerationRow } from '../tables.js';

/** The next piece of work for a generation. */
export type NextStep =
  /** No work is left. */
  | { readonly kind: 'none' }
  /** Another worker holds the row, or its retry is not due. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'fail'; readonly failure: Failure }
  /** Ask the provider for the state. */
  | { readonly kind: 'poll' }
  /** Copy the image and complete. */
  | { readonly kind: 'finish' }
  | { readonly kind: 'settle' }
  | { readonly kind: 'refund' }
  /** Cancel an unwanted prediction. */
  | { readonly kind: 'cancel-at-provider' }
  /** Give up cancelling it. */
  | { readonly kind: 'let-it-run' };

type SteppedColumns = Pick<
  GenerationRow,
  | 'status'
  | 'prediction_id'
  | 'output_url'
  | 'credits_closed_at'
  | 'provider_cancel_due'
  | 'not_before'
  | 'attempts'
  | 'created_at'
  | 'is_test'
>;

/**
 * The next step for a row. Repeating it brings every row to `none`, on any instance and after any number of
 * interruptions: the row is its own outbox.
 */
export function nextStep(row: SteppedColumns, now: Date): NextStep {
  if (row.status !== 'pending') return stepAfterEnd(row, now);
  if (now < row.not_before) return { kind: 'wait' };
  if (now.getTime() - row.created_at.getTime() >= GENERATION_TIMEOUT_MS) {
    return {
      kind: 'fail',
      failure: { message: row.is_test ? MESSAGES.testTimedOut : MESSAGES.timedOut, reason: 'timeout' },
    };
  }
  if (row.output_url !== null) {
    return row.attempts < MAX_FINISH_ATTEMPTS
      ? { kind: 'finish' }
      : { kind: 'fail', failure: { message: MESSAGES.notStored, reason: 'server_error' } };
  }
  if (row.prediction_id !== null) return { kind: 'poll' };
  // The lease of the starting request is over: it died, or the provider's answer was lost.
  return { kind: 'fail', failure: { message: MESSAGES.noPredictionId, reason: 'server_error' } };
}

/** Credits come first: a refund must not wait for a provider that does not answer. */
function stepAfterEnd(row: SteppedColumns, now: Date): NextStep {
  if (row.credits_closed_at === null) {
    if (now < row.not_before) return { kind: 'wait' };
    return { kind: row.status === 'completed' ? 'settle' : 'refund' };
  }
  if (!row.provider_cancel_due || row.prediction_id === null) return { kind: 'none' };
  if (now < row.not_before) return { kind: 'wait' };
  return { kind: row.attempts < MAX_PROVIDER_CANCEL_ATTEMPTS ? 'cancel-at-provider' : 'let-it-run' };
}

/**
 * Milliseconds until the next poll for a generation of this age. Polls only replace lost webhooks, so they start after
 * 6 seconds and slow down.
 */
export function pollDelay(ageMs: number): number {
  return Math.min(60_000, Math.max(6_000, Math.round(ageMs / 4)));
}

/** Milliseconds until the retry of a step that failed before. */
export const retryDelay = doublingDelay(1_000, MINUTE_MS);
