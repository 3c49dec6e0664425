import { QueryHandler } from '@nestjs/cqrs';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type CreatorAnalytics } from '../../contract/revenue.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { creatorMonth, type MonthFigures } from '../creator-months.js';
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
    const paid = sum('paidGenerations');
    const free = sum('freeGenerations');
    return {
      stats: {
        paid_generations: paid,
        total_generations: paid + free,
        unique_users: sum('newFans'),
        free_generations: free,
      },
      this_month: creatorMonth(monthOf(this.clock.now()), months),
    };
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
    select month, coalesce(creator_cents, 0)::bigint as "creatorCents",
      coalesce(correction_cents, 0)::bigint as "correctionCents",
      coalesce(restoration_cents, 0)::bigint as "restorationCents", coalesce(changes, 0)::bigint as changes,
      coalesce(a.paid_generations, 0)::bigint as "paidGenerations",
      coalesce(free_generations, 0)::bigint as "freeGenerations", coalesce(new_fans, 0)::bigint as "newFans"
    from (select * from creator_revenue_month where creator_id = ${creatorId} and ${ofMonth}) as r
    full join (select * from creator_activity_month where creator_id = ${creatorId} and ${ofMonth}) as a using (month)`;
}
