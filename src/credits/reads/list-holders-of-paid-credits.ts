import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import type { CreditTables } from '../tables.js';

/** The users among these whose projected account holds paid credits. The projection may lag behind the ledger. */
export class ListHoldersOfPaidCredits extends QueryOf<{ readonly userIds: readonly string[] }, readonly string[]> {}

@QueryHandler(ListHoldersOfPaidCredits)
export class ListHoldersOfPaidCreditsHandler extends ReadHandler<CreditTables, ListHoldersOfPaidCredits> {
  async execute({ input: { userIds } }: ListHoldersOfPaidCredits): Promise<readonly string[]> {
    const rows = await this.db
      .selectFrom('credit_balance')
      .select('user_id')
      .where('user_id', '=', sql<string>`any(${[...userIds]}::text[])`)
      .where('paid', '>', 0)
      .execute();
    return rows.map((row) => row.user_id);
  }
}
