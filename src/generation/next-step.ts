import { GENERATION_TIMEOUT_MS } from '../contract/limits.js';
import { type Failure } from './judge-prediction.js';
import { MAX_FINISH_ATTEMPTS, MAX_PROVIDER_CANCEL_ATTEMPTS } from './limits.js';
import { MESSAGES } from './messages.js';
import { type GenerationRow } from './tables.js';

/** What is left to do for a generation. */
export type NextStep =
  /** Nothing, ever. */
  | { readonly kind: 'none' }
  /** Somebody holds the row, or its next try is not due. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'fail'; readonly failure: Failure }
  /** Ask the provider. */
  | { readonly kind: 'poll' }
  /** Copy the picture and complete. */
  | { readonly kind: 'finish' }
  | { readonly kind: 'settle' }
  | { readonly kind: 'refund' }
  /** Cancel a prediction for which nobody waits. */
  | { readonly kind: 'cancel-at-provider' }
  /** Stop trying to cancel it. */
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
>;

/**
 * What a row asks for now. Every row reaches `none` by doing what this says, again and again, whoever does it and
 * however often the work was interrupted: that is what makes the row its own outbox.
 */
export function nextStep(row: SteppedColumns, now: Date): NextStep {
  if (row.status !== 'pending') return stepAfterTheEnd(row, now);
  if (now < row.not_before) return { kind: 'wait' };
  if (now.getTime() - row.created_at.getTime() >= GENERATION_TIMEOUT_MS) {
    return { kind: 'fail', failure: { message: MESSAGES.timedOut, reason: 'timeout' } };
  }
  if (row.output_url !== null) {
    return row.attempts < MAX_FINISH_ATTEMPTS
      ? { kind: 'finish' }
      : { kind: 'fail', failure: { message: MESSAGES.notStored, reason: 'server_error' } };
  }
  if (row.prediction_id !== null) return { kind: 'poll' };
  // The lease of the request that started it is over: it died, or never heard from the provider.
  return { kind: 'fail', failure: { message: MESSAGES.noPredictionId, reason: 'server_error' } };
}

/** Credits first: the fan must not wait for a provider that does not answer. */
function stepAfterTheEnd(row: SteppedColumns, now: Date): NextStep {
  if (row.credits_closed_at === null) {
    if (now < row.not_before) return { kind: 'wait' };
    return { kind: row.status === 'completed' ? 'settle' : 'refund' };
  }
  if (!row.provider_cancel_due || row.prediction_id === null) return { kind: 'none' };
  if (now < row.not_before) return { kind: 'wait' };
  return { kind: row.attempts < MAX_PROVIDER_CANCEL_ATTEMPTS ? 'cancel-at-provider' : 'let-it-run' };
}

/**
 * Milliseconds until the provider is asked again about a generation of this age. Webhooks bring the news; asking only
 * repairs a lost one, so it starts after 6 seconds and slows down.
 */
export function pollDelay(ageMs: number): number {
  return Math.min(60_000, Math.max(6_000, Math.round(ageMs / 4)));
}

/** Milliseconds until a step that failed `attempts` times is tried again. */
export function retryDelay(attempts: number): number {
  return Math.min(60_000, 1_000 * 2 ** Math.min(attempts, 10));
}
