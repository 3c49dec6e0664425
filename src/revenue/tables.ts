/** What one event earned, or took back of what was earned. Made by the projection `creator_revenue`, never changed. */
export interface EarningRow {
  /** Whose credits they were. */
  user_id: string;
  /** The event in the account's stream. */
  version: number;
  /** Counts the rows of the event from 0. */
  line: number;
  /** `earning`: an image was delivered. `correction`: its money went back. `restoration`: it came again. */
  kind: 'earning' | 'correction' | 'restoration';
  creator_id: string;
  /** The generation. */
  deduction_id: string;
  /** The purchase that paid. */
  lot_id: string;
  /** The refund or dispute for which it was corrected; null for an earning. */
  reversal_id: string | null;
  /** Paid credits, signed. */
  credits: number;
  unit_price_cents: number;
  /** US cents, signed. */
  creator_cents: number;
  /** US cents, signed; with those of the creator, `credits` times the unit price. */
  platform_cents: number;
  occurred_at: Date;
  /** UTC month of `occurred_at`, YYYY-MM. */
  month: string;
  /** From when it can be paid out, or counts against what can be. */
  payable_at: Date;
}

/** Sums of `creator_earning` by creator and month. */
export interface RevenueMonthTable {
  creator_id: string;
  month: string;
  /** Delivered images that paid credits paid for, wholly or in part; corrections do not change it. */
  paid_generations: number;
  paid_credits: number;
  creator_cents: number;
  platform_cents: number;
}

/** Purchases that anything was ever owed for. */
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
