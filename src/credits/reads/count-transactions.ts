import { Inject, Logger } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { QueryOf } from '../../platform/messages.js';
import { ProjectionRunner } from '../../platform/projections/projection-runner.js';
import type { CreditTables } from '../tables.js';
import { transactionsAreCurrent } from './current-balance.js';

/** Number of an account's transactions. Includes every transaction written before the query. */
export class CountTransactions extends QueryOf<{ readonly userId: string }, number> {}

@QueryHandler(CountTransactions)
export class CountTransactionsHandler implements IQueryHandler<CountTransactions> {
  private readonly logger = new Logger(CountTransactionsHandler.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<CreditTables>,
    private readonly eventStore: EventStore,
    private readonly projections: ProjectionRunner,
  ) {}

  async execute({ input: { userId } }: CountTransactions): Promise<number> {
    if (!(await transactionsAreCurrent(userId, this.db, this.eventStore, this.projections))) {
      this.logger.warn({ message: 'Transactions are counted without the latest ones.', userId });
    }
    const { count } = await this.db
      .selectFrom('credit_transaction')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return count;
  }
}
