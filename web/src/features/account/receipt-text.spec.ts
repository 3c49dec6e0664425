import { describe, expect, it } from '@jest/globals';
import { CLOSING_STEPS, type ClosingStep } from '../../../../src/contract/closing.js';
import { receiptPath, resultText, stepText } from './receipt-text.js';

describe('text of a receipt', () => {
  it('keeps the token in the fragment of the address', () => {
    expect(receiptPath('t0ken')).toBe('/closed-account#t0ken');
  });

  it('describes every step, each differently', () => {
    const texts = CLOSING_STEPS.map((step) => stepText(step, { choice: 'refund' }));
    expect(new Set(texts).size).toBe(CLOSING_STEPS.length);
    expect(stepText('credits', { choice: 'waive' })).toContain('given up');
    expect(stepText('new_step' as ClosingStep, { choice: 'refund' })).toBe('New step');
  });

  it('names the results of a step, without zeros', () => {
    const counts = [
      { name: 'files', count: 1200 },
      { name: 'images', count: 1 },
      { name: 'refusals', count: 0 },
      { name: 'refunded_cents', count: 1250 },
      { name: 'new_things', count: 2 },
    ];
    expect(resultText({ step: 'content', state: 'done', counts })).toBe(
      '1 image, 1,200 files, $12.50 returned, 2 new things',
    );
  });

  it('says that a finished step had nothing to do', () => {
    expect(resultText({ step: 'creator', state: 'done', counts: [] })).toBe('There was nothing to do');
    expect(resultText({ step: 'creator', state: 'waiting', counts: [] })).toBe('');
    expect(resultText({ step: 'identity', state: 'done', counts: [] })).toBe('');
  });
});
