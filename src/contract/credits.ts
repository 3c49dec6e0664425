import { type Credits, type Day, type Instant } from './scalars.js';

/** Calls about credits. Amounts are credits, instants ISO 8601 UTC, days YYYY-MM-DD in UTC. */

/**
 * The sign-up bonus of a user.
 * - `granted`: the account has it.
 * - `waiting`: it comes when the identity provider has verified the e-mail address.
 * - `taken`: another account with this address had it.
 * - `refused`: the address imitates another one with letters that look alike.
 */
export type SignUpBonusState = 'granted' | 'waiting' | 'taken' | 'refused';

/** `get_user_credit_breakdown` */
export interface CreditBreakdown {
  readonly success: true;
  readonly daily_credits: Credits;
  readonly bonus_credits: Credits;
  readonly paid_credits: Credits;
  readonly total_balance: Credits;
  /** Daily and bonus credits. */
  readonly free_credits: Credits;
  /** Day of the last daily grant. */
  readonly daily_credits_last_granted: Day | null;
  /** Debt of purchases that were reversed after their credits were spent. Later purchases repay it first. */
  readonly debt: Credits;
  /** Everything granted or bought. */
  readonly lifetime_earned: Credits;
  /** Deductions net of refunds. */
  readonly lifetime_spent: Credits;
  readonly sign_up_bonus: SignUpBonusState;
}

/** `grant_daily_credits_by_jwt`: also a success when today's credits had been granted before. */
export interface DailyGrantSuccess {
  readonly success: true;
  readonly error_code: 'ALREADY_GRANTED_TODAY' | null;
  readonly error: string | null;
  /** 0 when they had been granted before. */
  readonly credits_granted: Credits;
  readonly grant_date: Day;
  readonly last_granted_date: Day;
  readonly new_daily_balance: Credits;
  readonly new_total_balance: Credits;
  readonly current_daily_credits: Credits;
  readonly current_total_balance: Credits;
}

/** The grant could not be written. The fan can continue without it. */
export interface DailyGrantFailure {
  readonly success: false;
  readonly error_code: 'DATABASE_ERROR';
  readonly error: string;
}

export type DailyGrantResponse = DailyGrantSuccess | DailyGrantFailure;

/** `grant_bonus_credits` and `adjust_credits`: the user's balances right after it. A repeat returns the same. */
export interface CreditCorrectionResponse {
  readonly success: true;
  readonly user_id: string;
  readonly new_daily_balance: Credits;
  readonly new_bonus_balance: Credits;
  readonly new_paid_balance: Credits;
  readonly new_total_balance: Credits;
}

/** `repair_account_clock`. A repeat has `repaired: false`. */
export interface ClockRepairResponse {
  readonly success: true;
  readonly user_id: string;
  /** False when the account's time was not ahead: nothing was written. */
  readonly repaired: boolean;
  /** The account's time before the repair. */
  readonly ahead_until: Instant | null;
}

export type TransactionType =
  | 'signup_bonus'
  | 'daily_grant'
  | 'bonus_grant'
  | 'deduction'
  | 'refund'
  | 'expiry'
  | 'purchase'
  | 'purchase_reversal'
  | 'purchase_reinstatement'
  | 'debt_repayment'
  | 'adjustment'
  | 'waiver';

/** A row of `get_user_transactions_by_jwt`, newest first. */
export interface CreditTransaction {
  readonly id: string;
  readonly created_at: Instant;
  readonly description: string;
  readonly transaction_type: TransactionType;
  /** Signed; 0 for a reversal whose credits are all owed. */
  readonly amount: Credits;
  readonly balance_after: Credits;
  /** Id of the generation that took or returned the credits, or of the checkout session of a purchase. */
  readonly reference_id: string | null;
  readonly metadata: {
    readonly creator_id?: string;
  };
}
