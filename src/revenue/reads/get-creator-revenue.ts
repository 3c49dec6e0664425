import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql, type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { GetCreatorRevenue, type CreatorRevenue, type RevenueMonth } from './queries.js';
import type { RevenueTables } from '../tables.js';

const NOTHING = { paidGenerations: 0, paidCredits: 0, creatorCents: 0, platformCents: 0 };

/** Reads the projection. */
@QueryHandler(GetCreatorRevenue)
export class GetCreatorRevenueHandler implements IQueryHandler<GetCreatorRevenue> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<RevenueTables>,
    private readonly clock: Clock,
  ) {}

  async execute({ creatorId, page }: GetCreatorRevenue): Promise<CreatorRevenue> {
    const now = this.clock.now();
    // One statement, so that all figures are of one moment
    const { rows } = await sql<Stored>`
      with months as (
        select month, paid_generations as "paidGenerations", paid_credits as "paidCredits",
               creator_cents as "creatorCents", platform_cents as "platformCents"
        from creator_revenue_month where creator_id = ${creatorId}
      ), page as (
        select * from months order by month desc limit ${page.limit} offset ${page.offset}
      )
      select
        (select coalesce(json_agg(page order by month desc), '[]') from page) as months,
        (select json_build_object(
           'paidGenerations', coalesce(sum("paidGenerations"), 0), 'paidCredits', coalesce(sum("paidCredits"), 0),
           'creatorCents', coalesce(sum("creatorCents"), 0), 'platformCents', coalesce(sum("platformCents"), 0)
         ) from months) as "allTime",
        (select row_to_json(months) from months where month = ${now.toISOString().slice(0, 7)}) as "thisMonth",
        (select count(*) from months) as "monthCount",
        (select coalesce(sum(creator_cents), 0)::bigint from creator_earning
          where creator_id = ${creatorId} and payable_at <= ${now}) as "payableCents"`.execute(this.db);
    const [stored] = rows;
    if (!stored) throw new Error('The database gave no answer to a question that has one.');
    const { allTime, thisMonth, payableCents, months, monthCount } = stored;
    const { month: _month, ...sums } = thisMonth ?? { month: null, ...NOTHING };
    const pendingCents = allTime.creatorCents - payableCents;
    return { creatorId, allTime, thisMonth: sums, pendingCents, payableCents, months, monthCount };
  }
}

interface Stored extends Pick<CreatorRevenue, 'allTime' | 'payableCents' | 'months' | 'monthCount'> {
  readonly thisMonth: RevenueMonth | null;
}
