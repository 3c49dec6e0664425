import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely, sql, type Transaction } from 'kysely';
import { GetAdminImages } from '../../generation/index.js';
import { type Actor } from '../../platform/acts/actor.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { isAddable } from '../admin-generation.js';
import { GalleryRecord } from '../gallery-record.js';
import { GALLERY_MESSAGES } from '../messages.js';
import { type GalleryTables } from '../tables.js';

/** Each try but the last can lose to another change of the gallery at the same moment. */
const MAX_TRIES = 5;

/**
 * Gives the images of a gallery another order, with the entry in the log of acts. The same order changes and records
 * nothing.
 * @throws DomainError unprocessable unless the order has exactly the images of the gallery, each once
 */
export class ReorderGallery extends CommandOf<
  { readonly creatorId: string; readonly generationIds: readonly string[]; readonly actor: Actor },
  void
> {}

@CommandHandler(ReorderGallery)
export class ReorderGalleryHandler implements ICommandHandler<ReorderGallery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly queries: QueryBus,
    private readonly gallery: GalleryRecord,
    private readonly clock: Clock,
  ) {}

  async execute({ input }: ReorderGallery): Promise<void> {
    const { creatorId } = input;
    const missing = await this.tryAll(input, new Set());
    if (missing.length === 0) return;
    // Images that were hidden a moment ago are not listed. They go to the end.
    const images = await this.queries.execute(new GetAdminImages({ generationIds: missing }));
    const hidden = missing.filter((id) => !isAddable(images.get(id), creatorId));
    const stillMissing = await this.tryAll(input, new Set(hidden));
    if (stillMissing.length > 0) throw otherImages();
  }

  /** Returns the images of the gallery that are neither in the order nor in `hidden`. With any, nothing is stored. */
  private async tryAll(input: ReorderGallery['input'], hidden: ReadonlySet<string>): Promise<readonly string[]> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
      const missing = await this.db.transaction().execute((transaction) => this.reorder(transaction, input, hidden));
      if (missing !== 'changed') return missing;
    }
    throw new DomainError('conflict', GALLERY_MESSAGES.conflict, { code: '40001' });
  }

  private async reorder(
    transaction: Transaction<GalleryTables>,
    { creatorId, generationIds, actor }: ReorderGallery['input'],
    hidden: ReadonlySet<string>,
  ): Promise<readonly string[] | 'changed'> {
    const { version, ids: stored } = await readItems(transaction, creatorId);
    const wanted = new Set(generationIds);
    const inGallery = new Set(stored);
    if (wanted.size !== generationIds.length || generationIds.some((id) => !inGallery.has(id))) throw otherImages();
    const rest = stored.filter((id) => !wanted.has(id));
    const missing = rest.filter((id) => !hidden.has(id));
    if (missing.length > 0) return missing;
    const order = [...generationIds, ...rest];
    if (order.every((id, index) => id === stored[index])) return [];
    const now = this.clock.now();
    const { rows } = await sql`
      with saved as (
        update gallery set version = version + 1, updated_at = ${now}::timestamptz, updated_by = ${actor.userId}
        where creator_id = ${creatorId}::uuid and version = ${version}
        returning creator_id
      ),
      emptied as (
        delete from gallery_item using saved where gallery_item.creator_id = saved.creator_id returning place
      )
      insert into gallery_item (creator_id, place, generation_id)
      select saved.creator_id, image.number - 1, image.id
      from saved, (select count(*) from emptied) as done, unnest(${order}::uuid[]) with ordinality as image (id, number)
      returning place`.execute(transaction);
    if (rows.length === 0) return 'changed';
    await this.gallery.write(transaction, creatorId, {
      kind: 'gallery.reordered',
      actor,
      subject: { kind: 'gallery', id: creatorId },
      before: { images: stored.length, version },
      after: { images: order.length, version: version + 1 },
    });
    return [];
  }
}

async function readItems(
  transaction: Transaction<GalleryTables>,
  creatorId: string,
): Promise<{ readonly version: number; readonly ids: readonly string[] }> {
  const { rows } = await sql<{ version: number; ids: string[] }>`
    select version, array(
      select generation_id from gallery_item where creator_id = gallery.creator_id order by place
    ) as ids
    from gallery where creator_id = ${creatorId}::uuid`.execute(transaction);
  return rows[0] ?? { version: 0, ids: [] };
}

function otherImages(): DomainError {
  return new DomainError('unprocessable', GALLERY_MESSAGES.otherImages, { code: '22023' });
}
