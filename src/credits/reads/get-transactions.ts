import { Inject, Logger } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import type { CreditTransaction } from '../../contract/credits.js';
import { DATABASE } from '../../platform/database/database.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { QueryOf } from '../../platform/messages.js';
import { ProjectionRunner } from '../../platform/projections/projection-runner.js';
import type { CreditTables } from '../tables.js';
import { transactionsAreCurrent } from './current-balance.js';

/** A page of an account's transactions, newest first. Includes every transaction written before the query. */
export class GetTransactions extends QueryOf<
  {
    readonly userId: string;
    readonly pageSize: number;
    /** From 1. */
    readonly pageNumber: number;
  },
  CreditTransaction[]
> {}

@QueryHandler(GetTransactions)
export class GetTransactionsHandler implements IQueryHandler<GetTransactions> {
  private readonly logger = new Logger(GetTransactionsHandler.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreditTables>,
    private readonly eventStore: EventStore,
    private readonly projections: ProjectionRunner,
  ) {}

  async execute({ input: { userId, pageSize, pageNumber } }: GetTransactions): Promise<CreditTransaction[]> {
    if (!(await transactionsAreCurrent(userId, this.db, this.eventStore, this.projections))) {
      this.logger.warn({ message: 'Transactions are shown without the latest ones.', userId });
    }
    const rows = await this.db
      .selectFrom('credit_transaction')
      .select(['id', 'created_at', 'description', 'transaction_type', 'amount', 'balance_after'])
      .select(['reference_id', 'creator_id'])
      .where('user_id', '=', userId)
      .orderBy('version', 'desc')
      .limit(pageSize)
      .offset((pageNumber - 1) * pageSize)
      .execute();
    return rows.map(({ created_at, creator_id, ...row }) => ({
      ...row,
      created_at: created_at.toISOString(),
      metadata: creator_id === null ? {} : { creator_id },
    }));
  }
}
