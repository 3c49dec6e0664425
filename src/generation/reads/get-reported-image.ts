import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type GenerationTables } from '../tables.js';

export interface ReportedImage {
  readonly generationId: string;
  readonly creatorId: string;
}

/** The image that a report is about; null when the report does not exist. */
export class GetReportedImage extends Query<ReportedImage | null> {
  constructor(readonly input: { readonly reportId: string }) {
    super();
  }
}

@QueryHandler(GetReportedImage)
export class GetReportedImageHandler implements IQueryHandler<GetReportedImage> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

  async execute({ input: { reportId } }: GetReportedImage): Promise<ReportedImage | null> {
    const row = await this.db
      .selectFrom('generation_report')
      .select(['generation_id', 'creator_id'])
      .where('id', '=', reportId)
      .executeTakeFirst();
    return row ? { generationId: row.generation_id, creatorId: row.creator_id } : null;
  }
}
