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
        ...(await this.nextPayout(creatorId, now)),
        payout_minimum_cents: this.config.payoutMinimumCents,
      },
      stats,
      this_month,
    };
  }

  /** Cents that become payable between an instant and the next UTC month, and a hold in force. */
  private async nextPayout(
    creatorId: string,
    now: Date,
  ): Promise<Pick<CreatorAnalytics['revenue'], 'payable_by_next_month_cents' | 'held_until'>> {
    const creator = sql<string>`${creatorId}::text`;
    const next = startOfMonth(addMonths(monthOf(now), 1));
    const { rows } = await sql<{ cents: number; held_until: Date | null }>`
      select ${dueBefore(creator, next)} - ${dueBefore(creator, afterAt(now))} as cents,
        (select until from payout_hold where creator_id = ${creatorId} and until > ${now}) as held_until
    `.execute(this.db);
    const { cents = 0, held_until: heldUntil = null } = rows[0] ?? {};
    return { payable_by_next_month_cents: cents, held_until: heldUntil?.toISOString() ?? null };
  }
}
