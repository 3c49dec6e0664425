/** What the credit calls answer, as the browser sees it. Amounts are credits, instants ISO 8601 UTC, days YYYY-MM-DD in UTC. */

/** `get_user_credit_breakdown` */
export interface CreditBreakdown {
  readonly success: true;
  readonly daily_credits: number;
  readonly bonus_credits: number;
  readonly paid_credits: number;
  readonly total_balance: number;
  /** Daily and bonus credits. */
  readonly free_credits: number;
  /** Day of the last daily grant. */
  readonly daily_credits_last_granted: string | null;
  /** Credits owed for purchases whose money went back after they were spent; later purchases pay them first. */
  readonly debt: number;
  /** Everything granted or bought. */
  readonly lifetime_earned: number;
  /** Deductions net of refunds. */
  readonly lifetime_spent: number;
}

/** `grant_daily_credits_by_jwt`: what the fan is told, also when today's credits had been granted before. */
export interface DailyGrantSuccess {
  readonly success: true;
  readonly error_code: 'ALREADY_GRANTED_TODAY' | null;
  readonly error: string | null;
  /** 0 when they had been granted before. */
  readonly credits_granted: number;
  readonly grant_date: string;
  readonly last_granted_date: string;
  readonly new_daily_balance: number;
  readonly new_total_balance: number;
  readonly current_daily_credits: number;
  readonly current_total_balance: number;
}

/** The grant could not be written now; the fan is not held up by it. */
export interface DailyGrantFailure {
  readonly success: false;
  readonly error_code: 'DATABASE_ERROR';
  readonly error: string;
}

export type DailyGrantResponse = DailyGrantSuccess | DailyGrantFailure;

/** `grant_bonus_credits` and `adjust_credits`: what the user has right after it, the same however often it is asked for. */
export interface CreditCorrectionResponse {
  readonly success: true;
  readonly user_id: string;
  readonly new_daily_balance: number;
  readonly new_bonus_balance: number;
  readonly new_paid_balance: number;
  readonly new_total_balance: number;
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
  | 'adjustment';

/** A row of `get_user_transactions_by_jwt`, newest first. */
export interface CreditTransaction {
  readonly id: string;
  readonly created_at: string;
  readonly description: string;
  readonly transaction_type: TransactionType;
  /** Signed; 0 for a reversal whose credits are all owed. */
  readonly amount: number;
  readonly balance_after: number;
  /** The generation, where one took or gave back the credits; the checkout session, where it was a purchase. */
  readonly reference_id: string | null;
  readonly metadata: {
    readonly creator_id?: string;
  };
}
