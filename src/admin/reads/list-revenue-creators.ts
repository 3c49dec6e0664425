import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { COUNTED_TO } from '../../contract/limits.js';
import { type CreatorSort, type PlatformRevenue, type RevenueCreatorRow } from '../../contract/applications.js';
import { GetAdminCreators } from '../../creators/index.js';
import { type CreatorTables } from '../../creators/tables.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { type RevenueTables } from '../../revenue/tables.js';
import { lastMonths, MoneySumsReader } from './money-sums.js';

/** A page of active creators in an order of the creator spec, section 9. */
export class ListRevenueCreators extends Query<RevenueCreatorRow[]> {
  constructor(readonly input: { readonly sort: CreatorSort; readonly limit: number; readonly offset: number }) {
    super();
  }
}

/** The platform's revenue of all times, as of at most a minute ago. */
export class GetPlatformRevenue extends Query<PlatformRevenue> {}

/** Active creators. */
const ACTIVE = sql`creator_status = 'active'`;

@QueryHandler(ListRevenueCreators)
export class ListRevenueCreatorsHandler implements IQueryHandler<ListRevenueCreators> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables & RevenueTables>,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { sort, limit, offset } }: ListRevenueCreators): Promise<RevenueCreatorRow[]> {
    const months = lastMonths(this.clock.now());
    const { rows } = await sql<{ id: string; total: number }>`
      select ids.id,
        (select count(*) from (select from creator where ${ACTIVE} limit ${COUNTED_TO}) as counted)::int as total
      from (${orderOf(sort, months.at(-1) ?? '')} limit ${limit} offset ${offset}) as ids`.execute(this.db);
    const ids = rows.map(({ id }) => id);
    const [creators, figures] = await Promise.all([
      this.queries.execute(new GetAdminCreators({ creatorIds: ids })),
      this.figuresOf(ids),
    ]);
    return creators.map((creator) => {
      const own = figures.filter(({ creator_id: id }) => id === creator.id);
      const sum = (figure: 'taken_back' | 'restored'): number => own.reduce((total, row) => total + row[figure], 0);
      return {
        ...creator,
        months: months.map((month) => own.find((row) => row.month === month)?.cents ?? 0),
        taken_back_cents: sum('taken_back'),
        restored_cents: sum('restored'),
        total_count: rows[0]?.total ?? 0,
      };
    });
  }

  private async figuresOf(ids: readonly string[]) {
    if (ids.length === 0) return [];
    const { rows } = await sql<{
      creator_id: string;
      month: string;
      cents: number;
      taken_back: number;
      restored: number;
    }>`
      select creator_id, month, creator_cents::bigint as cents, -correction_cents::bigint as taken_back,
        restoration_cents::bigint as restored
      from creator_revenue_month where creator_id = any(${ids}::text[])`.execute(this.db);
    return rows;
  }
}

@QueryHandler(GetPlatformRevenue)
export class GetPlatformRevenueHandler implements IQueryHandler<GetPlatformRevenue> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables>,
    private readonly sums: MoneySumsReader,
  ) {}

  async execute(): Promise<PlatformRevenue> {
    const [sums, active] = await Promise.all([
      this.sums.read(),
      sql<{ total: number }>`
        select count(*)::int as total from (select from creator where ${ACTIVE} limit ${COUNTED_TO}) as counted`.execute(
        this.db,
      ),
    ]);
    return {
      platform_cents: sums.platformCents,
      creators_cents: sums.creatorsCents,
      payable_cents: sums.payableCents,
      pending_cents: sums.creatorsCents - sums.payableCents,
      corrections_cents: sums.correctionsCents,
      this_month_cents: sums.thisMonthCents,
      active_creators: active.rows[0]?.total ?? 0,
      paid_generations: sums.paidGenerations,
    };
  }
}

/** A select of the ids of active creators in an order. Creators without figures come last, the oldest first. */
function orderOf(sort: CreatorSort, month: string): RawBuilder<unknown> {
  if (sort === 'name') return sql`select id from creator where ${ACTIVE} order by lower(name), id`;
  if (sort === 'newest') return sql`select id from creator where ${ACTIVE} order by created_at desc, id desc`;
  const figures = {
    all_time_revenue: sql`select creator_id, sum(creator_cents) as figure from creator_revenue_month group by 1`,
    month_revenue: sql`select creator_id, creator_cents as figure from creator_revenue_month where month = ${month}`,
    paid_generations: sql`select creator_id, sum(paid_generations) as figure from creator_activity_month group by 1`,
    total_generations: sql`
      select creator_id, sum(paid_generations + free_generations) as figure from creator_activity_month group by 1`,
  }[sort];
  return sql`
    select creator.id from creator left join (${figures}) as figures on figures.creator_id = creator.id::text
    where ${ACTIVE} order by coalesce(figures.figure, 0) desc, created_at, id`;
}
