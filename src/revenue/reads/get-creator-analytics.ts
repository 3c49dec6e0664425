import { QueryHandler } from '@nestjs/cqrs';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type CreatorAnalytics, type CreatorMonthlyHistory } from '../../contract/revenue.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { completeMonths, creatorMonth, type MonthFigures } from '../creator-months.js';
import { monthOf } from '../months.js';
import { type RevenueTables } from '../tables.js';

/** The counts of images and the present month of a creator. All are zero for an unknown creator. */
export class GetCreatorAnalytics extends QueryOf<
  { readonly creatorId: string },
  Pick<CreatorAnalytics, 'stats' | 'this_month'>
> {}

@QueryHandler(GetCreatorAnalytics)
export class GetCreatorAnalyticsHandler extends ReadHandler<RevenueTables, GetCreatorAnalytics> {
  async execute({
    input: { creatorId },
  }: GetCreatorAnalytics): Promise<Pick<CreatorAnalytics, 'stats' | 'this_month'>> {
    const months = await readMonthFigures(this.db, creatorId);
    const sum = (figure: Exclude<keyof MonthFigures, 'month'>): number =>
      months.reduce((total, month) => total + month[figure], 0);
    const paid = sum('paid_generations');
    const free = sum('free_generations');
    return {
      stats: {
        paid_generations: paid,
        total_generations: paid + free,
        unique_users: sum('new_fans'),
        free_generations: free,
      },
      this_month: creatorMonth(monthOf(this.clock.now()), months),
    };
  }
}

/** The complete months of a creator, the last one first. Empty for an unknown creator. */
export class GetCreatorHistory extends QueryOf<
  { readonly creatorId: string; readonly monthsBack: number },
  CreatorMonthlyHistory
> {}

@QueryHandler(GetCreatorHistory)
export class GetCreatorHistoryHandler extends ReadHandler<RevenueTables, GetCreatorHistory> {
  async execute({ input: { creatorId, monthsBack } }: GetCreatorHistory): Promise<CreatorMonthlyHistory> {
    const months = await readMonthFigures(this.db, creatorId);
    return { monthly_breakdown: completeMonths(months, monthOf(this.clock.now()), monthsBack) };
  }
}

/** The figures of all months of a creator, or of one. */
export async function readMonthFigures(
  db: Kysely<RevenueTables>,
  creatorId: string,
  month: string | null = null,
): Promise<readonly MonthFigures[]> {
  return (await monthFigures(creatorId, month).execute(db)).rows;
}

/** A select of `MonthFigures`, of all months or of one. */
export function monthFigures(creatorId: string, month: string | null): RawBuilder<MonthFigures> {
  const ofMonth = month === null ? sql`true` : sql`month = ${month}`;
  return sql<MonthFigures>`
    select month, coalesce(creator_cents, 0)::bigint as creator_cents,
      coalesce(correction_cents, 0)::bigint as correction_cents,
      coalesce(restoration_cents, 0)::bigint as restoration_cents, coalesce(changes, 0)::bigint as changes,
      coalesce(a.paid_generations, 0)::bigint as paid_generations,
      coalesce(free_generations, 0)::bigint as free_generations, coalesce(new_fans, 0)::bigint as new_fans
    from (select * from creator_revenue_month where creator_id = ${creatorId} and ${ofMonth}) as r
    full join (select * from creator_activity_month where creator_id = ${creatorId} and ${ofMonth}) as a using (month)`;
}
