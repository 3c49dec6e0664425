import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CLOSING_STEPS, type ClosingStep } from '../../contract/closing.js';
import { afterAttempt, nextStep, reopened, retryDelay } from './next-step.js';
import { type StepProgress, type StepsProgress } from './tables.js';

const NOW = new Date('2026-03-10T09:00:00Z');
const done: StepProgress = { doneAt: NOW.toISOString() };
const failed: StepProgress = { attempts: 1, retryAt: new Date(NOW.getTime() + 2_000).toISOString(), error: 'Error' };

const allDone = (...except: ClosingStep[]): StepsProgress =>
  Object.fromEntries(CLOSING_STEPS.filter((step) => !except.includes(step)).map((step) => [step, done]));

describe('nextStep', () => {
  it('hides the account before anything else', () => {
    expect(nextStep({}, NOW)).toEqual({ kind: 'run', step: 'hide' });
  });

  it('returns money only after the pending images have ended, and erases content before that', () => {
    const steps = { hide: done, pending: failed, creator: done, checkouts: done, processor: done, identity: done };
    expect(nextStep(steps, NOW)).toEqual({ kind: 'run', step: 'content' });
    expect(nextStep({ ...steps, content: done }, NOW)).toEqual({ kind: 'wait', until: new Date(failed.retryAt ?? '') });
    expect(nextStep({ ...steps, content: done, pending: done }, NOW)).toEqual({ kind: 'run', step: 'credits' });
  });

  it('lets a step that fails delay only the steps that need it', () => {
    expect(nextStep({ ...allDone('checkouts', 'credits', 'processor', 'identity'), checkouts: failed }, NOW)).toEqual({
      kind: 'run',
      step: 'identity',
    });
  });

  it('runs a failed step again when its pause is over', () => {
    const steps = { ...allDone('identity'), identity: failed };
    expect(nextStep(steps, NOW)).toEqual({ kind: 'wait', until: new Date(failed.retryAt ?? '') });
    expect(nextStep(steps, new Date(failed.retryAt ?? ''))).toEqual({ kind: 'run', step: 'identity' });
  });

  it('finishes when all steps are done', () => {
    expect(nextStep(allDone(), NOW)).toEqual({ kind: 'finish' });
  });

  it('finishes in every order of failures, and never runs a step before those that it needs', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (successes) => {
        const steps: Partial<Record<ClosingStep, StepProgress>> = {};
        let now = NOW;
        for (let round = 0; round < 200; round += 1) {
          const next = nextStep(steps, now);
          if (next.kind === 'finish') return;
          if (next.kind === 'wait') {
            expect(next.until.getTime()).toBeGreaterThan(now.getTime());
            now = next.until;
            continue;
          }
          if (next.step === 'creator') expect(steps.pending?.doneAt).toBeDefined();
          if (next.step === 'credits') expect(steps.checkouts?.doneAt).toBeDefined();
          steps[next.step] = afterAttempt(steps[next.step], { done: successes[round] ?? true, counts: {} }, now);
        }
        throw new Error('It did not finish.');
      }),
    );
  });
});

describe('afterAttempt', () => {
  it('adds up the counts of attempts, replaces totals, and clears the failure when done', () => {
    const first = afterAttempt(undefined, { done: false, counts: { images: 2 }, error: 'Error' }, NOW);
    expect(first).toEqual({ ...failed, counts: { images: 2 } });
    const second = afterAttempt(first, { done: true, counts: { images: 3 }, totals: { refunds: 1 } }, NOW);
    expect(second).toEqual({ ...done, counts: { images: 5, refunds: 1 } });
    expect(afterAttempt(second, { done: true, counts: {}, totals: { refunds: 1 } }, NOW)).toEqual(second);
  });

  it('doubles the pause up to an hour', () => {
    expect([0, 1, 2, 20].map(retryDelay)).toEqual([2_000, 4_000, 8_000, 3_600_000]);
  });
});

describe('reopened', () => {
  it('makes a step run again and keeps its counts', () => {
    const steps = { ...allDone('content'), content: reopened({ ...done, counts: { images: 2 } }) };
    expect(steps.content).toEqual({ counts: { images: 2 } });
    expect(nextStep(steps, NOW)).toEqual({ kind: 'run', step: 'content' });
  });
});
