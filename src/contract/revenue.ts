import { type Cents, type Count, type Credits, type Instant } from './scalars.js';
import { type ImageInfo } from './media.js';

/** Calls about revenue. Amounts are US cents, months YYYY-MM in UTC. Paid credits only; free ones earn nothing. */

/**
 * All that a creator, or all creators, have earned, by where the money is at an instant: earned = pending + payable +
 * under way + paid - debt. Every call states these figures by the same rule.
 */
export interface CreatorMoney {
  /** All earnings, less corrections. */
  readonly earned_cents: Cents;
  /** Not payable yet. */
  readonly pending_cents: Cents;
  /** In the next payout: what became payable so far, less what payouts have taken. */
  readonly payable_cents: Cents;
  /** In payouts that are fixed and not paid yet. */
  readonly under_way_cents: Cents;
  /** Paid out, less what came back. */
  readonly paid_cents: Cents;
  /** Taken back after a payout. Later earnings cover it first. Without payouts it is 0. */
  readonly debt_cents: Cents;
}

/** US dollars with two decimals. */
type Dollars = number;

/** The last cutoffs of a creator's payouts: an earning that became payable before one is in the payout. */
export interface PayoutCutoffs {
  /** The last cutoff of the payouts that are paid, if their money did not come back; null: none. */
  readonly paid_until: Instant | null;
  /** The cutoff of the payout that is on its way; null: none. */
  readonly under_way_until: Instant | null;
}

/** The earnings of a creator, as the dashboard shows them. */
interface DashboardRevenue extends CreatorMoney, PayoutCutoffs {
  /** `earned_cents`. */
  readonly all_time_earnings: Dollars;
  /** The UTC month so far. */
  readonly this_month_earnings: Dollars;
  /** Pending cents that become payable before the next month begins. */
  readonly payable_by_next_month_cents: Cents;
  /** A payout below this waits for the next run. */
  readonly payout_minimum_cents: Cents;
  /** Fanvas holds the payouts of the creator until this instant; null: it does not. */
  readonly held_until: Instant | null;
}

/** `get_creator_dashboard_analytics`: figures of a creator as of now. */
export interface CreatorAnalytics {
  readonly revenue: DashboardRevenue;
  readonly stats: {
    /** Delivered images that used paid credits, own generations excluded. */
    readonly paid_generations: Count;
    /** All delivered images that fans made. */
    readonly total_generations: Count;
    /** Fans with at least one delivered image. */
    readonly unique_users: Count;
    readonly free_generations: Count;
  };
  readonly this_month: CreatorMonth;
}

export interface CreatorMonth {
  /** YYYY-MM, UTC. */
  readonly month: string;
  /** Such as 'October 2026'. */
  readonly month_name: string;
  readonly creator_earnings: Dollars;
  readonly paid_generations: Count;
  readonly free_generations: Count;
  /** Part of the earnings: what was taken back, zero or negative. */
  readonly corrections: Dollars;
  /** Part of the earnings: what was given back, zero or positive. */
  readonly restorations: Dollars;
}

/** `get_creator_monthly_history` */
export interface CreatorMonthlyHistory {
  /** Complete months, the last one first. Months without images count from the first month with any. */
  readonly monthly_breakdown: readonly CreatorMonth[];
}

/** A row of `get_creator_earnings`: an image, a correction or a restoration; the latest first. */
export interface CreatorEarning {
  /** Opaque; the same at any time. */
  readonly id: string;
  /** `free`: an image without paid credits, which earns nothing. */
  readonly kind: 'earning' | 'free' | 'correction' | 'restoration';
  readonly generation_id: string;
  /** Null once the image is deleted, and when only its owner may see it. */
  readonly prompt: string | null;
  readonly image: ImageInfo | null;
  /** The paid credits, signed; by purchase. Empty for a free image. */
  readonly paid: readonly EarningPart[];
  /** Daily and bonus credits of the image. */
  readonly free_credits: Credits;
  /** The creator's share, signed. */
  readonly creator_cents: Cents;
  /** When the image was delivered, or when the earning was changed. */
  readonly occurred_at: Instant;
  readonly ordered_at: Instant | null;
  /** Null for free images. */
  readonly payable_at: Instant | null;
  /** The reason of a correction or restoration. */
  readonly cause: ChangeCause | null;
  readonly total_count: Count;
}

/** The last three restore earnings. `refund_failed`: the money of a refund did not arrive and came back. */
export type ChangeCause = 'refund' | 'dispute' | 'debt_paid' | 'dispute_won' | 'refund_failed';

export interface EarningPart {
  readonly credits: Credits;
  readonly unit_price_cents: Cents;
  /** Paid by the fan for these credits, signed. */
  readonly cents: Cents;
  readonly creator_cents: Cents;
  /** The UTC day of the purchase, as its first instant. */
  readonly bought_at: Instant | null;
}

/** `get_creator_statement`: the earnings of a month, for printing. */
export interface CreatorStatement {
  readonly creator_id: string;
  readonly creator_name: string;
  readonly month: string;
  readonly month_name: string;
  /** False while the month is not over. */
  readonly complete: boolean;
  readonly paid_generations: Count;
  readonly free_generations: Count;
  readonly earnings_cents: Cents;
  readonly corrections_cents: Cents;
  readonly restorations_cents: Cents;
  readonly total_cents: Cents;
  /** By UTC day; only days with a row. */
  readonly days: readonly {
    readonly day: string;
    readonly paid_generations: Count;
    readonly earnings_cents: Cents;
    readonly corrections_cents: Cents;
    readonly restorations_cents: Cents;
  }[];
  readonly made_at: Instant;
}
