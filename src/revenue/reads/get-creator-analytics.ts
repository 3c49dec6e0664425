import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type CreatorAnalytics } from '../../contract/revenue.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { creatorMonth, dollars, type MonthFigures } from '../creator-months.js';
import { addMonths, monthOf } from '../months.js';
import { type RevenueTables } from '../tables.js';
import { payableBalance, payableBefore } from './payable.js';

/** The figures of a dashboard that do not depend on payouts. */
type EarnedAnalytics = Omit<CreatorAnalytics, 'revenue'> & {
  readonly revenue: Omit<
    CreatorAnalytics['revenue'],
    'payable_cents' | 'under_way_cents' | 'paid_cents' | 'debt_cents'
  > & {
    /** All that became payable so far. Negative when more was taken back. */
    readonly became_payable_cents: number;
  };
};

/** The dashboard's figures of a creator, as of now. All are zero for an unknown creator. */
export class GetCreatorAnalytics extends Query<EarnedAnalytics> {
  constructor(readonly input: { readonly creatorId: string }) {
    super();
  }
}

interface AnalyticsRow {
  readonly months: readonly MonthFigures[];
  readonly payableCents: number;
  readonly nextMonthCents: number;
}

@QueryHandler(GetCreatorAnalytics)
export class GetCreatorAnalyticsHandler implements IQueryHandler<GetCreatorAnalytics> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<RevenueTables>,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { creatorId } }: GetCreatorAnalytics): Promise<EarnedAnalytics> {
    const now = this.clock.now();
    const thisMonth = monthOf(now);
    // One statement, so that all figures belong to the same moment.
    const { rows } = await sql<AnalyticsRow>`
      select (select coalesce(json_agg(months), '[]') from (${monthFigures(creatorId)}) as months) as months,
        balance.cents as "payableCents", next.cents as "nextMonthCents"
      from (${payableBalance(creatorId, now)}) as balance,
        (${payableBefore(creatorId, addMonths(thisMonth, 1))}) as next`.execute(this.db);
    const [row] = rows;
    if (!row) throw new Error('The analytics query returned no row.');
    const { months, payableCents, nextMonthCents } = row;
    const sum = (figure: Exclude<keyof MonthFigures, 'month'>): number =>
      months.reduce((total, month) => total + month[figure], 0);
    const present = creatorMonth(thisMonth, months);
    const [paid, free, all] = [sum('paidGenerations'), sum('freeGenerations'), sum('creatorCents')];
    return {
      revenue: {
        all_time_earnings: dollars(all),
        this_month_earnings: present.creator_earnings,
        pending_cents: all - payableCents,
        became_payable_cents: payableCents,
        payable_by_next_month_cents: nextMonthCents - payableCents,
      },
      stats: {
        paid_generations: paid,
        total_generations: paid + free,
        unique_users: sum('newFans'),
        free_generations: free,
      },
      this_month: present,
    };
  }
}

/** A select of `MonthFigures`, of all months or of one. */
export function monthFigures(creatorId: string, month: string | null = null): RawBuilder<unknown> {
  const ofMonth = month === null ? sql`true` : sql`month = ${month}`;
  return sql`
    select month, coalesce(creator_cents, 0)::bigint as "creatorCents",
      coalesce(correction_cents, 0)::bigint as "correctionCents",
      coalesce(restoration_cents, 0)::bigint as "restorationCents", coalesce(changes, 0)::bigint as changes,
      coalesce(a.paid_generations, 0)::bigint as "paidGenerations",
      coalesce(free_generations, 0)::bigint as "freeGenerations", coalesce(new_fans, 0)::bigint as "newFans"
    from (select * from creator_revenue_month where creator_id = ${creatorId} and ${ofMonth}) as r
    full join (select * from creator_activity_month where creator_id = ${creatorId} and ${ofMonth}) as a using (month)`;
}
