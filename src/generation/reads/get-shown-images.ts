import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { ownerIsOpen } from '../closed-owners.js';
import { type GenerationTables } from '../tables.js';

/** Those among some generations whose image everyone with the link may see; only their ids, for long lists. */
export class GetShownImages extends Query<ReadonlySet<string>> {
  constructor(readonly input: { readonly generationIds: readonly string[] }) {
    super();
  }
}

@QueryHandler(GetShownImages)
export class GetShownImagesHandler implements IQueryHandler<GetShownImages> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

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
