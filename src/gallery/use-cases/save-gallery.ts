import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { GetGenerations } from '../../generation/index.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { SetAside } from '../set-aside.js';
import { type GalleryTables } from '../tables.js';

/**
 * Replaces a creator's curated list in one transaction.
 * @throws GalleryConflictError when another save came after `expectedVersion` was read
 * @throws DomainError when a generation may not be in this gallery
 */
export class SaveGallery extends Command<{ readonly version: number }> {
  constructor(
    readonly input: {
      readonly creatorId: string;
      /** Completed generations of this creator, in the order of display. */
      readonly generationIds: readonly string[];
      /** 0 when there is no list yet. */
      readonly expectedVersion: number;
      readonly actorId: string;
    },
  ) {
    super();
  }
}

/** Another save came first. Nothing was changed. */
export class GalleryConflictError extends DomainError {
  constructor(creatorId: string) {
    super('conflict', `The gallery of creator ${creatorId} was saved by another admin.`);
  }
}

@CommandHandler(SaveGallery)
export class SaveGalleryHandler implements ICommandHandler<SaveGallery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly queries: QueryBus,
    private readonly aside: SetAside,
    private readonly clock: Clock,
  ) {}

  async execute({ input }: SaveGallery): Promise<{ version: number }> {
    await this.refuseForeignPictures(input);
    return this.db.transaction().execute(async (trx) => {
      const saved = { updated_at: this.clock.now(), updated_by: input.actorId };
      const row =
        input.expectedVersion === 0
          ? await trx
              .insertInto('gallery')
              .values({ creator_id: input.creatorId, ...saved })
              .onConflict((conflict) => conflict.doNothing())
              .returning('version')
              .executeTakeFirst()
          : await trx
              .updateTable('gallery')
              .set({ version: input.expectedVersion + 1, ...saved })
              .where('creator_id', '=', input.creatorId)
              .where('version', '=', input.expectedVersion)
              .returning('version')
              .executeTakeFirst();
      if (!row) throw new GalleryConflictError(input.creatorId);

      await trx.deleteFrom('gallery_item').where('creator_id', '=', input.creatorId).execute();
      if (input.generationIds.length > 0) {
        await trx
          .insertInto('gallery_item')
          .values(
            input.generationIds.map((generationId, place) => ({
              creator_id: input.creatorId,
              generation_id: generationId,
              place,
            })),
          )
          .execute();
      }
      return { version: row.version };
    });
  }

  /** A gallery shows completed generations of its own creator, each once, and none that the creator keeps out of it. */
  private async refuseForeignPictures({ creatorId, generationIds }: SaveGallery['input']): Promise<void> {
    if (new Set(generationIds).size !== generationIds.length) {
      throw new DomainError('unprocessable', 'A generation can be in the gallery only once.');
    }
    const aside = await this.aside.idsOf(creatorId);
    if (generationIds.some((id) => aside.has(id))) {
      throw new DomainError('unprocessable', CONTROL_MESSAGES.setAside, { code: '22023' });
    }
    const generations = await this.queries.execute(new GetGenerations({ generationIds }));
    const allowed = new Set(
      generations
        .filter(
          (generation) => generation.creatorId === creatorId && generation.status === 'completed' && !generation.hidden,
        )
        .map((generation) => generation.id),
    );
    if (generationIds.some((id) => !allowed.has(id))) {
      throw new DomainError('unprocessable', 'Only completed generations of this creator can be in the gallery.');
    }
  }
}
