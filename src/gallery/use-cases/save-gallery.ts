import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type AdminGallery, type GalleryConflict } from '../../contract/admin-gallery.js';
import { CONTROL_MESSAGES } from '../../contract/creator-controls.js';
import { GetAdminImages } from '../../generation/index.js';
import { type Actor } from '../../platform/acts/actor.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { DomainError } from '../../platform/domain-error.js';
import { CommandOf } from '../../platform/messages.js';
import { isAddable, toAdminGeneration } from '../admin-generation.js';
import { compareOrders } from '../gallery-change.js';
import { GalleryRecord } from '../gallery-record.js';
import { GALLERY_MESSAGES } from '../messages.js';
import { nameOfAdmin } from '../name-of-admin.js';
import { type GalleryTables } from '../tables.js';

/**
 * Replaces a creator's curated list in one transaction, with its entry in the log of acts. Saving the same list again
 * changes and records nothing.
 * @throws GalleryConflictError when another change came after `expectedVersion` was read
 * @throws DomainError when a generation may not be in this gallery
 */
export class SaveGallery extends CommandOf<
  {
    readonly creatorId: string;
    /** Completed generations of this creator, in the order of display. */
    readonly generationIds: readonly string[];
    /** 0 when there is no list yet. */
    readonly expectedVersion: number;
    readonly actor: Actor;
  },
  AdminGallery
> {}

/** Another change came first. Nothing was saved. The details are a `GalleryConflict`. */
export class GalleryConflictError extends DomainError {
  constructor(conflict: GalleryConflict) {
    super('conflict', GALLERY_MESSAGES.conflict, { code: '40001', details: JSON.stringify(conflict) });
  }
}

/** The last change of a gallery. Version 0 when nothing was saved yet. */
interface GalleryState {
  readonly version: number;
  readonly updated_at: Date | null;
  readonly updated_by: string | null;
}

/** The state at the beginning of a save. */
interface Attempt extends GalleryState {
  /** The new version; null when nothing was saved. */
  readonly saved: number | null;
  readonly before: readonly string[];
  readonly set_aside: boolean;
}

@CommandHandler(SaveGallery)
export class SaveGalleryHandler implements ICommandHandler<SaveGallery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly queries: QueryBus,
    private readonly gallery: GalleryRecord,
    private readonly clock: Clock,
  ) {}

  async execute({ input }: SaveGallery): Promise<AdminGallery> {
    const { creatorId, actor, expectedVersion, generationIds: ids } = input;
    if (new Set(ids).size !== ids.length) {
      throw new DomainError('unprocessable', GALLERY_MESSAGES.repeated, { code: '22023' });
    }
    const images = await this.queries.execute(new GetAdminImages({ generationIds: ids }));
    const items = ids.map((id) => images.get(id)).filter((image) => isAddable(image, creatorId));
    const addable = items.length === ids.length;
    const attempt = await this.db.transaction().execute(async (transaction) => {
      const done = await this.write(transaction, input, addable);
      if (done.saved !== null) {
        await this.gallery.write(transaction, creatorId, {
          kind: 'gallery.saved',
          actor,
          subject: { kind: 'gallery', id: creatorId },
          before: { images: done.before.length, version: expectedVersion },
          after: { images: ids.length, version: done.saved, ...compareOrders(done.before, ids) },
        });
      }
      return done;
    });
    if (attempt.saved === null) {
      const current = attempt.version === expectedVersion ? await this.stateOf(creatorId) : attempt;
      if (current.version !== expectedVersion) throw await this.conflictWith(current);
      if (attempt.set_aside) throw new DomainError('unprocessable', CONTROL_MESSAGES.setAside, { code: '22023' });
      if (!addable) throw new DomainError('unprocessable', GALLERY_MESSAGES.notAddable, { code: '22023' });
    }
    return {
      creator_id: creatorId,
      version: attempt.saved ?? expectedVersion,
      saved_at: (attempt.saved === null ? attempt.updated_at : this.clock.now())?.toISOString() ?? null,
      saved_by: null,
      items: items.map((image) => toAdminGeneration(image, { inGallery: true, setAside: false })),
    };
  }
  /** One statement. Saves nothing unless the version is the expected one, and the list is allowed and differs. */
  private async write(
    transaction: Transaction<GalleryTables>,
    { creatorId, generationIds, expectedVersion, actor }: SaveGallery['input'],
    addable: boolean,
  ): Promise<Attempt> {
    const ids = sql`${generationIds}::uuid[]`;
    const statement = sql<Attempt>`
      with own as (
        select version, updated_at, updated_by from gallery where creator_id = ${creatorId}::uuid
      ),
      before as (
        select array(
          select generation_id from gallery_item where creator_id = ${creatorId}::uuid order by place
        ) as ids
      ),
      kept_out as (
        select exists (
          select from gallery_set_aside where creator_id = ${creatorId}::uuid and generation_id = any(${ids})
        ) as found
      ),
      saved as (
        insert into gallery (creator_id, version, updated_at, updated_by)
        select ${creatorId}::uuid, ${expectedVersion + 1}, ${this.clock.now()}::timestamptz, ${actor.userId}
        from before, kept_out
        where ${addable}::boolean and not kept_out.found and before.ids is distinct from ${ids}
          and coalesce((select version from own), 0) = ${expectedVersion}
        on conflict (creator_id) do update set
          version = excluded.version, updated_at = excluded.updated_at, updated_by = excluded.updated_by
        where gallery.version = ${expectedVersion}
        returning version
      ),
      emptied as (
        delete from gallery_item using saved where creator_id = ${creatorId}::uuid returning place
      ),
      stored as (
        insert into gallery_item (creator_id, place, generation_id)
        select ${creatorId}::uuid, image.number - 1, image.id
        from saved, (select count(*) from emptied) as done, unnest(${ids}) with ordinality as image (id, number)
      )
      select (select version from saved) as saved, coalesce(own.version, 0) as version, own.updated_at, own.updated_by,
        before.ids as before, kept_out.found as set_aside
      from before cross join kept_out left join own on true`;
    const { rows } = await statement.execute(transaction);
    const [attempt] = rows;
    if (!attempt) throw new Error('The save of a gallery returned nothing.');
    return attempt;
  }

  /** Reads the gallery again: the statement did not see a save at the same moment. */
  private async stateOf(creatorId: string): Promise<GalleryState> {
    const row = await this.db
      .selectFrom('gallery')
      .select(['version', 'updated_at', 'updated_by'])
      .where('creator_id', '=', creatorId)
      .executeTakeFirst();
    return row ?? { version: 0, updated_at: null, updated_by: null };
  }

  private async conflictWith(state: GalleryState): Promise<GalleryConflictError> {
    return new GalleryConflictError({
      version: state.version,
      saved_by: state.updated_by === null ? null : await nameOfAdmin(this.queries, state.updated_by),
      saved_at: state.updated_at?.toISOString() ?? null,
    });
  }
}
