import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GENERATION_TIMEOUT_MS } from '../../contract/limits.js';
import { MAX_FINISH_ATTEMPTS, MAX_PROVIDER_CANCEL_ATTEMPTS } from '../limits.js';
import { nextStep, pollDelay, retryDelay } from './next-step.js';

const CREATED = new Date('2026-03-01T12:00:00Z');
const at = (ms: number): Date => new Date(CREATED.getTime() + ms);

const fresh = {
  status: 'pending',
  prediction_id: null,
  output_url: null,
  credits_closed_at: null,
  provider_cancel_due: false,
  not_before: at(15_000),
  attempts: 0,
  created_at: CREATED,
  is_test: false,
} as const;
const drawing = { ...fresh, prediction_id: 'p1', not_before: at(6_000) };
const drawn = { ...drawing, output_url: 'https://replicate.delivery/out.png', not_before: at(4_000) };
const failed = { ...drawing, status: 'failed', not_before: at(5_000) } as const;
const completed = { ...drawn, status: 'completed', not_before: at(5_000) } as const;

describe('nextStep', () => {
  it('waits while another worker holds the row, even past the timeout', () => {
    expect(nextStep(fresh, at(14_999))).toEqual({ kind: 'wait' });
    const held = { ...drawn, not_before: at(GENERATION_TIMEOUT_MS + 10_000) };
    expect(nextStep(held, at(GENERATION_TIMEOUT_MS + 1))).toEqual({ kind: 'wait' });
  });

  it('fails a row whose start made no prediction', () => {
    expect(nextStep(fresh, at(15_000))).toEqual({
      kind: 'fail',
      failure: { message: 'Generation failed: No prediction ID assigned (server error)', reason: 'server_error' },
    });
  });

  it('polls the provider when no webhook arrived', () => {
    expect(nextStep(drawing, at(5_999))).toEqual({ kind: 'wait' });
    expect(nextStep(drawing, at(6_000))).toEqual({ kind: 'poll' });
  });

  it('copies an available output, and gives up after several attempts', () => {
    expect(nextStep(drawn, at(4_000))).toEqual({ kind: 'finish' });
    expect(nextStep({ ...drawn, attempts: MAX_FINISH_ATTEMPTS }, at(4_000))).toMatchObject({
      kind: 'fail',
      failure: { reason: 'server_error' },
    });
  });

  it.each([fresh, drawing, drawn])('fails every pending row after 15 minutes', (row) => {
    expect(nextStep(row, at(GENERATION_TIMEOUT_MS))).toEqual({
      kind: 'fail',
      failure: { message: 'Generation timed out and refunded immediately', reason: 'timeout' },
    });
    expect(nextStep(row, at(GENERATION_TIMEOUT_MS - 1)).kind).not.toBe('wait');
  });

  it('settles completed rows and refunds failed rows of any age', () => {
    expect(nextStep(completed, at(9e9))).toEqual({ kind: 'settle' });
    expect(nextStep(failed, at(9e9))).toEqual({ kind: 'refund' });
    expect([4_999, 5_000].map((ms) => nextStep(failed, at(ms)))).toEqual([{ kind: 'wait' }, { kind: 'refund' }]);
  });

  it('cancels at the provider after the refund, until it succeeds or the attempts are used up', () => {
    const cancelled = { ...failed, provider_cancel_due: true };
    expect(nextStep(cancelled, at(5_000))).toEqual({ kind: 'refund' });
    const refunded = { ...cancelled, credits_closed_at: at(5_001) };
    expect(nextStep(refunded, at(5_002))).toEqual({ kind: 'cancel-at-provider' });
    const waits = { ...refunded, not_before: at(6_000) };
    expect([5_999, 6_000].map((ms) => nextStep(waits, at(ms)).kind)).toEqual(['wait', 'cancel-at-provider']);
    expect(nextStep({ ...refunded, prediction_id: null }, at(5_002))).toEqual({ kind: 'none' });
    const tried = { ...refunded, attempts: MAX_PROVIDER_CANCEL_ATTEMPTS };
    expect(nextStep(tried, at(5_002))).toEqual({ kind: 'let-it-run' });
  });

  it('returns none for a closed row', () => {
    expect(nextStep({ ...failed, credits_closed_at: at(1) }, at(9e9))).toEqual({ kind: 'none' });
    expect(nextStep({ ...completed, credits_closed_at: at(1) }, at(9e9))).toEqual({ kind: 'none' });
  });

  it('fails a test past the timeout without a word about credits, and has no work for one that has ended', () => {
    const late = at(GENERATION_TIMEOUT_MS);
    const failure = { message: 'The test image timed out', reason: 'timeout' };
    expect(nextStep({ ...drawing, is_test: true }, late)).toEqual({ kind: 'fail', failure });
    const closed = { is_test: true, credits_closed_at: at(4_000) };
    expect(nextStep({ ...completed, ...closed }, late)).toEqual({ kind: 'none' });
    expect(nextStep({ ...failed, ...closed }, late)).toEqual({ kind: 'none' });
  });

  it('returns work sooner or later for every row that is not closed', () => {
    const row = fc.record({
      status: fc.constantFrom('pending' as const, 'completed' as const, 'failed' as const),
      prediction_id: fc.constantFrom(null, 'p1'),
      output_url: fc.constantFrom(null, 'u'),
      credits_closed_at: fc.constant(null),
      provider_cancel_due: fc.boolean(),
      not_before: fc.integer({ min: 0, max: 1e6 }).map(at),
      attempts: fc.nat(20),
      created_at: fc.constant(CREATED),
      is_test: fc.boolean(),
    });
    fc.assert(
      fc.property(row, (open) => {
        expect(['none', 'wait']).not.toContain(nextStep(open, at(1e6)).kind);
      }),
    );
  });
});

describe('pollDelay and retryDelay', () => {
  it('polls after 6 seconds, then more slowly with age', () => {
    expect([0, 10_000, 60_000, 800_000].map(pollDelay)).toEqual([6_000, 6_000, 15_000, 60_000]);
  });

  it('doubles the delay after each failure, up to a minute', () => {
    expect([0, 1, 3, 6, 1_000].map(retryDelay)).toEqual([1_000, 2_000, 8_000, 60_000, 60_000]);
  });
});
