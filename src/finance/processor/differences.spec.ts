import { describe, expect, it } from '@jest/globals';
import { type DifferenceKind, type DifferenceNeed } from '../../contract/reconciliation.js';
import { type PaymentState } from '../../payments/index.js';
import { type DifferenceFacts, isReturn, movementOf, needOf } from './differences.js';
import { type TransactionKind } from './events.js';

const DAY_MS = 86_400_000;
const UNKNOWN: PaymentState = {
  sessionId: null,
  status: null,
  problem: null,
  reversal: null,
  order: null,
  nextTryAt: null,
  tries: 0,
  url: '',
};
const state = (change: Partial<PaymentState>): PaymentState => ({ ...UNKNOWN, sessionId: 'cs_1', ...change });
const soon = new Date('2026-11-22T09:44:00Z');

function facts(kind: DifferenceKind, transactionKind: TransactionKind, days = 1): DifferenceFacts {
  return { kind, transactionKind, ended: false, ageMs: days * DAY_MS };
}

describe('needOf', () => {
  it.each<[string, DifferenceFacts, PaymentState, DifferenceNeed]>([
    ['a payment that is planned again', facts('theirs_only', 'charge', 9), state({ nextTryAt: soon }), 'retry'],
    ['a young payment that failed', facts('theirs_only', 'charge'), state({ status: 'failed' }), 'retry'],
    ['an old payment that failed', facts('theirs_only', 'charge', 4), state({ status: 'failed' }), 'admin_retry'],
    ['an old payment of an open checkout', facts('theirs_only', 'charge', 9), state({ status: 'open' }), 'retry'],
    ['a payment that is credited by now', facts('theirs_only', 'charge'), state({ status: 'credited' }), 'next_run'],
    [
      ...(['a payment of another amount', facts('theirs_only', 'charge')] as const),
      ...([state({ status: 'processing', problem: 'wrong_amount' }), 'refund_there'] as const),
    ],
    ['a payment without a checkout', facts('theirs_only', 'charge'), UNKNOWN, 'refund_there'],
    ['another movement', facts('theirs_only', 'other'), UNKNOWN, 'look_there'],
    ['a refund of an unknown payment', facts('theirs_only', 'refund'), UNKNOWN, 'look_there'],
    ['a refund that was not seen', facts('theirs_only', 'refund', 34), state({ status: 'credited' }), 'retry'],
    ['an old refund', facts('theirs_only', 'refund', 36), state({ status: 'credited' }), 'admin_retry'],
    [
      ...(['a refund that is in the ledger by now', facts('theirs_only', 'refund')] as const),
      ...([state({ status: 'credited', reversal: 'stands' }), 'next_run'] as const),
    ],
    [
      ...(['a refund that failed and still holds', facts('theirs_only', 'refundFailed')] as const),
      ...([state({ status: 'credited', reversal: 'stands' }), 'retry'] as const),
    ],
    [
      ...(['a dispute that the ledger refuses', facts('theirs_only', 'dispute')] as const),
      ...([state({ status: 'credited', problem: 'ledger_refused' }), 'look_there'] as const),
    ],
    ['another movement of a purchase', facts('theirs_only', 'other'), state({ status: 'credited' }), 'look_there'],
    ['a failed payment of three days', facts('theirs_only', 'charge', 3), state({ status: 'failed' }), 'admin_retry'],
    ['an old payment that begins', facts('theirs_only', 'charge', 9), state({ status: 'creating' }), 'retry'],
    ['an old payment on its way', facts('theirs_only', 'charge', 9), state({ status: 'processing' }), 'retry'],
    ['a refund of 35 days', facts('theirs_only', 'refund', 35), state({ status: 'credited' }), 'admin_retry'],
    [
      ...(['an old refund that is planned again', facts('theirs_only', 'refund', 36)] as const),
      ...([state({ status: 'credited', nextTryAt: soon }), 'retry'] as const),
    ],
    [
      ...(['a dispute that is in the ledger by now', facts('theirs_only', 'dispute')] as const),
      ...([state({ status: 'credited', reversal: 'stands' }), 'next_run'] as const),
    ],
    [
      ...(['a won dispute that is in the ledger by now', facts('theirs_only', 'disputeReversed')] as const),
      ...([state({ status: 'credited', reversal: 'ended' }), 'next_run'] as const),
    ],
    ['a refund that an admin orders', facts('ours_only', 'refund'), state({ order: 'reserving' }), 'retry'],
    ['a refund that is given up', facts('ours_only', 'refund'), state({ order: 'releasing' }), 'retry'],
    ['other amounts', facts('amounts', 'charge'), state({ status: 'credited' }), 'look_there'],
    ['a purchase that nobody paid', facts('ours_only', 'charge'), state({ status: 'credited' }), 'look_there'],
    ['a refund that an admin ordered', facts('ours_only', 'refund'), state({ order: 'reserved' }), 'retry'],
    ['a refund that the processor confirmed', facts('ours_only', 'refund'), state({ order: 'refunded' }), 'look_there'],
  ])('follows for %s from the state of the payment', (_name, difference, payment, need) => {
    expect(needOf(difference, payment)).toBe(need);
    expect(needOf({ ...difference, ended: true }, payment)).toBe('nothing');
  });
});

describe('movementOf', () => {
  it('compares what the ledger can have, and shows a failed refund with the refunds', () => {
    const compared = ['charge', 'refund', 'refundFailed', 'dispute', 'disputeReversed', 'other'] as const;
    expect(compared.map(movementOf)).toEqual(['payment', 'refund', 'refund', 'dispute', 'dispute_won', 'other']);
    expect((['fee', 'payout', 'payoutReturned'] as const).map(movementOf)).toEqual([null, null, null]);
    expect(compared.filter(isReturn)).toEqual(['refundFailed']);
  });
});
