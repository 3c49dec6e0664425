import { expect, it } from '@jest/globals';
import { type AuditedPurchase } from './account-purchases.js';
import { type Purchase, purchaseMismatch } from './checkout-purchases.js';

const CHECKOUT: Purchase = {
  userId: 'alice',
  sessionId: 'cs_1',
  credits: 100,
  amountCents: 1000,
  paymentIntentId: 'pi_1',
  state: 'fulfilled',
  reversedCents: 300,
};
const RECORDED: AuditedPurchase = { credits: 100, amountCents: 1000, reversedCents: 300, reversedCredits: 30, debt: 0 };
const PAID = { ...RECORDED, paymentIntentId: 'pi_1' };

const mismatch = (change: Partial<Purchase>, recorded: AuditedPurchase | null = PAID): string | null =>
  purchaseMismatch({ ...CHECKOUT, ...change }, { purchases: new Map(recorded ? [['cs_1', recorded]] : []) });

it.each<[string, Partial<Purchase>, AuditedPurchase | null]>([
  ['both agree', {}, PAID],
  ['nothing was paid, and nothing is recorded', { state: 'unpaid' }, null],
  ['it is open, and nothing is recorded', { state: 'open' }, null],
  ['it is open, so its payment may follow', { state: 'open', paymentIntentId: null }, PAID],
  ['the purchase is from before payments were recorded', {}, RECORDED],
  ['a reversal is under way', { reversedCents: null }, PAID],
])('finds no difference when %s', (_, checkout, recorded) => {
  expect(mismatch(checkout, recorded)).toBeNull();
});

it.each<[string, Partial<Purchase>, AuditedPurchase | null]>([
  ['was fulfilled, but the ledger has no purchase of it.', {}, null],
  ['was not paid, but its credits were granted.', { state: 'unpaid' }, PAID],
  ['sold 100 credits for 1000 cents, but the ledger has 99 for 1000.', {}, { ...PAID, credits: 99 }],
  ['sold 100 credits for 1000 cents, but the ledger has 100 for 999.', {}, { ...PAID, amountCents: 999 }],
  ['has the payment none, but the ledger has pi_1.', { paymentIntentId: null }, PAID],
])('names a checkout session that %s', (words, checkout, recorded) => {
  expect(mismatch(checkout, recorded)).toBe(`Checkout session cs_1 ${words}`);
});

it('names cents that were returned and that the ledger does not reverse', () => {
  expect(mismatch({}, { ...PAID, reversedCents: 0 })).toBe(
    '300 cents of checkout session cs_1 were returned, but the ledger has 0.',
  );
});
