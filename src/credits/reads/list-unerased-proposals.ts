import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreditTables } from '../tables.js';

/** The users among these, all of closed accounts, with a proposal that still has its reason. */
export class ListUnerasedProposals extends QueryOf<{ readonly userIds: readonly string[] }, readonly string[]> {}

@QueryHandler(ListUnerasedProposals)
export class ListUnerasedProposalsHandler extends ReadHandler<CreditTables, ListUnerasedProposals> {
  async execute({ input: { userIds } }: ListUnerasedProposals): Promise<readonly string[]> {
    // With a limit, each is answered from the index of the user.
    const { rows } = await sql<{ user_id: string }>`
      select user_id from unnest(${[...userIds]}::text[]) as closed (user_id)
      where (select true from credit_proposal p
        where p.user_id = closed.user_id and p.reason <> '' limit 1)`.execute(this.db);
    return rows.map((row) => row.user_id);
  }
}
