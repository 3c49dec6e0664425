import { describe, expect, it } from '@jest/globals';
import type { Purchase } from '../../../../src/payments/wire.js';
import { purchaseStatus, shortDate, signedAmount, totalPages, transactionText, typeLabel } from './transaction-text.js';

describe('a transaction in words', () => {
  it('[F3.06] names the creator of a picture when known', () => {
    const deduction = { transaction_type: 'deduction', description: 'Image generation' } as const;
    expect(transactionText(deduction, 'Juno Abara')).toBe('Fan art with Juno Abara');
    expect(transactionText(deduction, undefined)).toBe('Image generation');
    expect(transactionText({ transaction_type: 'refund', description: 'Refund: timed out' }, 'Juno Abara')).toBe(
      'Refund: timed out',
    );
  });

  it('shows types it does not know', () => {
    expect(typeLabel('daily_grant')).toBe('Daily');
    expect(typeLabel('dispute_won')).toBe('Dispute won');
  });

  it('has a plain word for everything that happens to a purchase', () => {
    const types = ['purchase', 'purchase_reversal', 'purchase_reinstatement', 'debt_repayment', 'adjustment'];
    expect(types.map(typeLabel)).toEqual(['Purchase', 'Taken back', 'Given back', 'Repayment', 'Correction']);
  });

  it('says where a purchase stands', () => {
    const purchase: Purchase = {
      id: 'cs_test_1',
      purchased_at: '2026-11-20T21:04:00Z',
      bundle_id: 'popular',
      bundle_name: 'Popular',
      credits: 250,
      amount_cents: 2500,
      currency: 'usd',
      refunded_cents: 1250,
      status: 'paid',
      receipt_url: null,
    };
    const words = (['paid', 'partially_refunded', 'refunded', 'disputed'] as const).map((status) =>
      purchaseStatus({ ...purchase, status }),
    );
    expect(words).toEqual(['Paid', '$12.50 refunded', 'Refunded', 'Disputed']);
    expect(purchaseStatus({ ...purchase, status: 'charged_back' as 'paid' })).toBe('Charged back');
  });

  it('signs amounts', () => {
    expect([10, -10, 0, -1250].map(signedAmount)).toEqual(['+10', '−10', '0', '−1,250']);
  });

  it('leaves out the current year', () => {
    const now = new Date('2026-11-21T00:00:00Z');
    expect(shortDate('2026-11-20T21:04:00Z', now, 'UTC')).toBe('20 Nov, 21:04');
    expect(shortDate('2025-01-02T03:04:00Z', now, 'UTC')).toBe('2 Jan 2025, 03:04');
  });

  it('[F2.63, F9.06] counts pages of twenty, at least one', () => {
    expect([0, 1, 20, 21, 40, 41].map((count) => totalPages(count))).toEqual([1, 1, 1, 2, 2, 3]);
  });
});
