import { type Cents, type Count, type Credits, type Page } from './scalars.js';

/** Calls about revenue. Amounts are US cents, months YYYY-MM in UTC. Paid credits only; free ones earn nothing. */

export interface RevenueFigures {
  readonly paid_generations: Count;
  readonly paid_credits: Credits;
  readonly creator_cents: Cents;
  readonly platform_cents: Cents;
}

/** `get_creator_revenue`, for finance: `p_creator_id`, `p_limit` (24), `p_offset`. */
export interface CreatorRevenueResponse {
  readonly creator_id: string;
  readonly all_time: RevenueFigures;
  readonly this_month: RevenueFigures;
  readonly pending_cents: Cents;
  /** Can be paid out, or were. */
  readonly payable_cents: Cents;
  /** Were payable once and were taken back since: owed if they were paid out. Later earnings reduce it. */
  readonly debt_cents: Cents;
  /** A page of months with revenue, the latest first. */
  readonly months: readonly MonthRevenue[];
  /** Number of months with revenue. */
  readonly month_count: Count;
}

export interface MonthRevenue extends RevenueFigures {
  /** YYYY-MM, UTC. */
  readonly month: string;
}

export interface RevenueCalls {
  /** The earnings of a creator. */
  get_creator_revenue: { request: CreatorRevenuePage; response: CreatorRevenueResponse };
}

/** A page of months; 24 by default. */
export interface CreatorRevenuePage extends Page {
  readonly p_creator_id: string;
}
