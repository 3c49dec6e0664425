import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type Selectable, sql } from 'kysely';
import { TAKE_DOWN_HOURS } from '../../contract/creator-controls.js';
import { type TakeDownState } from '../../contract/gallery.js';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { wireFields } from '../../platform/wire-fields.js';
import { type GenerationRow, type GenerationTables, type GenerationTakeDownTable } from '../tables.js';
import { type ScheduledCopies } from './hidden-media.js';

/** An image that was hidden by a request. */
type HiddenImage = Pick<GenerationRow, 'id' | 'image' | 'media_moved_at'>;

export type TakeDownRow = Selectable<GenerationTakeDownTable>;

/** Every statement about take-down requests. A request and the visibility of its image change together. */
@Injectable()
export class TakeDownRows {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GenerationTables>,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a request for a delivered image in the style of this creator and hides the image, in one statement.
   * Undefined when there is no such image, a request is open, or an admin has decided to keep the image.
   */
  async open(
    request: {
      readonly id: string;
      readonly generationId: string;
      readonly creatorId: string;
      readonly reason: string;
    },
    copies: ScheduledCopies,
  ): Promise<{ readonly request: TakeDownRow; readonly image: HiddenImage } | undefined> {
    const now = this.clock.now();
    const dueAt = new Date(now.getTime() + TAKE_DOWN_HOURS * 3_600_000);
    const { rows } = await sql<{ request: TakeDownRow; image: HiddenImage }>`
      with request as (
        insert into generation_take_down (id, generation_id, creator_id, reason, requested_at, due_at)
        select ${request.id}::uuid, g.id, g.creator_id, ${request.reason}, ${now}::timestamptz, ${dueAt}::timestamptz
        from generation g
        where g.id = ${request.generationId}::uuid and g.creator_id = ${request.creatorId}
          and g.status = 'completed' and g.deleted_at is null and g.moderated_at is null and not g.is_test
          and not exists (select from generation_closed_owner closed where closed.user_id = g.user_id)
          and not exists (
            select from generation_take_down earlier where earlier.generation_id = g.id and earlier.decision = 'kept')
        on conflict (generation_id) where decision is null do nothing
        returning *
      ),
      hidden as (
        update generation set taken_down_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
        from request where generation.id = request.generation_id
        returning generation.id, generation.image, generation.media_moved_at, generation.user_id
      ),
      queued as (
        insert into moderation_case (kind, id, generation_id, creator_id, maker_id, reason, rank, opened_at, due_at)
        select 'take_down', request.id, request.generation_id, request.creator_id, hidden.user_id, 'creator_request', 1,
          request.requested_at, request.due_at
        from request, hidden
      ),
      scheduled as (
        insert into generation_media_removal (name, remove_at)
        select ${copies.folder} || '/' || split_part(jsonb_array_elements(image -> 'sources') ->> 'url', '/', 4),
          ${copies.removeAt}::timestamptz
        from hidden where media_moved_at is null
      )
      select to_jsonb(hidden) as image, to_jsonb(request) as request from hidden, request`.execute(this.db);
    const [row] = rows;
    if (!row) return undefined;
    // JSON has no instants.
    return { image: row.image, request: { ...row.request, requested_at: now, due_at: dueAt } };
  }

  /** The last request of this creator for an image. */
  async last(generationId: string, creatorId: string): Promise<TakeDownRow | undefined> {
    return this.db
      .selectFrom('generation_take_down')
      .selectAll()
      .where('generation_id', '=', generationId)
      .where('creator_id', '=', creatorId)
      .orderBy('requested_at', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  async find(id: string): Promise<TakeDownRow | undefined> {
    return this.db.selectFrom('generation_take_down').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /**
   * Takes an open request back, and shows the image as before: one that its owner hides stays hidden. Undefined when
   * the request is not open, or not of this creator.
   */
  async takeBack(
    id: string,
    end: { readonly by: string; readonly creatorId: string },
  ): Promise<TakeDownRow | undefined> {
    const now = this.clock.now();
    const { rows } = await sql<TakeDownRow>`
      with request as (
        update generation_take_down
        set decision = 'taken_back', decided_at = ${now}::timestamptz, decided_by = ${end.by}
        where id = ${id}::uuid and decision is null and creator_id = ${end.creatorId}
        returning *
      ),
      closed as (
        delete from moderation_case where kind = 'take_down' and id in (select id from request)
      ),
      shown as (
        update generation set taken_down_at = null, updated_at = ${now}::timestamptz,
          media_moved_at = case when least(hidden_at, withheld_at, moderated_at) is null then null else media_moved_at end
        from request where generation.id = request.generation_id
      )
      select * from request`.execute(this.db);
    return rows[0];
  }

  /**
   * Ends the open requests of a creator whose account is closed, and erases the reasons. The images stay hidden because
   * the creator has withdrawn.
   */
  async eraseOfCreator(creatorId: string): Promise<void> {
    const now = this.clock.now();
    await sql`
      with shown as (
        update generation set taken_down_at = null
        where id in (
          select generation_id from generation_take_down where creator_id = ${creatorId} and decision is null)
      ),
      closed as (
        delete from moderation_case where kind = 'take_down' and decision is null
          and id in (select id from generation_take_down where creator_id = ${creatorId} and decision is null)
      )
      update generation_take_down set reason = '',
        decision = coalesce(decision, 'taken_back'), decided_at = coalesce(decided_at, ${now}::timestamptz),
        decided_by = coalesce(decided_by, 'system')
      where creator_id = ${creatorId} and (decision is null or reason <> '')`.execute(this.db);
  }
}

/** The request as its creator sees it. */
export function toTakeDownState(row: TakeDownRow): TakeDownState {
  return {
    request_id: row.id,
    ...wireFields(row, ['requested_at', 'due_at', 'reason', 'decision', 'decided_at']),
  };
}
