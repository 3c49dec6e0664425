import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { isUuid } from '../../platform/ids.js';
import { ownerIsOpen } from '../closed-owners.js';
import { type GenerationTables } from '../tables.js';
import { type GenerationSummary, SUMMARY_COLUMNS, toGenerationSummary } from './generation-summary.js';

/** Generations by id, in no particular order. Unknown and deleted ones, and those of closed accounts, are left out. */
export class GetGenerations extends Query<readonly GenerationSummary[]> {
  constructor(readonly input: { readonly generationIds: readonly string[] }) {
    super();
  }
}

@QueryHandler(GetGenerations)
export class GetGenerationsHandler implements IQueryHandler<GetGenerations> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

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
