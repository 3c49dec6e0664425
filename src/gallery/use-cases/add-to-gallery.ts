import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely, sql, type Transaction } from 'kysely';
import { GALLERY_MAX_SIZE } from '../../contract/admin-gallery.js';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { GetAdminImages } from '../../generation/index.js';
import { type Actor } from '../../platform/acts/actor.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { isAddable } from '../admin-generation.js';
import { GalleryRecord } from '../gallery-record.js';
import { GALLERY_MESSAGES } from '../messages.js';
import { retryPlace } from '../retry-place.js';
import { type GalleryTables } from '../tables.js';

/**
 * Adds an image to the end of a gallery, with its entry in the log of acts. One that is there already stays where it
 * is, and nothing is recorded.
 * @throws DomainError unprocessable when the image may not be in this gallery, or the gallery is full
 */
export class AddToGallery extends Command<void> {
  constructor(readonly input: { readonly creatorId: string; readonly generationId: string; readonly actor: Actor }) {
    super();
  }
}

interface Addition {
  /** The new version; null when nothing was added. */
  readonly version: number | null;
  readonly images: number;
  readonly present: boolean;
  readonly set_aside: boolean;
}

@CommandHandler(AddToGallery)
export class AddToGalleryHandler implements ICommandHandler<AddToGallery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly queries: QueryBus,
    private readonly gallery: GalleryRecord,
    private readonly clock: Clock,
  ) {}

  async execute({ input }: AddToGallery): Promise<void> {
    const images = await this.queries.execute(new GetAdminImages({ generationIds: [input.generationId] }));
    if (!isAddable(images.get(input.generationId), input.creatorId)) {
      throw new DomainError('unprocessable', GALLERY_MESSAGES.notAddable, { code: '22023' });
    }
    const done = await retryPlace(() =>
      this.db.transaction().execute(async (transaction) => {
        const addition = await this.add(transaction, input);
        if (addition.version !== null) await this.record(transaction, input, addition);
        return addition;
      }),
    );
    if (done.version !== null || done.present) return;
    if (done.set_aside) throw new DomainError('unprocessable', CONTROL_MESSAGES.setAside, { code: '22023' });
    throw new DomainError('unprocessable', GALLERY_MESSAGES.full(GALLERY_MAX_SIZE), { code: '22023' });
  }

  private async add(
    transaction: Transaction<GalleryTables>,
    { creatorId, generationId, actor }: AddToGallery['input'],
  ): Promise<Addition> {
    const statement = sql<Addition>`
      with state as (
        select count(*)::int as images, coalesce(max(place) + 1, 0) as next,
          coalesce(bool_or(generation_id = ${generationId}::uuid), false) as present,
          exists (
            select from gallery_set_aside
            where creator_id = ${creatorId}::uuid and generation_id = ${generationId}::uuid
          ) as set_aside
        from gallery_item where creator_id = ${creatorId}::uuid
      ),
      saved as (
        insert into gallery as stored (creator_id, updated_at, updated_by)
        select ${creatorId}::uuid, ${this.clock.now()}::timestamptz, ${actor.userId}
        from state where not present and not set_aside and images < ${GALLERY_MAX_SIZE}
        on conflict (creator_id) do update set
          version = stored.version + 1, updated_at = excluded.updated_at, updated_by = excluded.updated_by
        returning version
      ),
      added as (
        insert into gallery_item (creator_id, place, generation_id)
        select ${creatorId}::uuid, state.next, ${generationId}::uuid from state, saved
      )
      select (select version from saved) as version, images, present, set_aside from state`;
    const { rows } = await statement.execute(transaction);
    const [addition] = rows;
    if (!addition) throw new Error('The addition to a gallery returned nothing.');
    return addition;
  }

  private async record(
    transaction: Transaction<GalleryTables>,
    { creatorId, generationId, actor }: AddToGallery['input'],
    { images, version }: Addition,
  ): Promise<void> {
    await this.gallery.write(transaction, creatorId, {
      kind: 'gallery.added',
      actor,
      subject: { kind: 'generation', id: generationId },
      before: { images },
      after: { images: images + 1, version },
    });
  }
}
