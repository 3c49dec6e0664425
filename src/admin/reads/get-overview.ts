import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { ListActs } from '../acts/index.js';
import { type AdminOverview } from '../../contract/admin.js';
import { COUNTED_TO } from '../../contract/limits.js';
import { type ImageInfo } from '../../contract/media.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { lastMonths, MoneySumsReader } from './money-sums.js';
import { type QueueRow, queuesAt, waiting } from './queues.js';

const ACTS_SHOWN = 5;
const PORTRAITS_SHOWN = 8;
const WEEK_MS = 7 * 86_400_000;
/** The longest time from the start of an image to its end, with the repeats of a refund (milliseconds). */
const IMAGE_TAKES_MS = 3_600_000;

/** The dashboard of admins: queues, figures and the last acts. */
export class GetAdminOverview extends Query<AdminOverview> {}

interface Figures {
  readonly queues: readonly QueueRow[];
  readonly active: number;
  readonly featured: number;
  readonly archived: number;
  readonly portraits: readonly ImageInfo[];
  readonly users: number;
  readonly usersThisWeek: number;
  readonly drawing: number;
  readonly deliveredToday: number;
  readonly refundedToday: number;
  readonly lastSeal: { readonly number: number; readonly at: string } | null;
}

@QueryHandler(GetAdminOverview)
export class GetAdminOverviewHandler implements IQueryHandler<GetAdminOverview> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<unknown>,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    private readonly sums: MoneySumsReader,
  ) {}

  async execute(): Promise<AdminOverview> {
    const now = this.clock.now();
    const [figures, sums, acts] = await Promise.all([
      this.figures(now),
      this.sums.read(),
      this.queries.execute(new ListActs({ filter: {}, before: null, limit: ACTS_SHOWN })),
    ]);
    const { lastSeal } = figures;
    return {
      queues: waiting(figures.queues),
      creators: { active: figures.active, featured: figures.featured, archived: figures.archived },
      portraits: figures.portraits,
      revenue: {
        ...sums.creators,
        months: lastMonths(now).map((month) => {
          const known = sums.months.find((one) => one.month === month);
          return { month, paid: known?.paid ?? 0, free: known?.free ?? 0 };
        }),
      },
      now: {
        users: figures.users,
        users_this_week: figures.usersThisWeek,
        drawing: figures.drawing,
        credits_held: sums.creditsHeld,
        delivered_today: figures.deliveredToday,
        refunded_today: figures.refundedToday,
        last_seal: lastSeal && { number: lastSeal.number, at: new Date(lastSeal.at).toISOString() },
      },
      acts,
    };
  }

  /** One statement. Each part reads at most 10,000 rows, by an index. */
  private async figures(now: Date): Promise<Figures> {
    const today = new Date(`${now.toISOString().slice(0, 10)}T00:00:00.000Z`);
    const approved = sql`from creator where creator_status = 'active' and withdrawn_at is null`;
    const joined = sql`select 1 from app_user where deleted_at is null`;
    const ofToday = sql`
      select status, completed_at, refunded_at, is_test from generation
      where created_at >= ${new Date(today.getTime() - IMAGE_TAKES_MS)} order by created_at desc, id desc`;
    const { rows } = await sql<Figures>`
      with today as (
        select (count(*) filter (where status = 'completed' and completed_at >= ${today}))::int as delivered,
          (count(*) filter (where refunded_at >= ${today}))::int as refunded
        from (${ofToday} limit ${sql.lit(COUNTED_TO)}) as g where not is_test
      )
      select
        (select json_agg(q) from (${queuesAt(now)}) as q) as queues,
        ${count(sql`select 1 ${approved} and is_visible order by created_at, id`)} as active,
        ${count(sql`select 1 ${approved} and is_visible and is_featured order by id`)} as featured,
        ${count(sql`select 1 ${approved} and not is_visible order by id`)} as archived,
        (
          select coalesce(json_agg(profile), '[]') from (
            select profile from (
              select profile ${approved} and is_visible order by created_at, id limit ${sql.lit(COUNTED_TO)}
            ) as first
            where profile is not null limit ${sql.lit(PORTRAITS_SHOWN)}
          ) as portraits
        ) as portraits,
        ${count(sql`${joined} order by created_at desc, id desc`)} as users,
        ${count(
          sql`${joined} and created_at >= ${new Date(now.getTime() - WEEK_MS)} order by created_at desc, id desc`,
        )} as "usersThisWeek",
        ${count(sql`select 1 from generation where status = 'pending' order by user_id, is_test`)} as drawing,
        today.delivered as "deliveredToday", today.refunded as "refundedToday",
        (
          select json_build_object('number', number, 'at', sealed_at) from ledger_seal order by number desc limit 1
        ) as "lastSeal"
      from today`.execute(this.db);
    const [row] = rows;
    if (!row) throw new Error('The figures were not returned.');
    return row;
  }
}

function count(rows: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(select count(*)::int from (${rows} limit ${sql.lit(COUNTED_TO)}) as counted)`;
}
