import { describe, expect, it } from '@jest/globals';
import { judgeSession } from './judge-session.js';
import { type ProcessorSession } from './providers/payment-processor.js';

const OFFER = {
  id: '0199a1b2-0000-7000-8000-000000000001',
  user_id: 'user_1',
  bundle_id: 'popular',
  credits: 250,
  amount_cents: 2500,
  currency: 'usd',
};

const PAID: ProcessorSession = {
  id: 'cs_test_1',
  url: null,
  status: 'complete',
  paymentStatus: 'paid',
  amountTotal: 2500,
  currency: 'usd',
  clientReferenceId: 'user_1',
  metadata: { checkoutId: OFFER.id, userId: 'user_1', bundleId: 'popular', bundleCredits: '250' },
  paymentIntentId: 'pi_1',
  paymentState: 'succeeded',
  receiptUrl: null,
  createdAt: new Date('2026-03-10T09:00:00Z'),
};

describe('judgeSession', () => {
  it('credits a session that is paid as offered', () => {
    expect(judgeSession(PAID, OFFER)).toEqual({ kind: 'credit' });
  });

  it.each([
    ['open', 'unpaid', null, 'open'],
    ['expired', 'unpaid', null, 'expired'],
    ['complete', 'unpaid', 'processing', 'processing'],
    ['complete', 'unpaid', null, 'processing'],
    ['complete', 'unpaid', 'requires_payment_method', 'failed'],
    ['complete', 'unpaid', 'canceled', 'failed'],
  ] as const)(
    'judges a session that is %s and %s with a payment in state %s as %s',
    (status, paymentStatus, paymentState, counts) => {
      const session = { ...PAID, status, paymentStatus, paymentState };
      expect(judgeSession(session, OFFER)).toEqual({ kind: 'unpaid', status: counts });
    },
  );

  it.each([
    ['wrong_amount', { amountTotal: 2499 }],
    ['wrong_amount', { amountTotal: null }],
    ['wrong_amount', { paymentStatus: 'no_payment_required' }],
    ['wrong_currency', { currency: 'jpy' }],
    ['wrong_owner', { clientReferenceId: 'user_2' }],
    ['wrong_owner', { clientReferenceId: null }],
    ['wrong_content', { metadata: { ...PAID.metadata, bundleCredits: '750' } }],
    ['wrong_content', { metadata: { ...PAID.metadata, bundleId: 'premium' } }],
    ['wrong_content', { metadata: { ...PAID.metadata, checkoutId: 'another' } }],
    ['wrong_content', { metadata: {} }],
  ])('reports a mismatch of kind %s for %j and credits nothing', (problem, difference) => {
    expect(judgeSession({ ...PAID, ...difference }, OFFER)).toMatchObject({ kind: 'mismatch', problem });
  });

  it.each([
    ['Paid in jpy, offered in usd.', { currency: 'jpy' }],
    ['Paid in nothing, offered in usd.', { currency: null }],
    ['paid: 2499, offered for 2500 cents.', { amountTotal: 2499 }],
    ['paid: nothing, offered for 2500 cents.', { amountTotal: null }],
    ['no_payment_required: 2500, offered for 2500 cents.', { paymentStatus: 'no_payment_required' }],
    ['The session names another user than the checkout.', { clientReferenceId: null }],
    ['The session names another bundle, other credits or another checkout.', { metadata: {} }],
  ])('describes the mismatch to an admin: %s', (description, difference) => {
    expect(judgeSession({ ...PAID, ...difference }, OFFER)).toMatchObject({ kind: 'mismatch', description });
  });
});
