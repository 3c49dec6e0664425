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
  /** The part of `creator_cents` that was taken back; zero or negative. */
  correction_cents: number;
  /** The part of `creator_cents` that was given back; zero or positive. */
  restoration_cents: number;
  /** Number of corrections and restorations, without those of own generations. */
  changes: number;
}

/** Sums of `creator_revenue_month` by creator. */
export interface RevenueTotalTable {
  creator_id: string;
  creator_cents: number;
  correction_cents: number;
  restoration_cents: number;
}

/** Sums of `creator_revenue_month` over all creators. */
export interface PlatformRevenueMonthTable {
  /** UTC, YYYY-MM. */
  month: string;
  paid_generations: number;
  creator_cents: number;
  platform_cents: number;
  correction_cents: number;
  restoration_cents: number;
}

/** A delivered image. The projection `creator_activity` inserts these rows and never changes them. */
export interface ActivityImageRow {
  /** The fan. */
  user_id: string;
  /** Version of the `DeductionSettled` in the account's stream. */
  version: number;
  creator_id: string;
  /** Id of the generation. */
  deduction_id: string;
  /** Whether it used paid credits. */
  paid: boolean;
  /** Daily and bonus credits that it used. */
  free_credits: number;
  occurred_at: Date;
}

/** Sums of `creator_activity_image` by creator and UTC month. */
export interface ActivityMonthTable {
  creator_id: string;
  /** UTC, YYYY-MM. */
  month: string;
  paid_generations: number;
  free_generations: number;
  /** Fans whose first image of the creator is in this month. The sum over all months is the number of fans. */
  new_fans: number;
}

/** Sums of `creator_activity_month` by creator. */
export interface ActivityTotalTable {
  creator_id: string;
  paid_generations: number;
  free_generations: number;
}

/** Sums of `creator_activity_month` over all creators. */
export interface PlatformActivityMonthTable {
  /** UTC, YYYY-MM. */
  month: string;
  paid_generations: number;
  free_generations: number;
}

/** Purchases and their reversals: when they happened, for the reasons of earnings. */
export interface ActivityPaymentTable {
  user_id: string;
  kind: 'purchase' | 'refund' | 'dispute';
  /** The lot of a purchase, or the id of the reversal. */
  payment_id: string;
  occurred_at: Date;
  /** When the refund or dispute was undone; null otherwise. */
  undone_at: Date | null;
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
  /** Debt of other purchases that its credits repaid, the oldest first. */
  repayments: RepaymentEntry[];
}

/** Version of the event, the purchase that owed, credits. */
export type RepaymentEntry = [version: number, owedForLotId: string, amount: number];

/** Tables of the revenue context. */
export interface RevenueTables {
  creator_earning: EarningRow;
  creator_revenue_month: RevenueMonthTable;
  revenue_purchase: RevenuePurchaseTable;
  creator_revenue_total: RevenueTotalTable;
  platform_revenue_month: PlatformRevenueMonthTable;
  creator_activity_image: ActivityImageRow;
  creator_activity_month: ActivityMonthTable;
  creator_activity_payment: ActivityPaymentTable;
  creator_activity_total: ActivityTotalTable;
  platform_activity_month: PlatformActivityMonthTable;
}
