import { QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { type AdminGeneration, type AdminGenerationRow } from '../../contract/admin-gallery.js';
import { GetAdminImages, ListAdminImages, MESSAGES } from '../../generation/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { type GalleryPlace, toAdminGeneration } from '../admin-generation.js';
import { type GalleryTables } from '../tables.js';

/** A page of the generations of a creator for admins, and how many the search has found (at most 10,000). */
export class ListAdminGenerations extends QueryOf<
  PageAt & { readonly creatorId: string; readonly search?: string | null | undefined },
  AdminGenerationRow[]
> {}

/**
 * One generation for admins.
 * @throws DomainError notFound for an unknown or deleted one, and for a test
 */
export class GetAdminGeneration extends QueryOf<{ readonly generationId: string }, AdminGeneration> {}

@QueryHandler(ListAdminGenerations)
export class ListAdminGenerationsHandler extends ReadHandler<GalleryTables, ListAdminGenerations> {
  async execute({ input }: ListAdminGenerations): Promise<AdminGenerationRow[]> {
    const { images, totalCount } = await this.queries.execute(new ListAdminImages(input));
    const placeOf = await placesOf(
      this.db,
      input.creatorId,
      images.map(({ id }) => id),
    );
    return images.map((image) => ({ ...toAdminGeneration(image, placeOf(image.id)), total_count: totalCount }));
  }
}

@QueryHandler(GetAdminGeneration)
export class GetAdminGenerationHandler extends ReadHandler<GalleryTables, GetAdminGeneration> {
  async execute({ input: { generationId } }: GetAdminGeneration): Promise<AdminGeneration> {
    const images = await this.queries.execute(new GetAdminImages({ generationIds: [generationId] }));
    const [image] = images.values();
    if (!image) throw new DomainError('notFound', MESSAGES.notFound);
    const placeOf = await placesOf(this.db, image.creator_id, [image.id]);
    return toAdminGeneration(image, placeOf(image.id));
  }
}

/** Where some images of a creator are. */
async function placesOf(
  db: Kysely<GalleryTables>,
  creatorId: string,
  ids: readonly string[],
): Promise<(id: string) => GalleryPlace> {
  if (ids.length === 0) return () => ({ inGallery: false, setAside: false });
  const { rows } = await sql<{ generation_id: string; set_aside: boolean }>`
    select generation_id, false as set_aside from gallery_item
    where creator_id = ${creatorId}::uuid and generation_id = any(${ids}::uuid[])
    union all
    select generation_id, true from gallery_set_aside
    where creator_id = ${creatorId}::uuid and generation_id = any(${ids}::uuid[])`.execute(db);
  const has = (id: string, setAside: boolean): boolean =>
    rows.some((row) => row.generation_id === id && row.set_aside === setAside);
  return (id) => ({ inGallery: has(id, false) && !has(id, true), setAside: has(id, true) });
}
