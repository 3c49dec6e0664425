import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type ReportResolution } from '../../contract/generation.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { GenerationRows } from '../generation-rows.js';
import { type GenerationTables } from '../tables.js';
import { DeletedMedia } from '../workers/deleted-media.js';

/**
 * Resolves all open reports of an image and returns their number. `removed` also deletes the image in the same
 * statement, as `DeleteGeneration` does, so that both happen or neither. An image that its owner deleted stays deleted.
 */
export class ResolveReports extends Command<number> {
  constructor(
    readonly input: { readonly adminId: string; readonly generationId: string; readonly resolution: ReportResolution },
  ) {
    super();
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

  async execute({ input: { adminId, generationId, resolution } }: ResolveReports): Promise<number> {
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
