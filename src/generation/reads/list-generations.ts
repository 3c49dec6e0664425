import { QueryHandler } from '@nestjs/cqrs';
import { type RawBuilder, sql } from 'kysely';
import { type CreationFilter, type PaginatedGeneration } from '../../contract/generation.js';
import { GetCreators } from '../../creators/index.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { ownerIsOpen } from '../closed-owners.js';
import { type GenerationTables } from '../tables.js';
import { type Viewer } from '../images/visibility.js';
import { toView } from './view.js';

/** A page of the user's own generations without tests, the newest first. `total_count` counts the filter's. */
export class ListGenerations extends QueryOf<
  PageAt & { readonly userId: string; readonly show: CreationFilter },
  PaginatedGeneration[]
> {}

/** An image that an admin has taken down stays in the list, without the image, so that its owner reads why. */
const IN_LIST = sql<boolean>`(deleted_at is null or moderation = 'taken_down')`;

/** Literals, because the index of ended generations serves no parameter. */
const SHOWN: Readonly<Record<CreationFilter, RawBuilder<boolean>>> = {
  all: sql<boolean>`true`,
  finished: sql<boolean>`status = 'completed'`,
  failed: sql<boolean>`status = 'failed'`,
};

@QueryHandler(ListGenerations)
export class ListGenerationsHandler extends ReadHandler<GenerationTables, ListGenerations> {
  async execute({ input: { userId, show, limit, offset } }: ListGenerations): Promise<PaginatedGeneration[]> {
    const [rows, { total }] = await Promise.all([
      this.db
        .selectFrom('generation')
        .selectAll()
        .where('user_id', '=', userId)
        .where(IN_LIST)
        .where(SHOWN[show])
        .where('is_test', '=', false)
        .where(ownerIsOpen)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
      this.db
        .selectFrom('generation')
        .select((select) => select.fn.countAll<number>().as('total'))
        .where('user_id', '=', userId)
        .where(IN_LIST)
        .where(SHOWN[show])
        .where('is_test', '=', false)
        .where(ownerIsOpen)
        .executeTakeFirstOrThrow(),
    ]);
    const creators = await this.queries.execute(new GetCreators({ creatorIds: rows.map((row) => row.creator_id) }));
    const viewer: Viewer = { userId, isAdmin: false };
    return rows.map((row) => ({
      generation: toView(row, creators.get(row.creator_id), viewer),
      total_count: total,
    }));
  }
}
