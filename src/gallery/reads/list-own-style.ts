import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type OwnStyleImage } from '../../contract/gallery.js';
import { ListImagesOfStyle } from '../../generation/index.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { ownCreator } from '../own-creator.js';
import { type GalleryTables } from '../tables.js';

/**
 * A page of the delivered images in the style of the creator that a user is, the newest first; of all, of those in the
 * gallery or hidden from it, or of those with a take-down request.
 * @throws DomainError forbidden for fans
 */
export class ListOwnStyle extends QueryOf<
  PageAt & { readonly userId: string; readonly only?: 'gallery' | 'take_downs' | undefined },
  OwnStyleImage[]
> {}

@QueryHandler(ListOwnStyle)
export class ListOwnStyleHandler extends ReadHandler<GalleryTables, ListOwnStyle> {
  async execute({ input: { userId, only, limit, offset } }: ListOwnStyle): Promise<OwnStyleImage[]> {
    const { id: creatorId, withdrawn } = await ownCreator(this.queries, userId);
    const curated = await this.curated(creatorId);
    const images = await this.queries.execute(
      new ListImagesOfStyle({
        creatorId,
        only: only === 'gallery' ? [...curated.keys()] : only && 'take-downs',
        limit,
        offset,
      }),
    );
    return images.map((image) => {
      const place = curated.get(image.id);
      return {
        generation_id: image.id,
        prompt: image.prompt,
        // After a withdrawal only its owner and admins see it.
        image: withdrawn ? null : image.image,
        created_at: image.createdAt.toISOString(),
        in_gallery: place?.listed ?? false,
        hidden_by_creator_at: place?.hiddenAt?.toISOString() ?? null,
        take_down: image.takeDown,
        total_count: image.totalCount,
      };
    });
  }

  /** The images of the gallery, and those that the creator keeps out of it. */
  private async curated(creatorId: string): Promise<ReadonlyMap<string, { listed: boolean; hiddenAt: Date | null }>> {
    const rows = await this.db
      .selectFrom('gallery_item')
      .select(['generation_id', sql<boolean>`true`.as('listed'), sql<Date | null>`null::timestamptz`.as('hidden_at')])
      .where('creator_id', '=', creatorId)
      .unionAll(
        this.db
          .selectFrom('gallery_set_aside')
          .select(['generation_id', sql<boolean>`false`.as('listed'), 'hidden_at'])
          .where('creator_id', '=', creatorId),
      )
      .execute();
    return new Map(rows.map((row) => [row.generation_id, { listed: row.listed, hiddenAt: row.hidden_at }]));
  }
}
