import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type CreatorAnalytics } from '../../contract/revenue.js';
import { GetReadableCreator } from '../../creators/index.js';
import { Clock } from '../../platform/clock.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { DATABASE } from '../../platform/database/database.js';
import { addMonths, GetCreatorAnalytics, monthOf, startOfMonth } from '../../revenue/index.js';
import { type FinanceTables } from '../tables.js';
import { afterAt, dueBefore } from './creator-sums.js';
import { GetCreatorMoney } from './read-creator-money.js';

/**
 * The figures of a creator's dashboard as of now, for that creator (in any status), admins and finance.
 * @param input `userId`: who asks
 * @throws DomainError forbidden, also for an unknown creator
 */
export class GetCreatorDashboard extends Query<CreatorAnalytics> {
  constructor(readonly input: { readonly creatorId: string; readonly userId: string }) {
    super();
  }
}

@QueryHandler(GetCreatorDashboard)
export class GetCreatorDashboardHandler implements IQueryHandler<GetCreatorDashboard> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly queries: QueryBus,
  ) {}

  async execute({ input }: GetCreatorDashboard): Promise<CreatorAnalytics> {
    const now = this.clock.now();
    const { id: creatorId } = await this.queries.execute(new GetReadableCreator(input));
    const { this_month, stats } = await this.queries.execute(new GetCreatorAnalytics({ creatorId }));
    const money = await this.queries.execute(new GetCreatorMoney(creatorId));
    return {
      revenue: {
        all_time_earnings: money.earned_cents / 100,
        this_month_earnings: this_month.creator_earnings,
        ...money,
        ...(await this.payouts(creatorId, { now, paidCents: money.paid_cents })),
        payout_minimum_cents: this.config.payoutMinimumCents,
      },
      stats,
      this_month,
    };
  }

  /** Cents that become payable between now and the next UTC month, a hold in force, and the cutoffs of payouts. */
  private async payouts(
    creatorId: string,
    { now, paidCents }: { readonly now: Date; readonly paidCents: number },
  ): Promise<Payouts> {
    const creator = sql<string>`${creatorId}::text`;
    const next = startOfMonth(addMonths(monthOf(now), 1));
    const cutoff = sql`select max(cutoff) from payout where creator_id = ${creatorId}`;
    // After a transfer that came back, less is paid than was payable at the cutoff of a later payout.
    const { rows } = await sql<{ [Name in keyof Payouts]: Payouts[Name] extends number ? number : Date | null }>`
      select ${dueBefore(creator, next)} - ${dueBefore(creator, afterAt(now))} as payable_by_next_month_cents,
        (select until from payout_hold where creator_id = ${creatorId} and until > ${now}) as held_until,
        (${cutoff} and step = 'paid' and payable_cents <= ${paidCents}) as paid_until,
        (${cutoff} and step in ('fixed', 'checked')) as under_way_until`.execute(this.db);
    if (!rows[0]) throw new Error('A query of sums has answered no row.');
    const { payable_by_next_month_cents, held_until, paid_until, under_way_until } = rows[0];
    return {
      payable_by_next_month_cents,
      held_until: held_until?.toISOString() ?? null,
      paid_until: paid_until?.toISOString() ?? null,
      under_way_until: under_way_until?.toISOString() ?? null,
    };
  }
}

type Payouts = Pick<
  CreatorAnalytics['revenue'],
  'payable_by_next_month_cents' | 'held_until' | 'paid_until' | 'under_way_until'
>;
