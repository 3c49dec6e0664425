import { describe, expect, it } from '@jest/globals';
import { GENERATION_TIMEOUT_MS } from '../../contract/limits.js';
import { type Prediction, type PredictionStatus } from '../providers/image-provider.js';
import { judgePrediction, LOST_PREDICTION } from './judge-prediction.js';

const CREATED = new Date('2026-03-01T12:00:00Z');
const NOW = new Date('2026-03-01T12:00:08Z');
const STARTED = new Date('2026-03-01T12:00:02Z');
const URL = 'https://replicate.delivery/out.png';

const pending = {
  status: 'pending',
  prediction_id: 'p1',
  output_url: null,
  created_at: CREATED,
  is_test: false,
} as const;

function prediction(status: PredictionStatus, more: Partial<Prediction> = {}): Prediction {
  return { id: 'p1', status, output: null, error: null, startedAt: STARTED, completedAt: null, ...more };
}

describe('judgePrediction', () => {
  it('treats starting and processing as progress', () => {
    expect(judgePrediction(pending, prediction('starting'), null, NOW)).toEqual({ kind: 'progress', drawingAt: null });
    expect(judgePrediction(pending, prediction('processing'), null, NOW)).toEqual({
      kind: 'progress',
      drawingAt: STARTED,
    });
  });

  it('caps the start of drawing at the current instant', () => {
    const early = prediction('processing', { startedAt: new Date(NOW.getTime() + 60_000) });
    expect(judgePrediction(pending, early, null, NOW)).toEqual({ kind: 'progress', drawingAt: NOW });
  });

  it('accepts a prediction for a row without one', () => {
    const unknown = { ...pending, prediction_id: null };
    expect(judgePrediction(unknown, prediction('starting'), null, NOW).kind).toBe('progress');
  });

  it('[F4.07] accepts a success with an output', () => {
    expect(judgePrediction(pending, prediction('succeeded'), URL, NOW)).toEqual({
      kind: 'succeeded',
      outputUrl: URL,
      drawingAt: STARTED,
    });
  });

  it('[F4.08] fails a success without an output', () => {
    expect(judgePrediction(pending, prediction('succeeded'), null, NOW)).toEqual({
      kind: 'failed',
      failure: { message: 'Generation succeeded but no output was provided', reason: 'generation_failed' },
    });
  });

  it.each([
    ['NSFW content detected', 'NSFW content detected', 'fatal_error'],
    ['Prediction interrupted', 'Prediction interrupted', 'generation_failed'],
    [null, 'Generation failed with no specific error message', 'generation_failed'],
    ['  ', 'Generation failed with no specific error message', 'generation_failed'],
  ])('keeps the error %j of a failure', (error, message, reason) => {
    expect(judgePrediction(pending, prediction('failed', { error }), null, NOW)).toEqual({
      kind: 'failed',
      failure: { message, reason },
    });
  });

  it('removes characters from an error that the database cannot store', () => {
    const failed = prediction('failed', { error: 'Prediction\u0000 interrupted\u0000' });
    expect(judgePrediction(pending, failed, null, NOW)).toMatchObject({
      failure: { message: 'Prediction interrupted' },
    });
  });

  it('cuts an error to 500 characters', () => {
    const judgement = judgePrediction(pending, prediction('failed', { error: 'x'.repeat(9_000) }), null, NOW);
    expect(judgement.kind === 'failed' && judgement.failure.message).toHaveLength(500);
  });

  it.each(['canceled', 'aborted'] as const)('treats %s as a timeout only past the timeout', (status) => {
    const late = new Date(CREATED.getTime() + GENERATION_TIMEOUT_MS);
    expect(judgePrediction(pending, prediction(status), null, late)).toEqual({
      kind: 'failed',
      failure: { message: 'Generation timed out and refunded immediately', reason: 'timeout' },
    });
    expect(judgePrediction({ ...pending, is_test: true }, prediction(status), null, late)).toMatchObject({
      failure: { message: 'The test image timed out', reason: 'timeout' },
    });
    expect(judgePrediction(pending, prediction(status), null, NOW)).toMatchObject({
      failure: { reason: 'generation_failed' },
    });
  });

  it.each(['starting', 'processing', 'succeeded', 'failed', 'canceled', 'aborted'] as const)(
    'ignores %s once the row has an output or has ended',
    (status) => {
      const withOutput = { ...pending, output_url: URL };
      const ended = { ...pending, status: 'failed' as const };
      expect(judgePrediction(withOutput, prediction(status), URL, NOW)).toEqual({ kind: 'nothing' });
      expect(judgePrediction(ended, prediction(status), URL, NOW)).toEqual({ kind: 'nothing' });
    },
  );

  it('recognises an unwanted prediction', () => {
    const other = prediction('processing', { id: 'p2' });
    expect(judgePrediction(pending, other, null, NOW)).toEqual({ kind: 'stray', bind: false, running: true });
    const refunded = { ...pending, status: 'failed' as const, prediction_id: null };
    expect(judgePrediction(refunded, other, null, NOW)).toEqual({ kind: 'stray', bind: true, running: true });
    expect(judgePrediction(refunded, prediction('starting'), null, NOW)).toMatchObject({ running: true });
    expect(judgePrediction(refunded, prediction('succeeded'), URL, NOW)).toMatchObject({ running: false });
  });

  it('begins the drawing now when the provider names no time', () => {
    const unknown = prediction('processing', { startedAt: null });
    expect(judgePrediction(pending, unknown, null, NOW)).toEqual({ kind: 'progress', drawingAt: NOW });
  });

  it('fails a generation whose prediction the provider lost', () => {
    expect(LOST_PREDICTION).toEqual({
      message: 'Generation failed with no specific error message',
      reason: 'generation_failed',
    });
  });
});
