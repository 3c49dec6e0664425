import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { sql, type Kysely } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { GalleryRecord } from '../gallery-record.js';
import { type GalleryTables } from '../tables.js';

/**
 * Takes one picture out of its creator's gallery, also one that the creator keeps out of it for now. The gallery's
 * version rises, so a save that began before is refused. Does nothing when the picture is not in the gallery.
 */
export class TakeOutOfGallery extends Command<void> {
  constructor(readonly input: { readonly creatorId: string; readonly generationId: string; readonly actorId: string }) {
    super();
  }
}

@CommandHandler(TakeOutOfGallery)
export class TakeOutOfGalleryHandler implements ICommandHandler<TakeOutOfGallery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly record: GalleryRecord,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { creatorId, generationId, actorId } }: TakeOutOfGallery): Promise<void> {
    await this.db.transaction().execute(async (transaction) => {
      const { rows } = await sql`
      with gone as (
        delete from gallery_item where creator_id = ${creatorId}::uuid and generation_id = ${generationId}::uuid
        returning creator_id
      ),
      forgotten as (
        update gallery_set_aside set place = null
        where creator_id = ${creatorId}::uuid and generation_id = ${generationId}::uuid
      )
      update gallery set version = version + 1, updated_at = ${this.clock.now()}, updated_by = ${actorId}
      where creator_id in (select creator_id from gone) returning version`.execute(transaction);
      if (rows.length > 0) await this.record.write(transaction, creatorId);
    });
  }
}
