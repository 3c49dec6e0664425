import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';

export interface Withdrawal {
  readonly userId: string;
  readonly creatorId: string;
  readonly withdrawnAt: Date;
}

/** The withdrawals of the creators that these users are. */
export class ListWithdrawals extends QueryOf<{ readonly userIds: readonly string[] }, readonly Withdrawal[]> {}

@QueryHandler(ListWithdrawals)
export class ListWithdrawalsHandler extends ReadHandler<CreatorTables, ListWithdrawals> {
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
