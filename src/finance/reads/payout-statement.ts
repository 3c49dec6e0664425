import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type PayoutStatement, type StatementRecipient } from '../../contract/payouts.js';
import { GetOwnPayoutDetails } from '../../creators/index.js';
import { onlyRow } from '../../platform/database/bulk-rows.js';
import { QueryOf } from '../../platform/messages.js';
import { type PeriodSums } from '../payouts/statement.js';
import { referenceOf } from '../runs/payout-ids.js';
import { inPeriod, KIND, type PayoutRow, StatementReads, sumsOf, toListed } from './payout-statement-rows.js';

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
