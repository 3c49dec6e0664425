import { describe, expect, it } from '@jest/globals';
import { generation } from '../../../test/rows.js';
import {
  cancelTooEarlyText,
  formatCreatedAt,
  formatDuration,
  formatElapsed,
  REFUNDED_TEXT,
  toShownGeneration,
  type GenerationFacts,
} from './generation-view.js';

const T0 = Date.parse('2026-11-20T21:04:00.000Z');
const at = (seconds: number): string => new Date(T0 + seconds * 1000).toISOString();
const row = (facts: Partial<GenerationFacts>): GenerationFacts =>
  generation({ cancellable_at: at(3), phase: null, ...facts });

describe('toShownGeneration of a pending generation', () => {
  it('shows it as queued until a phase is known', () => {
    expect(toShownGeneration(row({}), T0 + 2_000)).toMatchObject({
      state: 'queued',
      pending: true,
      headline: 'Generating: queued',
      elapsedSeconds: 2,
      creditsNote: null,
      steps: [
        { name: 'queued', state: 'current', seconds: 2 },
        { name: 'drawing', state: 'waiting', seconds: null },
        { name: 'finishing', state: 'waiting', seconds: null },
      ],
    });
  });

  it('measures each step from its own start', () => {
    const facts = row({ phase: 'drawing', drawing_at: at(3) });
    expect(toShownGeneration(facts, T0 + 14_900)).toMatchObject({
      headline: 'Generating: drawing',
      elapsedSeconds: 14,
      steps: [
        { state: 'done', seconds: 3 },
        { state: 'current', seconds: 11 },
        { state: 'waiting', seconds: null },
      ],
    });
  });

  it('shows no duration for a step without a known start', () => {
    const facts = row({ phase: 'finishing', finishing_at: at(8) });
    expect(toShownGeneration(facts, T0 + 9_000).steps.map((step) => step.seconds)).toEqual([8, null, 1]);
  });

  it('[F9.02] allows a cancel 3 seconds after the start', () => {
    expect([0, 1, 2_001, 3_000, 9_000].map((ms) => toShownGeneration(row({}), T0 + ms).cancelInSeconds)).toEqual([
      3, 3, 1, 0, 0,
    ]);
    expect(toShownGeneration(row({ cancellable_at: null }), T0).cancelInSeconds).toBeNull();
    expect(cancelTooEarlyText(2)).toBe('Please wait 2 more seconds before cancelling');
  });

  it('[F4.01] treats an unknown status as in progress', () => {
    expect(toShownGeneration(row({ status: 'processing' as 'pending' }), T0)).toMatchObject({
      state: 'queued',
      pending: true,
    });
  });

  it('never shows a negative time', () => {
    expect(toShownGeneration(row({}), T0 - 5_000).elapsedSeconds).toBe(0);
  });
});

describe('toShownGeneration of an ended generation', () => {
  it('shows a completed one without a note about credits', () => {
    expect(toShownGeneration(row({ status: 'completed', completed_at: at(12) }), T0 + 99_000)).toMatchObject({
      state: 'completed',
      pending: false,
      elapsedSeconds: 12,
      creditsNote: null,
      cancelInSeconds: null,
    });
  });

  it('says that no credits were used when none were taken', () => {
    const failed = row({ status: 'failed', error_message: 'Failed to start image generation', credits_closed: true });
    expect(toShownGeneration(failed, T0).creditsNote).toBe('No credits were used for this generation.');
  });

  it('shows a failure with its reason in our words and the refund', () => {
    expect(
      toShownGeneration(row({ status: 'failed', error_message: 'CUDA out of memory', refunded: true }), T0),
    ).toMatchObject({
      state: 'failed',
      headline: 'Failed to generate image. Please try again.',
      detail: 'The image service ran out of memory.',
      promptRefused: false,
      creditsNote: REFUNDED_TEXT,
    });
  });

  it('asks for another prompt when the content was refused, and does not advise to try again', () => {
    expect(toShownGeneration(row({ status: 'failed', error_message: 'NSFW content detected' }), T0)).toMatchObject({
      headline: 'Failed to generate image',
      detail: 'The result did not comply with our content guidelines. Please modify your prompt.',
      promptRefused: true,
    });
  });

  it('announces no refund before it was made', () => {
    expect(toShownGeneration(row({ status: 'failed' }), T0).creditsNote).toBe(
      'Any credits that were used come back automatically.',
    );
  });

  it.each([
    row({ status: 'failed', error_message: 'Cancelled by user' }),
    row({ status: 'failed', error_message: 'Prediction was canceled' }),
    row({ status: 'failed', cancelled: true }),
    row({ status: 'canceled' as 'failed' }),
  ])('[F4.03, F8.19] shows a failure whose message mentions a cancel as cancelled (%#)', (facts) => {
    expect(toShownGeneration(facts, T0)).toMatchObject({
      state: 'cancelled',
      headline: 'Generation was canceled by user',
    });
  });

  it('does not attribute a cancel of the provider to the user, and shows none of its words', () => {
    const facts = row({
      status: 'failed',
      error_message: 'Prediction canceled (code: E1001)',
      refund_reason: 'generation_failed',
    });
    expect(toShownGeneration(facts, T0)).toMatchObject({
      state: 'cancelled',
      headline: 'Generation was canceled by the image provider',
    });
  });

  it.each([
    row({ status: 'failed', error_message: 'Generation timed out and refunded immediately', refunded: true }),
    row({ status: 'failed', refund_reason: 'timeout', refunded: true }),
  ])('[F2.50, F8.19] shows a timeout as timed out (%#)', (facts) => {
    expect(toShownGeneration(facts, T0)).toMatchObject({
      state: 'timed-out',
      headline: 'Generation timed out',
      detail: 'Generation took too long and has timed out.',
      creditsNote: REFUNDED_TEXT,
    });
  });
});

describe('time formats', () => {
  it('formats elapsed time, durations and dates', () => {
    expect([0, 14, 605].map(formatElapsed)).toEqual(['0:00', '0:14', '10:05']);
    expect([3, 125].map(formatDuration)).toEqual(['3 s', '2 min 5 s']);
    expect(formatCreatedAt('2026-11-20T21:04:00Z', 'UTC')).toBe('20 November 2026 at 21:04');
    expect(formatCreatedAt('2026-09-03T05:07:59.999Z', 'UTC')).toBe('3 September 2026 at 05:07');
    const written = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });
    for (let day = 0; day < 400; day += 1) {
      const at = new Date(Date.UTC(2026, 0, day, day % 24, 30));
      expect(formatCreatedAt(at.toISOString())).toBe(written.format(at));
    }
  });
});
