import { describe, expect, it } from '@jest/globals';
import type { Purchase } from '../../../../src/contract/payments.js';
import { PURCHASE } from '../../../test/rows.js';
import { purchaseStatus } from './purchase-text.js';

describe('purchaseStatus', () => {
  const purchase: Purchase = { ...PURCHASE, amount_cents: 2500, refunded_cents: 1250 };

  it('has a text for every status, also for an unknown one', () => {
    const words = (['paid', 'partially_refunded', 'refunded', 'disputed'] as const).map((status) =>
      purchaseStatus({ ...purchase, status }),
    );
    expect(words).toEqual(['Paid', '$12.50 refunded', 'Refunded', 'Disputed']);
    expect(purchaseStatus({ ...purchase, status: 'charged_back' as 'paid' })).toBe('Charged back');
  });
});
