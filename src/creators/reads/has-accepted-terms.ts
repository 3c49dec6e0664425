import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';

/** Whether a user has accepted a version of the creator terms. */
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
      .selectFrom('creator_terms_acceptance')
      .select('accepted_at')
      .where('clerk_id', '=', userId)
      .where('terms_version', '=', termsVersion)
      .executeTakeFirst();
    return acceptance !== undefined;
  }
}
