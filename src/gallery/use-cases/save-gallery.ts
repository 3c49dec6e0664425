import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { GetGenerations } from '../../generation/index.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { GalleryConflictError, SaveGallery } from './commands.js';
import { type GalleryTables } from '../tables.js';

@CommandHandler(SaveGallery)
export class SaveGalleryHandler implements ICommandHandler<SaveGallery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute(command: SaveGallery): Promise<{ version: number }> {
    await this.refuseForeignPictures(command);
    return this.db.transaction().execute(async (trx) => {
      const saved = { updated_at: this.clock.now(), updated_by: command.actorId };
      const row =
        command.expectedVersion === 0
          ? await trx
              .insertInto('gallery')
              .values({ creator_id: command.creatorId, ...saved })
              .onConflict((conflict) => conflict.doNothing())
              .returning('version')
              .executeTakeFirst()
          : await trx
              .updateTable('gallery')
              .set({ version: command.expectedVersion + 1, ...saved })
              .where('creator_id', '=', command.creatorId)
              .where('version', '=', command.expectedVersion)
              .returning('version')
              .executeTakeFirst();
      if (!row) throw new GalleryConflictError(command.creatorId);

      await trx.deleteFrom('gallery_item').where('creator_id', '=', command.creatorId).execute();
      if (command.generationIds.length > 0) {
        await trx
          .insertInto('gallery_item')
          .values(
            command.generationIds.map((generationId, place) => ({
              creator_id: command.creatorId,
              generation_id: generationId,
              place,
            })),
          )
          .execute();
      }
      return { version: row.version };
    });
  }

  /** A gallery shows finished pictures of its own creator, each once. */
  private async refuseForeignPictures({ creatorId, generationIds }: SaveGallery): Promise<void> {
    if (new Set(generationIds).size !== generationIds.length) {
      throw new ApiError(422, 'A generation can be in the gallery only once.');
    }
    const generations = await this.queries.execute(new GetGenerations(generationIds));
    const allowed = new Set(
      generations
        .filter(
          (generation) => generation.creatorId === creatorId && generation.status === 'completed' && !generation.hidden,
        )
        .map((generation) => generation.id),
    );
    if (generationIds.some((id) => !allowed.has(id))) {
      throw new ApiError(422, 'Only completed generations of this creator can be in the gallery.');
    }
  }
}
