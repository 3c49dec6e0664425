import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type GenerationTables } from '../tables.js';

/** Whether the user has a pending generation that is not a test. There is at most one. */
export class HasPendingGeneration extends Query<boolean> {
  constructor(readonly input: { readonly userId: string }) {
    super();
  }
}

@QueryHandler(HasPendingGeneration)
export class HasPendingGenerationHandler implements IQueryHandler<HasPendingGeneration> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

  async execute({ input: { userId } }: HasPendingGeneration): Promise<boolean> {
    const row = await this.db
      .selectFrom('generation')
      .select('id')
      .where('user_id', '=', userId)
      .where('status', '=', 'pending')
      .where('is_test', '=', false)
      .executeTakeFirst();
    return row !== undefined;
  }
}
