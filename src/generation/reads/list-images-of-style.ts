import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { type TakeDownState } from '../../contract/gallery.js';
import { type ImageInfo } from '../../contract/media.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { ownerIsOpen } from '../closed-owners.js';
import { type GenerationTables } from '../tables.js';

/** A delivered image in a creator's style, without its owner. */
export interface ImageOfStyle {
  readonly id: string;
  readonly prompt: string;
  /** Null while a take-down request is open or an admin hides it: only its owner and admins see it. */
  readonly image: ImageInfo | null;
  readonly createdAt: Date;
  /** The last request. */
  readonly takeDown: TakeDownState | null;
  /** Number of images in the whole list. */
  readonly totalCount: number;
}

/** A page of the delivered images in a creator's style, the newest first, without those that their owners hide. */
export class ListImagesOfStyle extends QueryOf<
  PageAt & {
    readonly creatorId: string;
    /** `take-downs`: those with a request; ids: those among them; undefined: all. */
    readonly only?: 'take-downs' | readonly string[] | undefined;
  },
  readonly ImageOfStyle[]
> {}

@QueryHandler(ListImagesOfStyle)
export class ListImagesOfStyleHandler extends ReadHandler<GenerationTables, ListImagesOfStyle> {
  async execute({ input }: ListImagesOfStyle): Promise<readonly ImageOfStyle[]> {
    const [rows, { total }] = await Promise.all([
      this.images(input)
        .select(['id', 'prompt', 'image', 'created_at', 'taken_down_at', 'moderated_at'])
        .select((select) =>
          jsonObjectFrom(
            select
              .selectFrom('generation_take_down as request')
              .select(['request.id', 'request.requested_at', 'request.due_at', 'request.reason'])
              .select(['request.decision', 'request.decided_at'])
              .whereRef('request.generation_id', '=', 'generation.id')
              .orderBy('request.requested_at', 'desc')
              .limit(1),
          ).as('request'),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(input.limit)
        .offset(input.offset)
        .execute(),
      this.images(input)
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow(),
    ]);
    return rows.map(({ request, ...row }) => ({
      id: row.id,
      prompt: row.prompt,
      image: row.taken_down_at === null && row.moderated_at === null ? row.image : null,
      createdAt: row.created_at,
      takeDown: request && {
        request_id: request.id,
        requested_at: new Date(request.requested_at).toISOString(),
        due_at: new Date(request.due_at).toISOString(),
        reason: request.reason,
        decision: request.decision,
        decided_at: request.decided_at === null ? null : new Date(request.decided_at).toISOString(),
      },
      totalCount: total,
    }));
  }

  private images({ creatorId, only }: ListImagesOfStyle['input']) {
    let select = this.db
      .selectFrom('generation')
      .where('creator_id', '=', creatorId)
      .where('status', '=', 'completed')
      .where('deleted_at', 'is', null)
      .where('hidden_at', 'is', null)
      .where('is_test', '=', false)
      // Of those that admins hide, creators see the ones that they have asked for.
      .where(
        sql<boolean>`(moderated_at is null or (select true from generation_take_down asked
          where asked.generation_id = generation.id limit 1))`,
      )
      .where(ownerIsOpen);
    if (only === 'take-downs') {
      select = select.where('id', 'in', (requests) =>
        requests.selectFrom('generation_take_down').select('generation_id').where('creator_id', '=', creatorId),
      );
    } else if (only !== undefined) {
      select = select.where('id', '=', sql<string>`any(${[...only]}::uuid[])`);
    }
    return select;
  }
}
