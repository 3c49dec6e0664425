import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type AdminUser } from '../../contract/admin-users.js';
import { type CreditProposalRow, GetAccountForAdmins } from '../../credits/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { toProposal } from './proposals.js';
import { type AdminTables, rowsOf } from './search-users.js';

/** Proposals of a user that are shown. */
const PROPOSALS_SHOWN = 20;

/** Everything about a user and their account. @throws DomainError notFound */
export class GetUserForAdmins extends QueryOf<{ readonly userId: string; readonly adminId: string }, AdminUser> {}

@QueryHandler(GetUserForAdmins)
export class GetUserForAdminsHandler extends ReadHandler<AdminTables, GetUserForAdmins> {
  async execute({ input: { userId, adminId } }: GetUserForAdmins): Promise<AdminUser> {
    const now = this.clock.now();
    const { balances, lots, grantLimit, day } = await this.queries.execute(new GetAccountForAdmins({ userId }));
    const [row] = await rowsOf(this.db, [userId], { now, total: 1 });
    if (!row) throw new DomainError('notFound', 'There is no such user.');
    const { total_count: _total, suspension, ...profile } = row;
    const { granted, proposals, names } = await this.acts(userId, adminId, day);
    return {
      ...profile,
      // From the stream, which the projection may lag behind.
      daily_credits: balances.daily,
      bonus_credits: balances.bonus,
      paid_credits: balances.paid,
      total_balance: balances.total,
      suspension: row.suspended ? suspension : null,
      own: userId === adminId,
      lots: lots.map(({ lotId, kind, remaining, unitPriceCents, expiresAt }) => ({
        lot_id: lotId,
        kind,
        remaining,
        unit_price_cents: kind === 'paid' ? unitPriceCents : null,
        expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      })),
      proposals: proposals.map((proposal) => toProposal(proposal, adminId, names.set(userId, row.name))),
      grant_left_today: Math.max(0, grantLimit - granted),
    };
  }

  /** The proposals on a user, the latest first, and what the admin has granted on this day. One statement. */
  private async acts(
    userId: string,
    adminId: string,
    day: string,
  ): Promise<{ granted: number; proposals: CreditProposalRow[]; names: Map<string, string | null> }> {
    const rows = await this.db
      .selectFrom(sql<{ one: number }>`(select 1 as one)`.as('question'))
      .leftJoin('admin_grant_day as day', (join) => join.on('day.admin_id', '=', adminId).on('day.day', '=', day))
      .leftJoin('credit_proposal as proposal', (join) => join.on('proposal.user_id', '=', userId))
      .leftJoin('app_user as proposer', 'proposer.id', 'proposal.proposed_by')
      .select(['day.credits as granted', 'proposer.name as proposer_name'])
      .selectAll('proposal')
      .orderBy('proposal.proposed_at', 'desc')
      .limit(PROPOSALS_SHOWN)
      .execute();
    const found = rows.filter(({ id }) => id !== null);
    return {
      granted: rows[0]?.granted ?? 0,
      proposals: found.map(({ granted: _granted, proposer_name: _name, ...row }) => row as CreditProposalRow),
      names: new Map(found.map((row) => [row.proposed_by ?? '', row.proposer_name])),
    };
  }
}
