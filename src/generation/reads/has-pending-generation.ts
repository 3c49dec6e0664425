import { QueryHandler } from '@nestjs/cqrs';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type GenerationTables } from '../tables.js';

/** Whether the user has a pending generation that is not a test. There is at most one. */
export class HasPendingGeneration extends QueryOf<{ readonly userId: string }, boolean> {}

@QueryHandler(HasPendingGeneration)
export class HasPendingGenerationHandler extends ReadHandler<GenerationTables, HasPendingGeneration> {
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
