import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { isUuid } from '../../platform/ids.js';
import { type GenerationSummary, GetGeneration, GetGenerations } from './queries.js';
import { type GenerationRow, type GenerationTables } from '../tables.js';

const COLUMNS = [
  'id',
  'user_id',
  'creator_id',
  'status',
  'prompt',
  'image',
  'error_message',
  'created_at',
  'hidden_at',
] as const;

@QueryHandler(GetGenerations)
export class GetGenerationsHandler implements IQueryHandler<GetGenerations> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

  async execute({ generationIds }: GetGenerations): Promise<readonly GenerationSummary[]> {
    const ids = [...new Set(generationIds)].filter(isUuid);
    if (ids.length === 0) return [];
    const rows = await this.db
      .selectFrom('generation')
      .select(COLUMNS)
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute();
    return rows.map(summaryOf);
  }
}

@QueryHandler(GetGeneration)
export class GetGenerationHandler implements IQueryHandler<GetGeneration> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

  async execute({ generationId }: GetGeneration): Promise<GenerationSummary | null> {
    if (!isUuid(generationId)) return null;
    const row = await this.db
      .selectFrom('generation')
      .select(COLUMNS)
      .where('id', '=', generationId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return row ? summaryOf(row) : null;
  }
}

function summaryOf(row: Pick<GenerationRow, (typeof COLUMNS)[number]>): GenerationSummary {
  return {
    id: row.id,
    userId: row.user_id,
    creatorId: row.creator_id,
    status: row.status,
    prompt: row.prompt,
    image: row.image,
    errorMessage: row.error_message,
    createdAt: row.created_at,
    hidden: row.hidden_at !== null,
  };
}
