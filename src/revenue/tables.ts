/**
 * Cents that one event earned or took back. The projection `creator_revenue` inserts these rows and never changes them.
 */
export interface EarningRow {
  /** The user who spent the credits. */
  user_id: string;
  /** Version of the event in the account's stream. */
  version: number;
  /** Index of the row among those of the event, from 0. */
  line: number;
  /** `earning`: an image was delivered. `correction`: its money was reversed. `restoration`: the debt was paid. */
  kind: 'earning' | 'correction' | 'restoration';
  creator_id: string;
  /** Id of the generation. */
  deduction_id: string;
  /** The purchase whose credits were spent. */
  lot_id: string;
  /** The refund or dispute that caused the correction; null for an earning. */
  reversal_id: string | null;
  /** Paid credits, signed. */
  credits: number;
  unit_price_cents: number;
  /** US cents, signed. */
  creator_cents: number;
  /** US cents, signed. Together with `creator_cents`: `credits` times the unit price. */
  platform_cents: number;
  occurred_at: Date;
  /** UTC month of `occurred_at`, YYYY-MM. */
  month: string;
  /** From this instant the row counts in the payable sum. */
  payable_at: Date;
}

/** Sums of `creator_earning` by creator and month. */
export interface RevenueMonthTable {
  creator_id: string;
  month: string;
  /** Delivered images that were paid for, at least in part, with paid credits. Corrections do not change it. */
  paid_generations: number;
  paid_credits: number;
  creator_cents: number;
  platform_cents: number;
}

/** Credits owed for purchases. A purchase that never had debt has no row. */
export interface RevenueDebtTable {
  user_id: string;
  lot_id: string;
  /** Credits owed now. */
  debt: number;
  reversal_id: string | null;
}

/** Tables of the revenue context. */
export interface RevenueTables {
  creator_earning: EarningRow;
  creator_revenue_month: RevenueMonthTable;
  revenue_debt: RevenueDebtTable;
}
