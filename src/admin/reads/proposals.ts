import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { type CreditProposal, type ListedProposal } from '../../contract/admin-users.js';
import { type CreditProposalRow, type ListedProposalRow } from '../../credits/index.js';
import { DATABASE } from '../../platform/database/database.js';
import { type AdminTables } from './search-users.js';

/** Proposals as admins see them, with the names of their people. */
@Injectable()
export class Proposals {
  constructor(@Inject(DATABASE) private readonly db: Kysely<AdminTables>) {}

  /** A proposal that was just changed, without the names: the caller has them. */
  one(row: CreditProposalRow, adminId: string): CreditProposal {
    return toProposal(row, adminId, new Map());
  }

  /** At most one statement. */
  async all(rows: readonly ListedProposalRow[], adminId: string): Promise<ListedProposal[]> {
    if (rows.length === 0) return [];
    const ids = rows.flatMap(({ user_id: userId, proposed_by: proposer }) => [userId, proposer]);
    const people = await this.db
      .selectFrom('app_user')
      .select(['id', 'name'])
      .where('id', '=', sql<string>`any(${[...new Set(ids)]}::text[])`)
      .execute();
    const names = new Map(people.map(({ id, name }) => [id, name]));
    return rows.map(({ total_count: total, ...row }) => ({ ...toProposal(row, adminId, names), total_count: total }));
  }
}

/** A proposal as an admin sees it. */
export function toProposal(
  { applied_at: _applied, proposed_at: proposed, decided_at: decided, ...row }: CreditProposalRow,
  adminId: string,
  names: ReadonlyMap<string, string | null>,
): CreditProposal {
  return {
    ...row,
    user_name: names.get(row.user_id) ?? null,
    proposed_by_name: names.get(row.proposed_by) ?? null,
    own: row.proposed_by === adminId || row.user_id === adminId,
    proposed_at: proposed.toISOString(),
    decided_at: decided?.toISOString() ?? null,
  };
}
