import { QueryHandler } from '@nestjs/cqrs';
import { isUuid } from '../../platform/ids.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { ownerIsOpen } from '../closed-owners.js';
import { type GenerationTables } from '../tables.js';
import { type GenerationSummary, SUMMARY_COLUMNS, toGenerationSummary } from './generation-summary.js';

/**
 * One generation by id, without a check of ownership. Null when it does not exist, was deleted, or its owner's account
 * is closed.
 */
export class GetGeneration extends QueryOf<{ readonly generationId: string }, GenerationSummary | null> {}

@QueryHandler(GetGeneration)
export class GetGenerationHandler extends ReadHandler<GenerationTables, GetGeneration> {
  async execute({ input: { generationId } }: GetGeneration): Promise<GenerationSummary | null> {
    if (!isUuid(generationId)) return null;
    const row = await this.db
      .selectFrom('generation')
      .select(SUMMARY_COLUMNS)
      .where('id', '=', generationId)
      .where('deleted_at', 'is', null)
      .where(ownerIsOpen)
      .executeTakeFirst();
    return row ? toGenerationSummary(row) : null;
  }
}
