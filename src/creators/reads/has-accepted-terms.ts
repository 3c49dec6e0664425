import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';

/** Whether a user has ever accepted a version of the creator terms. A later withdrawal does not change it. */
export class HasAcceptedTerms extends Query<boolean> {
  constructor(readonly input: { readonly userId: string; readonly termsVersion: string }) {
    super();
  }
}

@QueryHandler(HasAcceptedTerms)
export class HasAcceptedTermsHandler implements IQueryHandler<HasAcceptedTerms> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

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
