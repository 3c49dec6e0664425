import { QueryHandler } from '@nestjs/cqrs';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';

/** Whether a user has ever accepted a version of the creator terms. A later withdrawal does not change it. */
export class HasAcceptedTerms extends QueryOf<{ readonly userId: string; readonly termsVersion: string }, boolean> {}

@QueryHandler(HasAcceptedTerms)
export class HasAcceptedTermsHandler extends ReadHandler<CreatorTables, HasAcceptedTerms> {
  async execute({ input: { userId, termsVersion } }: HasAcceptedTerms): Promise<boolean> {
    const acceptance = await this.db
      .selectFrom('creator_consent')
      .select('id')
      .where('clerk_id', '=', userId)
      .where('kind', '=', 'accepted')
      .where('terms_version', '=', termsVersion)
      .limit(1)
      .executeTakeFirst();
    return acceptance !== undefined;
  }
}
