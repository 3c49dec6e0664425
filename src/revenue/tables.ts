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
  /** Price of the purchase by its credits, rounded down. */
  unit_price_cents: number;
  /** The user is the creator: the credits earn nothing for the creator. Always false under the old rules. */
  own_generation: boolean;
  /** US cents, signed. */
  creator_cents: number;
  /** US cents, signed. Together with `creator_cents`: the recognised revenue. */
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
  /**
   * Delivered images that were paid for, at least in part, with paid credits, without own generations. Corrections do
   * not change it.
   */
  paid_generations: number;
  paid_credits: number;
  creator_cents: number;
  platform_cents: number;
}

/** The state of a purchase from which its next rows follow. */
export interface RevenuePurchaseTable {
  user_id: string;
  lot_id: string;
  /** Credits bought; null while the purchase is unknown. */
  credits: number | null;
  /** US cents paid for all of them; null while the purchase is unknown. */
  amount_cents: number | null;
  /** Credits that were ever settled. Corrections do not change it. */
  settled_credits: number;
  /** Those of them that earn something for creators. */
  earning_credits: number;
  /** Credits owed now. */
  debt: number;
  /** The latest reversal that made debt; null for none. */
  reversal_id: string | null;
}

/** Tables of the revenue context. */
export interface RevenueTables {
  creator_earning: EarningRow;
  creator_revenue_month: RevenueMonthTable;
  revenue_purchase: RevenuePurchaseTable;
}
