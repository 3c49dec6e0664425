import { type Kysely } from 'kysely';
import { type GenerationTables } from '../tables.js';

const IMAGES_PER_READ = 500;

/**
 * The ids of all generations in the style of a creator, page by page, the newest first.
 * @param since only those that began at this instant or later; null for all
 */
export async function* pagesOfStyle(
  db: Kysely<GenerationTables>,
  creatorId: string,
  since: Date | null = null,
): AsyncGenerator<readonly string[]> {
  let last: { readonly id: string; readonly created_at: Date } | undefined;
  for (;;) {
    let select = db.selectFrom('generation').select(['id', 'created_at']).where('creator_id', '=', creatorId);
    if (since) select = select.where('created_at', '>=', since);
    if (last) {
      const { id, created_at: createdAt } = last;
      select = select.where((row) => row.eb(row.refTuple('created_at', 'id'), '<', row.tuple(createdAt, id)));
    }
    const page = await select.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(IMAGES_PER_READ).execute();
    if (page.length > 0) yield page.map(({ id }) => id);
    if (page.length < IMAGES_PER_READ) return;
    last = page.at(-1);
  }
}
