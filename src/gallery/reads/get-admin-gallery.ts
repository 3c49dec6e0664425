import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type AdminGallery } from '../../contract/admin-gallery.js';
import { GetAdminImages } from '../../generation/index.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { isAddable, toAdminGeneration } from '../admin-generation.js';
import { nameOfAdmin } from '../name-of-admin.js';
import { type GalleryTables } from '../tables.js';

/**
 * A creator's gallery for admins, in its order. It lists what a save may contain: images that were hidden or deleted
 * since are left out. Version 0, without images, when nothing was saved yet.
 */
export class GetAdminGallery extends QueryOf<{ readonly creatorId: string }, AdminGallery> {}

@QueryHandler(GetAdminGallery)
export class GetAdminGalleryHandler extends ReadHandler<GalleryTables, GetAdminGallery> {
  async execute({ input: { creatorId } }: GetAdminGallery): Promise<AdminGallery> {
    const { rows } = await sql<{ version: number; updated_at: Date; updated_by: string; ids: string[] }>`
      select version, updated_at, updated_by, array(
        select generation_id from gallery_item
        where creator_id = gallery.creator_id and not exists (
          select from gallery_set_aside aside
          where aside.creator_id = gallery_item.creator_id and aside.generation_id = gallery_item.generation_id)
        order by place
      ) as ids
      from gallery where creator_id = ${creatorId}::uuid`.execute(this.db);
    const [gallery] = rows;
    if (!gallery) return { creator_id: creatorId, version: 0, saved_at: null, saved_by: null, items: [] };
    const [images, savedBy] = await Promise.all([
      this.queries.execute(new GetAdminImages({ generationIds: gallery.ids })),
      nameOfAdmin(this.queries, gallery.updated_by),
    ]);
    return {
      creator_id: creatorId,
      version: gallery.version,
      saved_at: gallery.updated_at.toISOString(),
      saved_by: savedBy,
      items: gallery.ids
        .map((id) => images.get(id))
        .filter((image) => isAddable(image, creatorId))
        .map((image) => toAdminGeneration(image, { inGallery: true, setAside: false })),
    };
  }
}
