import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type AdminUserImage } from '../../contract/admin-users.js';
import { COUNTED_TO } from '../../contract/limits.js';
import { type CreatorTables } from '../../creators/tables.js';
import { type GenerationRow, type GenerationTables } from '../../generation/tables.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { creatorUuid } from '../cases/case-row.js';

/** A page of a user's images with their status, the latest first. One statement. */
export class ListUserImages extends QueryOf<PageAt & { readonly userId: string }, AdminUserImage[]> {}

type ImageRow = Pick<
  GenerationRow,
  | 'id'
  | 'prompt'
  | 'status'
  | 'error_message'
  | 'refunded'
  | 'cost'
  | 'image'
  | 'created_at'
  | 'hidden_at'
  | 'taken_down_at'
  | 'moderation'
  | 'withheld_at'
  | 'deleted_at'
> & { readonly creator_name: string; readonly total_count: number };

@QueryHandler(ListUserImages)
export class ListUserImagesHandler extends ReadHandler<GenerationTables & CreatorTables, ListUserImages> {
  async execute({ input: { userId, limit, offset } }: ListUserImages): Promise<AdminUserImage[]> {
    const { rows } = await sql<ImageRow>`
      select g.id, g.prompt, g.status, g.error_message, g.refunded, g.cost, g.image, g.created_at, g.hidden_at,
        g.taken_down_at, g.moderation, g.withheld_at, g.deleted_at,
        coalesce((select name from creator where id = ${creatorUuid('g')}), 'Unknown Creator') as creator_name,
        (select count(*)::int from (
          select from generation where user_id = ${userId} and not is_test limit ${sql.lit(COUNTED_TO)}
        ) as counted) as total_count
      from generation g where g.user_id = ${userId} and not g.is_test
      order by g.created_at desc, g.id desc limit ${limit} offset ${offset}`.execute(this.db);
    return rows.map((row) => ({
      generation_id: row.id,
      creator_name: row.creator_name,
      prompt: row.prompt,
      status: row.status,
      error_message: row.error_message,
      refunded: row.refunded,
      cost: row.cost,
      shown: shownTo(row),
      image: row.deleted_at === null ? row.image : null,
      created_at: row.created_at.toISOString(),
      total_count: row.total_count,
    }));
  }
}

function shownTo(row: ImageRow): AdminUserImage['shown'] {
  if (row.deleted_at !== null) return 'deleted';
  if (row.moderation === 'taken_down') return 'admins';
  const hidden = row.hidden_at ?? row.taken_down_at ?? row.withheld_at;
  return hidden !== null || row.moderation === 'hidden' ? 'owner' : 'visible';
}
