import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { ownerIsOpen } from '../closed-owners.js';
import { type GenerationTables } from '../tables.js';

/** Those among some generations whose image everyone with the link may see; only their ids, for long lists. */
export class GetShownImages extends QueryOf<{ readonly generationIds: readonly string[] }, ReadonlySet<string>> {}

@QueryHandler(GetShownImages)
export class GetShownImagesHandler extends ReadHandler<GenerationTables, GetShownImages> {
  async execute({ input: { generationIds } }: GetShownImages): Promise<ReadonlySet<string>> {
    if (generationIds.length === 0) return new Set();
    const rows = await this.db
      .selectFrom('generation')
      .select('id')
      .where('id', '=', sql<string>`any(${[...generationIds]}::uuid[])`)
      .where('status', '=', 'completed')
      .where('image', 'is not', null)
      // As in `isHidden`.
      .where(sql<boolean>`coalesce(hidden_at, taken_down_at, moderated_at) is null and not is_test`)
      .where('deleted_at', 'is', null)
      .where(ownerIsOpen)
      .execute();
    return new Set(rows.map(({ id }) => id));
  }
}
