import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql, type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import type { CreditTables } from '../tables.js';

/** The users among these whose projected account holds paid credits. The projection may lag behind the ledger. */
export class ListHoldersOfPaidCredits extends Query<readonly string[]> {
  constructor(readonly input: { readonly userIds: readonly string[] }) {
    super();
  }
}

@QueryHandler(ListHoldersOfPaidCredits)
export class ListHoldersOfPaidCreditsHandler implements IQueryHandler<ListHoldersOfPaidCredits> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreditTables>) {}

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
