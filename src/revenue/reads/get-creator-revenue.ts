import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { onlyRow } from '../../platform/database/bulk-rows.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { monthOf } from '../months.js';
import { type RevenueTables } from '../tables.js';

/** Sums over paid credits. Cents are US cents. A correction lowers the sums of the month in which it happens. */
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
  /** A page of the months with revenue, the latest first. */
  readonly months: readonly RevenueMonth[];
  /** Number of months with revenue. */
  readonly monthCount: number;
}

export interface CreatorRevenueInput {
  readonly creatorId: string;
  /** Months in the page. */
  readonly limit: number;
  readonly offset: number;
}

/** The sums of a creator's earnings from paid credits. All figures are zero for a creator without earnings. */
export class GetCreatorRevenue extends QueryOf<CreatorRevenueInput, CreatorRevenue> {}

const NO_REVENUE: RevenueSums = { paidGenerations: 0, paidCredits: 0, creatorCents: 0, platformCents: 0 };

interface RevenueRow extends Pick<CreatorRevenue, 'allTime' | 'months' | 'monthCount'> {
  readonly thisMonth: RevenueMonth | null;
}

@QueryHandler(GetCreatorRevenue)
export class GetCreatorRevenueHandler extends ReadHandler<RevenueTables, GetCreatorRevenue> {
  async execute({ input: { creatorId, limit, offset } }: GetCreatorRevenue): Promise<CreatorRevenue> {
    // One statement, so that all figures belong to the same moment.
    const found = await sql<RevenueRow>`
      with months as (
        select month, paid_generations as "paidGenerations", paid_credits as "paidCredits",
               creator_cents as "creatorCents", platform_cents as "platformCents"
        from creator_revenue_month where creator_id = ${creatorId}
      ), page as (
        select * from months order by month desc limit ${limit} offset ${offset}
      )
      select
        (select coalesce(json_agg(page order by month desc), '[]') from page) as months,
        (select json_build_object(
           'paidGenerations', coalesce(sum("paidGenerations"), 0), 'paidCredits', coalesce(sum("paidCredits"), 0),
           'creatorCents', coalesce(sum("creatorCents"), 0), 'platformCents', coalesce(sum("platformCents"), 0)
         ) from months) as "allTime",
        (select row_to_json(months) from months where month = ${monthOf(this.clock.now())}) as "thisMonth",
        (select count(*) from months) as "monthCount"`.execute(this.db);
    const { allTime, thisMonth, months, monthCount } = onlyRow(found);
    const { month: _month, ...sums } = thisMonth ?? { month: null, ...NO_REVENUE };
    return { creatorId, allTime, thisMonth: sums, months, monthCount };
  }
}
