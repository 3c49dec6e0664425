/** What the revenue calls answer. Amounts are US cents, months YYYY-MM in UTC. Paid credits only; free ones earn nothing. */

export interface RevenueFigures {
  readonly paid_generations: number;
  readonly paid_credits: number;
  readonly creator_cents: number;
  readonly platform_cents: number;
}

/** `get_creator_revenue`, for finance: `p_creator_id`, `p_limit` (24), `p_offset`. */
export interface CreatorRevenueResponse {
  readonly creator_id: string;
  readonly all_time: RevenueFigures;
  readonly this_month: RevenueFigures;
  readonly pending_cents: number;
  readonly payable_cents: number;
  /** A page of months with revenue, the latest first. */
  readonly months: readonly (RevenueFigures & { readonly month: string })[];
  /** Number of months with revenue. */
  readonly month_count: number;
}
