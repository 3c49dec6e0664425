import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type CreatorAnalytics } from '../../contract/revenue.js';
import { GetReadableCreator } from '../../creators/index.js';
import { Clock } from '../../platform/clock.js';
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
        payable_by_next_month_cents: await this.payableBetween(creatorId, now),
      },
      stats,
      this_month,
    };
  }

  /** Cents that become payable between an instant and the next UTC month. */
  private async payableBetween(creatorId: string, now: Date): Promise<number> {
    const creator = sql<string>`${creatorId}::text`;
    const next = startOfMonth(addMonths(monthOf(now), 1));
    const { rows } = await sql<{ cents: number }>`
      select ${dueBefore(creator, next)} - ${dueBefore(creator, afterAt(now))} as cents`.execute(this.db);
    return rows[0]?.cents ?? 0;
  }
}
