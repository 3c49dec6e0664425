import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';

export interface Withdrawal {
  readonly userId: string;
  readonly creatorId: string;
  readonly withdrawnAt: Date;
}

/** The withdrawals of the creators that these users are. */
export class ListWithdrawals extends Query<readonly Withdrawal[]> {
  constructor(readonly input: { readonly userIds: readonly string[] }) {
    super();
  }
}

@QueryHandler(ListWithdrawals)
export class ListWithdrawalsHandler implements IQueryHandler<ListWithdrawals> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { userIds } }: ListWithdrawals): Promise<readonly Withdrawal[]> {
    const rows = await this.db
      .selectFrom('creator')
      .select(['id', 'clerk_id', 'withdrawn_at'])
      .where('clerk_id', '=', sql<string>`any(${[...userIds]}::text[])`)
      .where('withdrawn_at', 'is not', null)
      .execute();
    return rows.flatMap(({ id, clerk_id: userId, withdrawn_at: withdrawnAt }) =>
      userId === null || withdrawnAt === null ? [] : [{ userId, creatorId: id, withdrawnAt }],
    );
  }
}
