import { describe, expect, it } from '@jest/globals';
import { signed } from '../../lib/format.js';
import { totalPages, transactionText, typeLabel } from './transaction-text.js';

describe('transaction text', () => {
  it('[F3.06] names the creator of a generation when known', () => {
    const deduction = { transaction_type: 'deduction', description: 'Image generation' } as const;
    expect(transactionText(deduction, 'Juno Abara')).toBe('Fan art with Juno Abara');
    expect(transactionText(deduction, undefined)).toBe('Image generation');
    expect(transactionText({ transaction_type: 'refund', description: 'Refund: timed out' }, 'Juno Abara')).toBe(
      'Refund: timed out',
    );
  });

  it('shows unknown types in readable form', () => {
    expect(typeLabel('daily_grant')).toBe('Daily');
    expect(typeLabel('dispute_won')).toBe('Dispute won');
  });

  it('has a label for every event of a purchase', () => {
    const types = ['purchase', 'purchase_reversal', 'purchase_reinstatement', 'debt_repayment', 'adjustment'];
    expect(types.map(typeLabel)).toEqual(['Purchase', 'Taken back', 'Given back', 'Repayment', 'Correction']);
  });

  it('puts a sign before amounts', () => {
    expect([10, -10, 0, -1250].map(signed)).toEqual(['+10', '−10', '0', '−1,250']);
  });

  it('[F2.63, F9.06] counts pages of twenty, at least one', () => {
    expect([0, 1, 20, 21, 40, 41].map((count) => totalPages(count))).toEqual([1, 1, 1, 2, 2, 3]);
  });
});
