import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { sql, type Kysely } from 'kysely';
import { ListImagesOfOwner } from '../../generation/index.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { GalleryRecord } from '../gallery-record.js';
import { type GalleryTables } from '../tables.js';

/** One picture, which its owner takes out. */
interface OwnImage {
  readonly generationId: string;
  readonly actorId: string;
}

/**
 * Takes all images of a user out of all galleries, or one picture out of the gallery of a creator, or all of them; also
 * those that are kept out of it for now. The versions of the galleries rise, so a save that began before is refused.
 * Returns the number of images taken out.
 */
export class TakeOutOfGalleries extends Command<number> {
  constructor(
    readonly input:
      | { readonly userId: string }
      | { readonly creatorId: string; readonly image?: OwnImage; readonly userId?: never },
  ) {
    super();
  }
}

@CommandHandler(TakeOutOfGalleries)
export class TakeOutOfGalleriesHandler implements ICommandHandler<TakeOutOfGalleries> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly queries: QueryBus,
    private readonly record: GalleryRecord,
    private readonly clock: Clock,
  ) {}

  async execute({ input }: TakeOutOfGalleries): Promise<number> {
    if (input.userId === undefined) return this.removeOf(input.creatorId, input.image);
    const images = await this.queries.execute(new ListImagesOfOwner({ userId: input.userId }));
    const creators = images.map(({ creatorId }) => creatorId);
    const ids = images.map(({ generationId }) => generationId);
    return this.remove(sql`(creator_id, generation_id) in (
      select creator, id from unnest(${creators}::uuid[], ${ids}::uuid[]) as image (creator, id))`);
  }

  private async removeOf(creatorId: string, image: OwnImage | undefined): Promise<number> {
    const ofCreator = sql`creator_id = ${creatorId}::uuid`;
    if (!image) return this.remove(ofCreator);
    return this.remove(sql`${ofCreator} and generation_id = ${image.generationId}::uuid`, image.actorId);
  }

  private async remove(condition: ReturnType<typeof sql>, actorId = 'system'): Promise<number> {
    return this.db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ removed: number; galleries: string[] }>`
      with gone as (delete from gallery_item where ${condition} returning creator_id),
      forgotten as (update gallery_set_aside set place = null where ${condition}),
      raised as (
        update gallery set version = version + 1, updated_at = ${this.clock.now()}, updated_by = ${actorId}
        where creator_id in (select creator_id from gone)
      )
      select count(*)::int as removed, array(select distinct creator_id::text from gone order by 1) as galleries
      from gone`.execute(transaction);
      for (const creatorId of rows[0]?.galleries ?? []) await this.record.write(transaction, creatorId);
      return rows[0]?.removed ?? 0;
    });
  }
}
