import { QueryHandler } from '@nestjs/cqrs';
import { type TestGeneration } from '../../contract/generation.js';
import { GetCreators } from '../../creators/index.js';
import { type PageAt, QueryOf, ReadHandler } from '../../platform/messages.js';
import { ownerIsOpen } from '../closed-owners.js';
import { type GenerationTables } from '../tables.js';
import { type Viewer } from '../images/visibility.js';
import { toView } from './view.js';

/** A page of the user's own tests, the newest first. `total_count` counts all pages. */
export class ListTests extends QueryOf<PageAt & { readonly userId: string }, TestGeneration[]> {}

@QueryHandler(ListTests)
export class ListTestsHandler extends ReadHandler<GenerationTables, ListTests> {
  async execute({ input: { userId, limit, offset } }: ListTests): Promise<TestGeneration[]> {
    const [rows, { total }] = await Promise.all([
      this.tests(userId)
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
      this.tests(userId)
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow(),
    ]);
    const creators = await this.queries.execute(new GetCreators({ creatorIds: rows.map((row) => row.creator_id) }));
    const viewer: Viewer = { userId, isAdmin: false };
    return rows.map((row) => ({
      generation: toView(row, creators.get(row.creator_id), viewer),
      rating: row.test_rating,
      note: row.test_note ?? '',
      total_count: total,
    }));
  }

  private tests(userId: string) {
    return this.db
      .selectFrom('generation')
      .where('user_id', '=', userId)
      .where('is_test', '=', true)
      .where('deleted_at', 'is', null)
      .where(ownerIsOpen);
  }
}
