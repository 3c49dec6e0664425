import { QueryHandler } from '@nestjs/cqrs';
import { isUuid } from '../../platform/ids.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { ownerIsOpen } from '../closed-owners.js';
import { type GenerationTables } from '../tables.js';
import { type GenerationSummary, SUMMARY_COLUMNS, toGenerationSummary } from './generation-summary.js';

/** Generations by id, in no particular order. Unknown and deleted ones, and those of closed accounts, are left out. */
export class GetGenerations extends QueryOf<
  { readonly generationIds: readonly string[] },
  readonly GenerationSummary[]
> {}

@QueryHandler(GetGenerations)
export class GetGenerationsHandler extends ReadHandler<GenerationTables, GetGenerations> {
  async execute({ input: { generationIds } }: GetGenerations): Promise<readonly GenerationSummary[]> {
    const ids = [...new Set(generationIds)].filter(isUuid);
    if (ids.length === 0) return [];
    const rows = await this.db
      .selectFrom('generation')
      .select(SUMMARY_COLUMNS)
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .where(ownerIsOpen)
      .execute();
    return rows.map(toGenerationSummary);
  }
}
