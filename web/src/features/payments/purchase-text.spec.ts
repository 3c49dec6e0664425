import { describe, expect, it } from '@jest/globals';
import type { Purchase } from '../../../../src/contract/payments.js';
import { purchaseStatus } from './purchase-text.js';

describe('purchaseStatus', () => {
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

  it('has a text for every status, also for an unknown one', () => {
    const words = (['paid', 'partially_refunded', 'refunded', 'disputed'] as const).map((status) =>
      purchaseStatus({ ...purchase, status }),
    );
    expect(words).toEqual(['Paid', '$12.50 refunded', 'Refunded', 'Disputed']);
    expect(purchaseStatus({ ...purchase, status: 'charged_back' as 'paid' })).toBe('Charged back');
  });
});
