import { QueryBus, QueryHandler } from '@nestjs/cqrs';
import { sql, type Kysely } from 'kysely';
import { type GalleryItem } from '../../contract/gallery.js';
import { GetCreator } from '../../creators/index.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { isNotSetAside } from '../set-aside.js';
import { type GalleryTables } from '../tables.js';
import { generationsById, toPublicImage } from './public-image.js';

/** A creator's gallery in its curated order. Without a limit, all of it. Empty for a withdrawn creator. */
export class ListGallery extends QueryOf<
  {
    readonly creatorId: string;
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
  },
  GalleryItem[]
> {}

@QueryHandler(ListGallery)
export class ListGalleryHandler extends ReadHandler<GalleryTables, ListGallery> {
  async execute({ input: { creatorId, limit, offset } }: ListGallery): Promise<GalleryItem[]> {
    const creator = await this.queries.execute(new GetCreator({ creatorId }));
    if (creator?.withdrawn) return [];
    return galleryImages(this.db, this.queries, { creatorId, limit, offset });
  }
}

/** The images of a gallery in its curated order. Two statements. */
export async function galleryImages(
  db: Kysely<GalleryTables>,
  queries: QueryBus,
  { creatorId, limit, offset }: ListGallery['input'],
): Promise<GalleryItem[]> {
  const items = await db
    .selectFrom('gallery_item')
    .select(['generation_id', sql<number>`count(*) over ()::int`.as('total')])
    .where('creator_id', '=', creatorId)
    // A save that began before the creator took an image out may have stored it.
    .where(isNotSetAside())
    .orderBy('place')
    .offset(offset ?? 0)
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  const generations = await generationsById(
    queries,
    items.map((item) => item.generation_id),
  );
  return items.flatMap(({ generation_id: id, total }) => {
    const image = toPublicImage(generations.get(id));
    return image ? [{ ...image, total_count: total }] : [];
  });
}
