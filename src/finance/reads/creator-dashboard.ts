import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type CreatorAnalytics } from '../../contract/revenue.js';
import { GetCreatorForUser } from '../../creators/index.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { Authenticator } from '../../platform/principal.js';
import { GetCreatorAnalytics } from '../../revenue/index.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import { type FinanceTables } from '../tables.js';

const ROLES = ['admin', 'finance'];

/**
 * The figures of a creator's dashboard as of now, for that creator (in any status), admins and finance.
 * @param input `creator`: id or username; `userId`: who asks
 * @throws DomainError forbidden, also for an unknown creator
 */
export class GetCreatorDashboard extends Query<CreatorAnalytics> {
  constructor(readonly input: { readonly creator: string; readonly userId: string }) {
    super();
  }
}

@QueryHandler(GetCreatorDashboard)
export class GetCreatorDashboardHandler implements IQueryHandler<GetCreatorDashboard> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<FinanceTables>,
    private readonly queries: QueryBus,
    private readonly authenticator: Authenticator,
  ) {}

  async execute({ input: { creator, userId } }: GetCreatorDashboard): Promise<CreatorAnalytics> {
    const creatorId = await this.readable(creator, userId);
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

  /** @returns the creator's id. @throws DomainError the same for unknown creators and for callers without the right */
  private async readable(asked: string, userId: string): Promise<string> {
    const creator = await this.queries.execute(new GetCreatorForUser({ creator: asked, userId }));
    const roles = creator && !creator.isUser ? await this.authenticator.rolesOf(userId) : null;
    if (creator?.isUser || (creator && ROLES.some((role) => roles?.has(role)))) return creator.id;
    throw new DomainError('forbidden', 'Creator not found or access denied');
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
