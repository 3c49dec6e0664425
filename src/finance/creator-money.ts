import { type CreatorMoney } from '../contract/revenue.js';

/** Sums of a creator, US cents, from which all states of the money follow. */
export interface CreatorSums {
  /** All shares that were posted. */
  readonly earned: number;
  /** Of them, all that became payable, before payouts. Negative when more was taken back. */
  readonly dueShare: number;
  /** Taken by payouts: on its way, or paid. */
  readonly taken: number;
  readonly paid: number;
}

/**
 * The only definition of pending, payable, on its way, paid and debt. Every call, screen and file reads its result.
 * @param debt of several creators: the sum of their debts, because a creator's debt lowers no other creator's money
 */
export function creatorMoney(
  { earned, dueShare, taken, paid }: CreatorSums,
  debt = Math.max(0, taken - dueShare),
): CreatorMoney {
  return {
    earned_cents: earned,
    pending_cents: earned - dueShare,
    payable_cents: dueShare - taken + debt,
    under_way_cents: taken - paid,
    paid_cents: paid,
    debt_cents: debt,
  };
}
