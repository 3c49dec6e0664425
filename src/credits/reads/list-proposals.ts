import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql, type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type CreditTables } from '../tables.js';
import { type CreditProposalRow } from '../use-cases/propose-credits.js';

/** A page of proposals: open ones, the oldest first; decided ones, the latest first. */
export class ListProposals extends Query<CreditProposalRow[]> {
  constructor(
    readonly input: {
      readonly decided: boolean;
      readonly limit: number;
      readonly offset: number;
    },
  ) {
    super();
  }
}

@QueryHandler(ListProposals)
export class ListProposalsHandler implements IQueryHandler<ListProposals> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreditTables>) {}

  async execute({ input: { decided, limit, offset } }: ListProposals): Promise<CreditProposalRow[]> {
    const page = this.db.selectFrom('credit_proposal').selectAll().limit(limit).offset(offset);
    if (!decided)
      return page
        .where(sql<boolean>`state = 'open'`)
        .orderBy('proposed_at')
        .orderBy('id')
        .execute();
    // The state as a literal, as in the index.
    return page
      .where(sql<boolean>`state <> 'open'`)
      .orderBy('decided_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
  }
}
