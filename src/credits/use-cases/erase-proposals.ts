import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { CommandOf } from '../../platform/messages.js';
import { type CreditTables } from '../tables.js';

/**
 * Erases the reasons of the proposals about a user, which may name them. Open proposals are deleted: a closed account
 * takes no credits, and the act of the proposal stays in the log. Repeating it changes nothing.
 * @returns the approved proposals that are not in the ledger yet: the worker completes them, then repeat the command
 */
export class EraseProposals extends CommandOf<{ readonly userId: string }, { readonly waiting: number }> {}

@CommandHandler(EraseProposals)
export class EraseProposalsHandler implements ICommandHandler<EraseProposals> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreditTables>) {}

  async execute({ input: { userId } }: EraseProposals): Promise<{ readonly waiting: number }> {
    const { rows } = await sql<{ waiting: number }>`
      with deleted as (delete from credit_proposal where user_id = ${userId} and state = 'open'),
        erased as (
          update credit_proposal set reason = ''
          where user_id = ${userId} and reason <> '' and (state = 'declined' or applied_at is not null)
        )
      select count(*)::int as waiting from credit_proposal
      where user_id = ${userId} and state = 'approved' and applied_at is null`.execute(this.db);
    return { waiting: rows[0]?.waiting ?? 0 };
  }
}
