import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DeletedMedia } from '../workers/deleted-media.js';
import { GenerationRows } from '../generation-rows.js';
import { type GenerationTables } from '../tables.js';
import { type ReportResolution } from '../../contract/generation.js';

/** What a report is about; null when there is no such report. */
export class GetReportedImage extends Query<{ readonly generationId: string; readonly creatorId: string } | null> {
  constructor(readonly reportId: string) {
    super();
  }
}

/**
 * Answers all open reports of an image, and with `removed` deletes it in the same statement, as `DeleteGeneration` does: either
 * both happen or neither. One that its owner has deleted stays so. Returns how many reports that were.
 */
export class ResolveReports extends Command<number> {
  constructor(
    readonly generationId: string,
    readonly resolution: ReportResolution,
    readonly adminId: string,
  ) {
    super();
  }
}

@QueryHandler(GetReportedImage)
export class GetReportedImageHandler implements IQueryHandler<GetReportedImage> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

  async execute({ reportId }: GetReportedImage): Promise<{ generationId: string; creatorId: string } | null> {
    const row = await this.db
      .selectFrom('generation_report')
      .select(['generation_id', 'creator_id'])
      .where('id', '=', reportId)
      .executeTakeFirst();
    return row ? { generationId: row.generation_id, creatorId: row.creator_id } : null;
  }
}

@CommandHandler(ResolveReports)
export class ResolveReportsHandler implements ICommandHandler<ResolveReports> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly rows: GenerationRows,
    private readonly media: DeletedMedia,
    private readonly clock: Clock,
  ) {}

  async execute({ generationId, resolution, adminId }: ResolveReports): Promise<number> {
    const resolving = (db: Pick<Kysely<GenerationTables>, 'updateTable'>) =>
      db
        .updateTable('generation_report')
        .set({ resolved_at: this.clock.now(), resolved_by: adminId, resolution })
        .where('generation_id', '=', generationId)
        .where('resolved_at', 'is', null)
        .returning('id');
    if (resolution === 'dismissed') return (await resolving(this.db).execute()).length;
    const { resolved, image } = await this.db
      .with('resolved', resolving)
      .with('removed', () => this.rows.removing(generationId, null))
      .selectNoFrom((select) => [
        select
          .selectFrom('resolved')
          .select(sql<number>`count(*)`.as('count'))
          .as('resolved'),
        select.selectFrom('removed').select('image').as('image'),
      ])
      .executeTakeFirstOrThrow();
    await this.media.removeFiles({ id: generationId, image });
    return resolved ?? 0;
  }
}
