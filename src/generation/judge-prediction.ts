import { GENERATION_TIMEOUT_MS } from '../contract/limits.js';
import { type RefundReason } from '../credits/index.js';
import { refundReasonFor } from './fault-classes.js';
import { type Prediction } from './providers/image-provider.js';
import { ERROR_MESSAGE_MAX_LENGTH } from './limits.js';
import { MESSAGES } from './messages.js';
import { type GenerationRow } from './tables.js';

/** Why a pending generation ends without a picture. */
export interface Failure {
  readonly message: string;
  readonly reason: RefundReason;
}

/** What a word of the provider means for a generation. */
export type Judgement =
  /** It says nothing new, or comes after the end. */
  | { readonly kind: 'nothing' }
  /** A prediction for which nobody waits: its generation has ended without one, or has another one. */
  | { readonly kind: 'stray'; readonly bind: boolean; readonly running: boolean }
  | { readonly kind: 'progress'; readonly drawingAt: Date | null }
  | { readonly kind: 'succeeded'; readonly outputUrl: string; readonly drawingAt: Date | null }
  | { readonly kind: 'failed'; readonly failure: Failure };

type JudgedColumns = Pick<GenerationRow, 'status' | 'prediction_id' | 'output_url' | 'created_at'>;

/**
 * Decides what a prediction means for the generation it was made for. The provider's word may come twice, late, in any
 * order, by webhook or by asking; only the first end counts.
 * @param outputUrl the picture's address found in the prediction's output, null when there is none
 */
export function judgePrediction(
  row: JudgedColumns,
  prediction: Prediction,
  outputUrl: string | null,
  now: Date,
): Judgement {
  const running = prediction.status === 'starting' || prediction.status === 'processing';
  if (row.prediction_id !== null && row.prediction_id !== prediction.id) {
    return { kind: 'stray', bind: false, running };
  }
  if (row.status !== 'pending') {
    return row.prediction_id === null ? { kind: 'stray', bind: true, running } : { kind: 'nothing' };
  }
  if (row.output_url !== null) return { kind: 'nothing' };
  switch (prediction.status) {
    case 'starting':
      return { kind: 'progress', drawingAt: null };
    case 'processing':
      return { kind: 'progress', drawingAt: startOf(prediction, now) };
    case 'succeeded':
      return outputUrl === null
        ? { kind: 'failed', failure: { message: MESSAGES.noOutput, reason: 'generation_failed' } }
        : { kind: 'succeeded', outputUrl, drawingAt: startOf(prediction, now) };
    case 'failed':
      return { kind: 'failed', failure: failureOf(prediction.error) };
    case 'canceled':
    case 'aborted':
      return { kind: 'failed', failure: endedByProvider(row.created_at, now) };
  }
}

/** The provider does not know the prediction (any more). */
export const LOST_PREDICTION: Failure = { message: MESSAGES.noSpecificError, reason: 'generation_failed' };

function failureOf(error: string | null): Failure {
  // Postgres cannot store NUL: the failure would be written down, and the credits be back, only after the timeout.
  const text = error?.replaceAll('\u0000', '').trim();
  const message = text?.slice(0, ERROR_MESSAGE_MAX_LENGTH) || MESSAGES.noSpecificError;
  return { message, reason: refundReasonFor(message) };
}

/** A prediction carries our own deadline, so an end by the provider at that age is the timeout. */
function endedByProvider(createdAt: Date, now: Date): Failure {
  return now.getTime() - createdAt.getTime() >= GENERATION_TIMEOUT_MS
    ? { message: MESSAGES.timedOut, reason: 'timeout' }
    : { message: MESSAGES.endedByProvider, reason: 'generation_failed' };
}

/** When the drawing began, never in our future: the provider's clock is not ours. */
function startOf(prediction: Prediction, now: Date): Date {
  return prediction.startedAt !== null && prediction.startedAt < now ? prediction.startedAt : now;
}
