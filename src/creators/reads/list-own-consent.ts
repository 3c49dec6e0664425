import { QueryHandler } from '@nestjs/cqrs';
import { type ConsentRecord } from '../../contract/creators.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';
import { toConsentRecord } from './consent-record.js';

/** The newest acts of consent of a user, the latest first. */
const ACTS_SHOWN = 200;

/** The acts of consent of a user, the latest first. Empty for fans. */
export class ListOwnConsent extends QueryOf<{ readonly userId: string }, ConsentRecord[]> {}

@QueryHandler(ListOwnConsent)
export class ListOwnConsentHandler extends ReadHandler<CreatorTables, ListOwnConsent> {
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
