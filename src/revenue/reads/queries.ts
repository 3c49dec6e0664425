import { Query } from '@nestjs/cqrs';

/** Sums over paid credits. Cents are US cents; what was corrected is taken off in the month in which that happened. */
export interface RevenueSums {
  readonly paidGenerations: number;
  readonly paidCredits: number;
  readonly creatorCents: number;
  readonly platformCents: number;
}

export interface RevenueMonth extends RevenueSums {
  /** UTC, YYYY-MM. */
  readonly month: string;
}

export interface CreatorRevenue {
  readonly creatorId: string;
  readonly allTime: RevenueSums;
  readonly thisMonth: RevenueSums;
  /** The creator's cents that cannot be paid out yet, and those that can (or were). Together they are all of them. */
  readonly pendingCents: number;
  readonly payableCents: number;
  /** A page of the months with revenue, the latest first. */
  readonly months: readonly RevenueMonth[];
  /** Number of months with revenue. */
  readonly monthCount: number;
}

/** What a creator has earned by paid credits, as of now; all zero for somebody without. */
export class GetCreatorRevenue extends Query<CreatorRevenue> {
  constructor(
    readonly creatorId: string,
    /** Months in the page. */
    readonly page: { readonly limit: number; readonly offset: number },
  ) {
    super();
  }
}
