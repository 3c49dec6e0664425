import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { ownerIsOpen } from '../closed-owners.js';
import { anyPattern, readPromptText } from '../prompts/search-term.js';
import { type GenerationTables } from '../tables.js';
import { type GenerationSummary, SUMMARY_COLUMNS, toGenerationSummary } from './generation-summary.js';

/**
 * The newest generations among some ids whose prompt contains a text, without case. Deleted ones, and those of closed
 * accounts, are left out. It reads the prompts one by one, until it has enough.
 */
export class SearchGenerations extends QueryOf<
  { readonly generationIds: readonly string[]; readonly text: string; readonly limit: number },
  readonly GenerationSummary[]
> {}

@QueryHandler(SearchGenerations)
export class SearchGenerationsHandler extends ReadHandler<GenerationTables, SearchGenerations> {
  async execute({ input: { generationIds, text, limit } }: SearchGenerations): Promise<readonly GenerationSummary[]> {
    if (generationIds.length === 0) return [];
    const rows = await this.db
      .selectFrom('generation')
      .select(SUMMARY_COLUMNS)
      .where('id', '=', sql<string>`any(${[...generationIds]}::uuid[])`)
      .where('deleted_at', 'is', null)
      .where(anyPattern(readPromptText(text)).matches)
      .where(ownerIsOpen)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toGenerationSummary);
  }
}
