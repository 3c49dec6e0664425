import {
  bigint,
  boolean,
  integer,
  jsonb,
  nullable,
  projectedTable,
  type RowOf,
  text,
  timestamptz,
} from '../platform/database/projected-table.js';

/**
 * Cents that one event earned or took back. The projection `creator_revenue` inserts these rows and never changes them.
 */
export const CREATOR_EARNING = projectedTable('creator_earning', ['user_id', 'version', 'line'], {
  /** The user who spent the credits. */
  user_id: text(),
  /** Version of the event in the account's stream. */
  version: integer(),
  /** Index of the row among those of the event, from 0. */
  line: integer(),
  /** `earning`: an image was delivered. `correction`: its money was reversed. `restoration`: the debt was paid. */
  kind: text<'earning' | 'correction' | 'restoration'>(),
  creator_id: text(),
  /** Id of the generation. */
  deduction_id: text(),
  /** The purchase whose credits were spent. */
  lot_id: text(),
  /** The refund or dispute that caused the correction; null for an earning. */
  reversal_id: nullable(text()),
  /** Paid credits, signed. */
  credits: bigint(),
  /** Price of the purchase by its credits, rounded down. */
  unit_price_cents: bigint(),
  /** The user is the creator: the credits earn nothing for the creator. Always false under the old rules. */
  own_generation: boolean(),
  /** US cents, signed. */
  creator_cents: bigint(),
  /** US cents, signed. Together with `creator_cents`: the recognised revenue. */
  platform_cents: bigint(),
  occurred_at: timestamptz(),
  /** UTC month of `occurred_at`, YYYY-MM. */
  month: text(),
  /** From this instant the row counts in the payable sum. */
  payable_at: timestamptz(),
});
/** A share of a creator in a bought picture, or what was taken back of it, in US cents. */
export type EarningRow = RowOf<typeof CREATOR_EARNING>;

/** Sums of `creator_earning` by creator and month. */
export const CREATOR_REVENUE_MONTH = projectedTable('creator_revenue_month', ['creator_id', 'month'], {
  creator_id: text(),
  month: text(),
  /**
   * Delivered images that were paid for, at least in part, with paid credits, without own generations. Corrections do
   * not change it.
   */
  paid_generations: bigint(),
  paid_credits: bigint(),
  creator_cents: bigint(),
  platform_cents: bigint(),
  /** The part of `creator_cents` that was taken back; zero or negative. */
  correction_cents: bigint(),
  /** The part of `creator_cents` that was given back; zero or positive. */
  restoration_cents: bigint(),
  /** Number of corrections and restorations, without those of own generations. */
  changes: bigint(),
});
export type RevenueMonthTable = RowOf<typeof CREATOR_REVENUE_MONTH>;

/** Sums of `creator_revenue_month` by creator. */
export const CREATOR_REVENUE_TOTAL = projectedTable('creator_revenue_total', ['creator_id'], {
  creator_id: text(),
  creator_cents: bigint(),
  correction_cents: bigint(),
  restoration_cents: bigint(),
});

/** Sums of `creator_revenue_month` over all creators. */
export const PLATFORM_REVENUE_MONTH = projectedTable('platform_revenue_month', ['month'], {
  /** UTC, YYYY-MM. */
  month: text(),
  paid_generations: bigint(),
  creator_cents: bigint(),
  platform_cents: bigint(),
  correction_cents: bigint(),
  restoration_cents: bigint(),
});

/** A delivered image. The projection `creator_activity` inserts these rows and never changes them. */
export const CREATOR_ACTIVITY_IMAGE = projectedTable('creator_activity_image', ['user_id', 'version'], {
  /** The fan. */
  user_id: text(),
  /** Version of the `DeductionSettled` in the account's stream. */
  version: integer(),
  creator_id: text(),
  /** Id of the generation. */
  deduction_id: text(),
  /** Whether it used paid credits. */
  paid: boolean(),
  /** Daily and bonus credits that it used. */
  free_credits: bigint(),
  occurred_at: timestamptz(),
});
export type ActivityImageRow = RowOf<typeof CREATOR_ACTIVITY_IMAGE>;

/** Sums of `creator_activity_image` by creator and UTC month. */
export const CREATOR_ACTIVITY_MONTH = projectedTable('creator_activity_month', ['creator_id', 'month'], {
  creator_id: text(),
  /** UTC, YYYY-MM. */
  month: text(),
  paid_generations: bigint(),
  free_generations: bigint(),
  /** Fans whose first image of the creator is in this month. The sum over all months is the number of fans. */
  new_fans: bigint(),
});
export type ActivityMonthTable = RowOf<typeof CREATOR_ACTIVITY_MONTH>;

/** Sums of `creator_activity_month` by creator. */
export const CREATOR_ACTIVITY_TOTAL = projectedTable('creator_activity_total', ['creator_id'], {
  creator_id: text(),
  paid_generations: bigint(),
  free_generations: bigint(),
});

/** Sums of `creator_activity_month` over all creators. */
export const PLATFORM_ACTIVITY_MONTH = projectedTable('platform_activity_month', ['month'], {
  /** UTC, YYYY-MM. */
  month: text(),
  paid_generations: bigint(),
  free_generations: bigint(),
});

/** Purchases and their reversals: when they happened, for the reasons of earnings. */
export const CREATOR_ACTIVITY_PAYMENT = projectedTable('creator_activity_payment', ['user_id', 'kind', 'payment_id'], {
  user_id: text(),
  kind: text<'purchase' | 'refund' | 'dispute'>(),
  /** The lot of a purchase, or the id of the reversal. */
  payment_id: text(),
  occurred_at: timestamptz(),
  /** When the refund or dispute was undone; null otherwise. */
  undone_at: nullable(timestamptz()),
});
export type ActivityPaymentTable = RowOf<typeof CREATOR_ACTIVITY_PAYMENT>;

/** The state of a purchase from which its next rows follow. */
export const REVENUE_PURCHASE = projectedTable('revenue_purchase', ['user_id', 'lot_id'], {
  user_id: text(),
  lot_id: text(),
  /** Credits bought; null while the purchase is unknown. */
  credits: nullable(bigint()),
  /** US cents paid for all of them; null while the purchase is unknown. */
  amount_cents: nullable(bigint()),
  /** Credits that were ever settled. Corrections do not change it. */
  settled_credits: bigint(),
  /** Those of them that earn something for creators. */
  earning_credits: bigint(),
  /** Credits owed now. */
  debt: bigint(),
  /** The latest reversal that made debt; null for none. */
  reversal_id: nullable(text()),
  /** Debt of other purchases that its credits repaid, the oldest first. */
  repayments: jsonb<RepaymentEntry[]>(),
});
/** A purchase as revenue sees it: its price in US cents, and how many of its credits were used for which pictures. */
export type RevenuePurchaseTable = RowOf<typeof REVENUE_PURCHASE>;

/** Version of the event, the purchase that owed, credits. */
export type RepaymentEntry = [version: number, owedForLotId: string, amount: number];

/** Tables of the revenue context. */
export interface RevenueTables {
  creator_earning: EarningRow;
  creator_revenue_month: RevenueMonthTable;
  revenue_purchase: RevenuePurchaseTable;
  creator_revenue_total: RowOf<typeof CREATOR_REVENUE_TOTAL>;
  platform_revenue_month: RowOf<typeof PLATFORM_REVENUE_MONTH>;
  creator_activity_image: ActivityImageRow;
  creator_activity_month: ActivityMonthTable;
  creator_activity_payment: ActivityPaymentTable;
  creator_activity_total: RowOf<typeof CREATOR_ACTIVITY_TOTAL>;
  platform_activity_month: RowOf<typeof PLATFORM_ACTIVITY_MONTH>;
}
