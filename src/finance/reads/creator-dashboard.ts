import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type CreatorAnalytics } from '../../contract/revenue.js';
import { GetReadableCreator } from '../../creators/index.js';
import { DATABASE } from '../../platform/database/database.js';
import { GetCreatorAnalytics } from '../../revenue/index.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import { type FinanceTables } from '../tables.js';

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
    private readonly queries: QueryBus,
  ) {}

  async execute({ input }: GetCreatorDashboard): Promise<CreatorAnalytics> {
    const { id: creatorId } = await this.queries.execute(new GetReadableCreator(input));
    const { revenue, ...others } = await this.queries.execute(new GetCreatorAnalytics({ creatorId }));
    const { became_payable_cents: payable, ...earned } = revenue;
    const { taken, paid } = await this.payouts(creatorId);
    return {
      ...others,
      revenue: {
        ...earned,
        payable_cents: Math.max(0, payable - taken),
        under_way_cents: taken - paid,
        paid_cents: paid,
        debt_cents: Math.max(0, taken - payable),
      },
    };
  }

  /** Cents that payouts have taken, and those of them that are paid. */
  private async payouts(creatorId: string): Promise<{ readonly taken: number; readonly paid: number }> {
    const { rows } = await sql<{ taken: number; paid: number }>`
      select coalesce(sum(cents) filter (where account = ${ACCOUNT.creatorPayable}), 0)::bigint as taken,
        coalesce(-sum(cents) filter (where account = ${ACCOUNT.payoutsPaid}), 0)::bigint as paid
      from payout_entry where creator_id = ${creatorId}`.execute(this.db);
    if (!rows[0]) throw new Error('A query of sums has answered no row.');
    return rows[0];
  }
}
