import { type PayoutState } from '../../contract/payouts.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import { type PayoutEvent } from './events.js';

/** The step of a payout. */
export type PayoutStep = PayoutState;

/** The account that holds the amount of a payout in this step. A draft is still payable, a failed one is so again. */
const HOLDER = {
  drafted: ACCOUNT.creatorPayable,
  fixed: ACCOUNT.payoutsUnderWay,
  checked: ACCOUNT.payoutsUnderWay,
  paid: ACCOUNT.payoutsPaid,
  failed: ACCOUNT.creatorPayable,
  cancelled: ACCOUNT.creatorPayable,
} as const satisfies Record<PayoutStep, number>;

/** An account that payouts post to. */
export type PayoutAccount = (typeof HOLDER)[PayoutStep];

/** A line of the journal: US cents, debit positive. */
export interface PayoutLine {
  readonly account: PayoutAccount;
  readonly cents: number;
}

const STEPS = {
  PayoutDrafted: 'drafted',
  PayoutFixed: 'fixed',
  PayoutChecked: 'checked',
  PayoutPaid: 'paid',
  PayoutFailed: 'failed',
  PayoutCancelled: 'cancelled',
} as const satisfies Record<Exclude<PayoutEvent['type'], 'PayoutsHeld'>, PayoutStep>;

/** The step after an event of a payout. */
export function stepAfter(type: Exclude<PayoutEvent['type'], 'PayoutsHeld'>): PayoutStep {
  return STEPS[type];
}

/** The lines of a payout that goes from one step to another. They sum to zero; none when its account is the same. */
export function payoutLines(from: PayoutStep, to: PayoutStep, amountCents: number): PayoutLine[] {
  const debit = HOLDER[from];
  const credit = HOLDER[to];
  if (debit === credit) return [];
  return [
    { account: debit, cents: amountCents },
    { account: credit, cents: 0 - amountCents },
  ];
}
