import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type GenerationReport } from '../../contract/generation.js';
import { GetCreators } from '../../creators/index.js';
import { DATABASE } from '../../platform/database/database.js';
import { type GenerationTables } from '../tables.js';

/** A page of reports for admins: the open ones, the newest first, or the resolved ones, the last resolved first. */
export class ListGenerationReports extends Query<GenerationReport[]> {
  constructor(readonly input: { readonly resolved: boolean; readonly limit: number; readonly offset: number }) {
    super();
  }
}

@QueryHandler(ListGenerationReports)
export class ListGenerationReportsHandler implements IQueryHandler<ListGenerationReports> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly queries: QueryBus,
  ) {}

  async execute({ input: { resolved, limit, offset } }: ListGenerationReports): Promise<GenerationReport[]> {
    const rows = await this.db
      .selectFrom('generation_report as report')
      .leftJoin('generation', 'generation.id', 'report.generation_id')
      .selectAll('report')
      .select([
        'generation.user_id as owner_id',
        'generation.image',
        'generation.hidden_at',
        'generation.taken_down_at',
        'generation.moderated_at',
        'generation.deleted_at',
      ])
      .where('report.resolved_at', resolved ? 'is not' : 'is', null)
      .orderBy(resolved ? 'report.resolved_at' : 'report.created_at', 'desc')
      .orderBy('report.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    const creators = await this.queries.execute(new GetCreators({ creatorIds: rows.map((row) => row.creator_id) }));
    return rows.map((row) => ({
      id: row.id,
      generation_id: row.generation_id,
      reason: row.reason,
      note: row.note,
      user_id: row.user_id,
      created_at: row.created_at.toISOString(),
      prompt: row.prompt,
      image: row.deleted_at === null ? row.image : null,
      owner_id: row.owner_id,
      creator_id: row.creator_id,
      creator_username: creators.get(row.creator_id)?.username ?? 'unknown',
      creator_name: creators.get(row.creator_id)?.name ?? 'Unknown Creator',
      hidden: row.hidden_at !== null || row.taken_down_at !== null || row.moderated_at !== null,
      deleted: row.deleted_at !== null,
      resolved_at: row.resolved_at?.toISOString() ?? null,
      resolved_by: row.resolved_by,
      resolution: row.resolution,
    }));
  }
}
