import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type RawBuilder, sql } from 'kysely';
import { COUNTED_TO } from '../../contract/limits.js';
import { type PayoutStatement, type PayoutStatements, type StatementRecipient } from '../../contract/payouts.js';
import { GetOwnPayoutDetails } from '../../creators/index.js';
import { onlyRow } from '../../platform/database/bulk-rows.js';
import { type PageBefore, QueryOf } from '../../platform/messages.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import { type PeriodSums } from '../payouts/statement.js';
import { referenceOf } from '../runs/payout-ids.js';
import { type PayoutCursor } from './creator-payouts.js';
import { FIXED, inPeriod, KIND, type PayoutRow, StatementReads, sumsOf, toListed } from './payout-statement-rows.js';

/**
 * The statements of a creator's payouts, the latest first, for the creator in any status, admins and finance.
 * @param input `before` null: from the latest one; `userId`: who asks
 * @throws DomainError forbidden, also for an unknown creator
 */
export class ListPayoutStatements extends QueryOf<
  PageBefore<PayoutCursor> & { readonly creatorId: string; readonly userId: string },
  PayoutStatements
> {}

@QueryHandler(ListPayoutStatements)
export class ListPayoutStatementsHandler extends StatementReads implements IQueryHandler<ListPayoutStatements> {
  async execute({ input: { creatorId, userId, limit, before } }: ListPayoutStatements): Promise<PayoutStatements> {
    await this.readable(creatorId, userId);
    const { rows } = await sql<PayoutRow & { pictures: number }>`
      select fixed.*, ${picturesOf(
        sql`${creatorId}::text`,
        sql`payable_at < fixed.cutoff
        and payable_at >= coalesce((fixed.previous ->> 'cutoff')::timestamptz, '-infinity')`,
      )} as pictures
      from (
        ${FIXED} and p.creator_id = ${creatorId}
          ${before ? sql`and (p.drafted_at, p.payout_id) < (${before.draftedAt}::timestamptz, ${before.payoutId})` : sql``}
        order by p.drafted_at desc, p.payout_id desc limit ${limit + 1}
      ) as fixed
      order by fixed.drafted_at desc, fixed.payout_id desc`.execute(this.db);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      statements: page.map((row) => ({ ...toListed(row), pictures: row.pictures })),
      total: await this.totalOf(creatorId),
      next: rows.length > limit && last ? `${last.drafted_at.toISOString()} ${last.payout_id}` : null,
    };
  }

  private async totalOf(creatorId: string): Promise<PayoutStatements['total']> {
    const found = await sql<PayoutStatements['total']>`
      select made.payouts, made.amount_cents,
        ${picturesOf(sql`${creatorId}::text`, sql`payable_at < made.cutoff`)} as pictures
      from (
        select count(*)::int as payouts, coalesce(sum(amount_cents), 0)::bigint as amount_cents, max(cutoff) as cutoff
        from payout where creator_id = ${creatorId} and step in ('fixed', 'checked', 'paid')
      ) as made`.execute(this.db);
    return onlyRow(found);
  }
}

/**
 * The statement of a payout, for its creator, admins and finance.
 * @param input `userId`: who asks
 * @throws DomainError forbidden, also for an unknown payout and one whose amount is not final; unavailable when the
 *   books do not have what was fixed
 */
export class GetPayoutStatement extends QueryOf<
  { readonly payoutId: string; readonly userId: string },
  PayoutStatement
> {}

@QueryHandler(GetPayoutStatement)
export class GetPayoutStatementHandler extends StatementReads implements IQueryHandler<GetPayoutStatement> {
  async execute({ input: { payoutId, userId } }: GetPayoutStatement): Promise<PayoutStatement> {
    const { row, creator } = await this.payout(payoutId, userId);
    const period = await this.periodOf(row);
    return {
      ...toListed(row),
      creator_id: row.creator_id,
      creator_name: creator?.name ?? null,
      recipient: creator?.isUser === true ? await this.recipient(userId) : null,
      previous_number: row.previous && referenceOf(row.previous.payout_id),
      ...sumsOf(row, period),
      ...period,
    };
  }

  /** Sums of the lines that became payable between the two cutoffs. */
  private async periodOf(row: PayoutRow): Promise<PeriodSums> {
    const found = await sql<PeriodSums>`
      select
        json_build_object('count', count(distinct deduction_id) filter (where kind = 'earning'),
          'cents', coalesce(-sum(cents) filter (where kind = 'earning'), 0)) as earnings,
        json_build_object('count', count(*) filter (where kind = 'correction'),
          'cents', coalesce(-sum(cents) filter (where kind = 'correction'), 0)) as corrections,
        json_build_object('count', count(*) filter (where kind = 'restoration'),
          'cents', coalesce(-sum(cents) filter (where kind = 'restoration'), 0)) as restorations
      from (select deduction_id, cents, ${KIND} as kind from book_entry where ${inPeriod(row)}) as lines`.execute(
      this.db,
    );
    return onlyRow(found);
  }

  private async recipient(userId: string): Promise<StatementRecipient | null> {
    const details = await this.queries.execute(new GetOwnPayoutDetails({ userId }));
    if (!details) return null;
    const { legal_name, country, account_ending } = details;
    return { legal_name, country, account_ending };
  }
}

/** An expression: pictures with earnings among lines of a creator's share; at most {@link COUNTED_TO}. */
function picturesOf(creatorId: RawBuilder<unknown>, period: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(
    select count(*)::int from (
      select distinct deduction_id from book_entry
      where account = ${sql.lit(ACCOUNT.creatorShare)} and creator_id = ${creatorId} and ${period}
        and reversal_id is null
      limit ${COUNTED_TO}
    ) as counted
  )`;
}
