import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { COUNTED_TO } from '../../contract/limits.js';
import { type CreatorSort, type PlatformRevenue, type RevenueCreatorRow } from '../../contract/applications.js';
import { GetAdminCreators } from '../../creators/index.js';
import { type CreatorTables } from '../../creators/tables.js';
import { DATABASE } from '../../platform/database/database.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { type RevenueTables } from '../../revenue/tables.js';
import { lastMonths, MoneySumsReader } from './money-sums.js';

/** A page of active creators in an order of the creator spec, section 9. */
export class ListRevenueCreators extends QueryOf<PageAt & { readonly sort: CreatorSort }, RevenueCreatorRow[]> {}

/** The platform's revenue of all times, as of at most a minute ago. */
export class GetPlatformRevenue extends Query<PlatformRevenue> {}

/** Active creators. */
const ACTIVE = sql`creator_status = 'active'`;

/** The number of active creators, at most {@link COUNTED_TO}. The order makes the database use an index. */
const COUNT_ACTIVE = sql<number>`(
  select count(*)::int from (
    select from creator where ${ACTIVE} order by created_at desc, id desc limit ${sql.lit(COUNTED_TO)}
  ) as counted)`;

@QueryHandler(ListRevenueCreators)
export class ListRevenueCreatorsHandler extends ReadHandler<CreatorTables & RevenueTables, ListRevenueCreators> {
  async execute({ input: { sort, limit, offset } }: ListRevenueCreators): Promise<RevenueCreatorRow[]> {
    const months = lastMonths(this.clock.now());
    const page = { limit: Math.min(limit, COUNTED_TO - offset), offset };
    if (page.limit <= 0) return [];
    const { rows } = await sql<{ id: string; total: number }>`
      select page.id, ${COUNT_ACTIVE} as total
      from (${orderOf(sort, months.at(-1) ?? '', page)}) as page order by page.part, page.place`.execute(this.db);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return [];
    const [creators, figures] = await Promise.all([
      this.queries.execute(new GetAdminCreators({ creatorIds: ids })),
      this.figuresOf(ids, months[0] ?? ''),
    ]);
    return creators.map((creator) => {
      const own = figures.filter(({ creator_id: id }) => id === creator.id);
      return {
        ...creator,
        months: months.map((month) => own.find((row) => row.month === month)?.cents ?? 0),
        taken_back_cents: own[0]?.taken_back ?? 0,
        restored_cents: own[0]?.restored ?? 0,
        total_count: rows[0]?.total ?? 0,
      };
    });
  }

  /** A row for each creator with figures and each of its months from a month on. */
  private async figuresOf(ids: readonly string[], month: string) {
    const { rows } = await sql<{
      creator_id: string;
      month: string | null;
      cents: number | null;
      taken_back: number;
      restored: number;
    }>`
      select total.creator_id, of_month.month, of_month.creator_cents as cents, -total.correction_cents as taken_back,
        total.restoration_cents as restored
      from creator_revenue_total total
      left join creator_revenue_month of_month
        on of_month.creator_id = total.creator_id and of_month.month >= ${month}
      where total.creator_id = any(${ids}::text[])`.execute(this.db);
    return rows;
  }
}

@QueryHandler(GetPlatformRevenue)
export class GetPlatformRevenueHandler implements IQueryHandler<GetPlatformRevenue> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreatorTables & RevenueTables>,
    private readonly sums: MoneySumsReader,
  ) {}

  async execute(): Promise<PlatformRevenue> {
    const [sums, active] = await Promise.all([
      this.sums.read(),
      sql<{ total: number }>`select ${COUNT_ACTIVE} as total`.execute(this.db),
    ]);
    return {
      platform_cents: sums.platformCents,
      ...sums.creators,
      corrections_cents: sums.correctionsCents,
      this_month_cents: sums.thisMonthCents,
      active_creators: active.rows[0]?.total ?? 0,
      paid_generations: sums.paidGenerations,
    };
  }
}

const ORDERS = { name: sql`lower(name), id`, newest: sql`created_at desc, id desc` } as const;

/** A figure of creators: a table or a part of it, and an expression that an index of the table has in this order. */
interface Figure {
  readonly rows: RawBuilder<unknown>;
  readonly value: RawBuilder<number>;
}

const FIGURES: Readonly<Record<Exclude<CreatorSort, keyof typeof ORDERS>, (month: string) => Figure>> = {
  all_time_revenue: () => ({ rows: sql`creator_revenue_total where true`, value: sql<number>`creator_cents` }),
  month_revenue: (month) => ({
    rows: sql`creator_revenue_month where month = ${month}`,
    value: sql<number>`creator_cents`,
  }),
  paid_generations: () => ({ rows: sql`creator_activity_total where true`, value: sql<number>`paid_generations` }),
  total_generations: () => ({
    rows: sql`creator_activity_total where true`,
    value: sql<number>`(paid_generations + free_generations)`,
  }),
};

/** A select of the ids of a page of active creators in an order, with their places in it. */
function orderOf(sort: CreatorSort, month: string, page: PageAt): RawBuilder<unknown> {
  if (sort !== 'name' && sort !== 'newest') return byFigure(FIGURES[sort](month), page);
  const order = ORDERS[sort];
  return sql`
    select id, 1 as part, row_number() over (order by ${order}) as place from creator where ${ACTIVE}
    order by ${order} limit ${page.limit} offset ${page.offset}`;
}

/**
 * A select of the ids of active creators by a figure, the highest first; of creators with the same, the one that was
 * made first. Those without the figure have zero. It walks the index of the figure for those above zero, then the
 * index of creators by age for those with zero, then the first index again for those below zero. Each walk ends with
 * the page: it reads as many entries as the page and those before it have.
 */
function byFigure({ rows, value }: Figure, { limit, offset }: PageAt): RawBuilder<unknown> {
  // Lateral, so that each figure looks up its creator: a join of both tables reads them from end to end.
  const ranked = (sign: RawBuilder<boolean>): RawBuilder<unknown> => sql`
    from (select creator_id, ${value} as value from ${rows} and ${sign}) as figure
    cross join lateral (
      select id from creator where creator.id::text = figure.creator_id and ${ACTIVE} limit 1
    ) as creator
    `;
  const above = ranked(sql<boolean>`${value} > 0`);
  const below = ranked(sql<boolean>`${value} < 0`);
  const zero = sql`
    from creator
    where ${ACTIVE} and coalesce((select ${value} from ${rows} and creator_id = creator.id::text), 0) = 0`;
  const byValue = sql`figure.value desc, figure.creator_id`;
  const byAge = sql`creator.created_at, creator.id`;
  const count = (part: RawBuilder<unknown>): RawBuilder<number> =>
    sql`(select count(*) from (select ${part} limit ${COUNTED_TO}) as counted)`;
  // The rest of a page begins at the start of the next part. Only a page without rows so far must count them.
  return sql`
    with above as materialized (
      select creator.id, row_number() over (order by ${byValue}) as place ${above}
      order by ${byValue} limit ${limit} offset ${offset}
    ),
    zero as materialized (
      select creator.id, row_number() over (order by ${byAge}) as place ${zero}
      order by ${byAge} limit ${limit} - (select count(*) from above)
      offset case when exists (select from above) then 0 else ${offset} - ${count(above)} end
    ),
    below as materialized (
      select creator.id, row_number() over (order by ${byValue}) as place ${below}
      order by ${byValue} limit ${limit} - (select count(*) from above) - (select count(*) from zero)
      offset case
        when exists (select from above) or exists (select from zero) then 0
        else ${offset} - ${count(above)} - ${count(zero)}
      end
    )
    select id, 1 as part, place from above
    union all select id, 2, place from zero
    union all select id, 3, place from below`;
}
