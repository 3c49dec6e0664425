import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { COUNTED_TO } from '../../contract/limits.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreditTables } from '../tables.js';
import { type CreditProposalRow } from '../use-cases/propose-credits.js';

/** A proposal with the number of all of its list, at most 10,000. */
export type ListedProposalRow = CreditProposalRow & { readonly total_count: number };

/** A page of proposals: open ones, the oldest first; decided ones, the latest first. */
export class ListProposals extends QueryOf<PageAt & { readonly decided: boolean }, ListedProposalRow[]> {}

@QueryHandler(ListProposals)
export class ListProposalsHandler extends ReadHandler<CreditTables, ListProposals> {
  /** One statement. The state is a literal, as in the indexes. */
  async execute({ input: { decided, limit, offset } }: ListProposals): Promise<ListedProposalRow[]> {
    const list = decided
      ? sql`from credit_proposal where state <> 'open' order by decided_at desc, id desc`
      : sql`from credit_proposal where state = 'open' order by proposed_at, id`;
    const { rows } = await sql<ListedProposalRow>`
      select page.*, (select count(*)::int from (select ${list} limit ${sql.lit(COUNTED_TO)}) as counted) as total_count
      from (select * ${list} limit ${limit} offset ${offset}) as page`.execute(this.db);
    return rows;
  }
}
