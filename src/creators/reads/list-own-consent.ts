import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type ConsentRecord } from '../../contract/creators.js';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';

/** The newest acts of consent of a user, the latest first. */
const MOST = 200;

/** The acts of consent of a user, the latest first. Empty for fans. */
export class ListOwnConsent extends Query<ConsentRecord[]> {
  constructor(readonly input: { readonly userId: string }) {
    super();
  }
}

@QueryHandler(ListOwnConsent)
export class ListOwnConsentHandler implements IQueryHandler<ListOwnConsent> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

  async execute({ input: { userId } }: ListOwnConsent): Promise<ConsentRecord[]> {
    const rows = await this.db
      .selectFrom('creator_consent')
      .selectAll()
      .where('clerk_id', '=', userId)
      .orderBy('number', 'desc')
      .limit(MOST)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      at: row.at.toISOString(),
      terms_version: row.terms_version,
      terms_sha256: row.terms_sha256,
      terms_url: row.terms_url,
      method_of_acceptance: row.method_of_acceptance,
      accepted_text_snapshot: row.accepted_text_snapshot,
      user_agent: row.user_agent,
      email: row.email,
    }));
  }
}
