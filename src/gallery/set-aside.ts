import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { Clock } from '../platform/clock.js';
import { DATABASE } from '../platform/database/database.js';
import { GalleryRecord } from './gallery-record.js';
import { type GalleryTables } from './tables.js';

/** An image of a creator, and who changes the gallery. */
interface SetAsideImage {
  readonly creatorId: string;
  readonly generationId: string;
  readonly actorId: string;
}

const REASONS = ['hidden_at', 'taken_down_at', 'moderated_at'] as const;

/** Why a creator or an admin keeps an image out of the gallery. An image can have several reasons. */
export type SetAsideReason = (typeof REASONS)[number];

/**
 * Condition of a read of `gallery_item`: the image is not kept out of the gallery. One look-up an image: with
 * `not exists` a long list would read the whole table.
 */
export function isNotSetAside(): RawBuilder<boolean> {
  return sql<boolean>`(
    select true from gallery_set_aside aside
    where aside.creator_id = gallery_item.creator_id and aside.generation_id = gallery_item.generation_id) is null`;
}

/**
 * Keeps images out of the gallery for their creator or an admin, and puts them back where they were. Each change is one
 * statement and raises the gallery's version, so a save that began before is refused. The log of acts takes note of it.
 * Repeating it changes nothing.
 */
@Injectable()
export class SetAside {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly record: GalleryRecord,
    private readonly clock: Clock,
  ) {}

  add(image: SetAsideImage, reason: SetAsideReason): Promise<void> {
    return this.db
      .transaction()
      .execute((transaction) => this.change(transaction, image, { add: [reason], remove: [] }));
  }

  remove(image: SetAsideImage, reason: SetAsideReason): Promise<void> {
    return this.db
      .transaction()
      .execute((transaction) => this.change(transaction, image, { add: [], remove: [reason] }));
  }

  /** Adds and ends reasons in a transaction, whose last statements these are: they lock the end of the log of acts. */
  async change(
    transaction: Transaction<GalleryTables>,
    image: SetAsideImage,
    { add, remove }: { readonly add: readonly SetAsideReason[]; readonly remove: readonly SetAsideReason[] },
  ): Promise<void> {
    let changed = false;
    for (const reason of add) changed = (await this.take(transaction, image, reason)) || changed;
    for (const reason of remove) changed = (await this.giveBack(transaction, image, reason)) || changed;
    if (changed) await this.record.write(transaction, image.creatorId);
  }

  /** @returns whether the image has left the gallery */
  private async take(
    transaction: Transaction<GalleryTables>,
    { creatorId, generationId, actorId }: SetAsideImage,
    reason: SetAsideReason,
  ): Promise<boolean> {
    const now = this.clock.now();
    const column = sql.id(reason);
    const { rows } = await sql<{ gone: boolean }>`
      with gone as (
        delete from gallery_item where creator_id = ${creatorId}::uuid and generation_id = ${generationId}::uuid
        returning place
      ),
      raised as (
        update gallery set version = version + 1, updated_at = ${now}::timestamptz, updated_by = ${actorId}
        where creator_id = ${creatorId}::uuid and exists (select from gone)
      )
      insert into gallery_set_aside (creator_id, generation_id, place, ${column})
      values (${creatorId}::uuid, ${generationId}::uuid, (select place from gone), ${now}::timestamptz)
      on conflict (creator_id, generation_id) do update set
        place = coalesce(excluded.place, gallery_set_aside.place),
        ${column} = coalesce(gallery_set_aside.${column}, excluded.${column})
      returning exists (select from gone) as gone`.execute(transaction);
    return rows[0]?.gone === true;
  }

  /**
   * Ends one reason, if it holds. Without another one, the image returns to its place, or to the end if the place is
   * taken.
   * @returns whether it has returned
   */
  private async giveBack(
    transaction: Transaction<GalleryTables>,
    { creatorId, generationId, actorId }: SetAsideImage,
    reason: SetAsideReason,
  ): Promise<boolean> {
    const others = sql.join(REASONS.filter((other) => other !== reason).map((other) => sql.id(other)));
    const now = this.clock.now();
    const { rows } = await sql`
      with list as (
        select creator_id from gallery where creator_id = ${creatorId}::uuid for update
      ),
      kept as (
        update gallery_set_aside set ${sql.id(reason)} = null
        where creator_id = ${creatorId}::uuid and generation_id = ${generationId}::uuid
          and num_nonnulls(${others}) > 0
      ),
      ended as (
        delete from gallery_set_aside
        where creator_id = ${creatorId}::uuid and generation_id = ${generationId}::uuid
          and num_nonnulls(${others}) = 0
        returning place
      ),
      returned as (
        insert into gallery_item (creator_id, generation_id, place)
        select list.creator_id, ${generationId}::uuid,
          case when exists (select from gallery_item taken
              where taken.creator_id = list.creator_id and taken.place = ended.place)
            then (select max(last.place) + 1 from gallery_item last where last.creator_id = list.creator_id)
            else ended.place end
        from ended, list where ended.place is not null
        on conflict do nothing
        returning creator_id
      )
      update gallery set version = version + 1, updated_at = ${now}::timestamptz, updated_by = ${actorId}
      where creator_id in (select creator_id from returned) returning version`.execute(transaction);
    return rows.length > 0;
  }

  /** The images that this creator or an admin keeps out of the gallery. */
  async idsOf(creatorId: string): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .selectFrom('gallery_set_aside')
      .select('generation_id')
      .where('creator_id', '=', creatorId)
      .execute();
    return new Set(rows.map((row) => row.generation_id));
  }
}
