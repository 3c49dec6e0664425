import { GENERATION_TIMEOUT_MS } from '../../contract/limits.js';
import { type RefundReason } from '../../credits/index.js';
import { refundReasonFor } from './fault-classes.js';
import { type Prediction } from '../providers/image-provider.js';
import { ERROR_MESSAGE_MAX_LENGTH } from '../limits.js';
import { MESSAGES } from '../messages.js';
import { type GenerationRow } from '../tables.js';

/** Why a pending generation ends without an image. */
export interface Failure {
  readonly message: string;
  readonly reason: RefundReason;
}

/** The meaning of a prediction's state for its generation. */
export type Judgement =
  /** Nothing new, or the generation has ended. */
  | { readonly kind: 'nothing' }
  /** An unwanted prediction: its generation has ended without one, or has another one. */
  | { readonly kind: 'stray'; readonly bind: boolean; readonly running: boolean }
  | { readonly kind: 'progress'; readonly drawingAt: Date | null }
  | { readonly kind: 'succeeded'; readonly outputUrl: string; readonly drawingAt: Date | null }
  | { readonly kind: 'failed'; readonly failure: Failure };

type JudgedColumns = Pick<GenerationRow, 'status' | 'prediction_id' | 'output_url' | 'created_at' | 'is_test'>;

/**
 * Decides what a prediction's state means for its generation. States arrive by webhook or poll, late, repeated and in
 * any order; only the first end counts.
 * @param outputUrl the image's address in the prediction's output; null when there is none
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
      return { kind: 'progress', drawingAt: drawingStart(prediction, now) };
    case 'succeeded':
      return outputUrl === null
        ? { kind: 'failed', failure: { message: MESSAGES.noOutput, reason: 'generation_failed' } }
        : { kind: 'succeeded', outputUrl, drawingAt: drawingStart(prediction, now) };
    case 'failed':
      return { kind: 'failed', failure: toFailure(prediction.error) };
    case 'canceled':
    case 'aborted':
      return { kind: 'failed', failure: endedByProvider(row, now) };
  }
}

/** The failure of a generation whose prediction the provider does not know. */
export const LOST_PREDICTION: Failure = { message: MESSAGES.noSpecificError, reason: 'generation_failed' };

function toFailure(error: string | null): Failure {
  // Postgres cannot store NUL. The write would fail, and the refund would wait for the timeout.
  const text = error?.replaceAll('\u0000', '').trim();
  const message = text?.slice(0, ERROR_MESSAGE_MAX_LENGTH) || MESSAGES.noSpecificError;
  return { message, reason: refundReasonFor(message) };
}

/** Predictions carry our deadline (`Cancel-After`), so an end by the provider at that age is the timeout. */
function endedByProvider(row: Pick<JudgedColumns, 'created_at' | 'is_test'>, now: Date): Failure {
  return now.getTime() - row.created_at.getTime() >= GENERATION_TIMEOUT_MS
    ? { message: row.is_test ? MESSAGES.testTimedOut : MESSAGES.timedOut, reason: 'timeout' }
    : { message: MESSAGES.endedByProvider, reason: 'generation_failed' };
}

/** When the drawing began. Capped at `now`, since the provider's clock may be ahead. */
function drawingStart(prediction: Prediction, now: Date): Date {
  return prediction.startedAt !== null && prediction.startedAt < now ? prediction.startedAt : now;
}
