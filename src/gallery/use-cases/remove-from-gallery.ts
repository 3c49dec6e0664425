import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type Actor } from '../../platform/acts/actor.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { GalleryRecord } from '../gallery-record.js';
import { type GalleryTables } from '../tables.js';

/**
 * Removes an image from a gallery for an admin, with its entry in the log of acts. Nothing changes, and nothing is
 * recorded, when it is not there.
 */
export class RemoveFromGallery extends Command<void> {
  constructor(readonly input: { readonly creatorId: string; readonly generationId: string; readonly actor: Actor }) {
    super();
  }
}

@CommandHandler(RemoveFromGallery)
export class RemoveFromGalleryHandler implements ICommandHandler<RemoveFromGallery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly gallery: GalleryRecord,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { creatorId, generationId, actor } }: RemoveFromGallery): Promise<void> {
    await this.db.transaction().execute(async (transaction) => {
      // The count reads the state before the statement.
      const { rows } = await sql<{ version: number; images: number }>`
        with gone as (
          delete from gallery_item where creator_id = ${creatorId}::uuid and generation_id = ${generationId}::uuid
          returning creator_id
        )
        update gallery set version = version + 1, updated_at = ${this.clock.now()}, updated_by = ${actor.userId}
        where creator_id in (select creator_id from gone)
        returning version, (
          select count(*)::int from gallery_item where gallery_item.creator_id = ${creatorId}::uuid
        ) as images`.execute(transaction);
      const [change] = rows;
      if (!change) return;
      await this.gallery.write(transaction, creatorId, {
        kind: 'gallery.removed',
        actor,
        subject: { kind: 'generation', id: generationId },
        before: { images: change.images },
        after: { images: change.images - 1, version: change.version },
      });
    });
  }
}
