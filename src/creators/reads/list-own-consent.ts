import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type ConsentRecord } from '../../contract/creators.js';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';
import { toConsentRecord } from './consent-record.js';

/** The newest acts of consent of a user, the latest first. */
const ACTS_SHOWN = 200;

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
      .limit(ACTS_SHOWN)
      .execute();
    return rows.map(toConsentRecord);
  }
}
