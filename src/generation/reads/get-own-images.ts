import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { type GenerationImage } from '../../contract/generation.js';
import { DATABASE } from '../../platform/database/database.js';
import { isUuid } from '../../platform/ids.js';
import { type GenerationTables } from '../tables.js';
import { shownImage } from '../images/visibility.js';

/** The pictures of a user's own generations, by id. Those of others, and those without a picture, are left out. */
export class GetOwnImages extends Query<readonly GenerationImage[]> {
  constructor(readonly input: { readonly userId: string; readonly generationIds: readonly string[] }) {
    super();
  }
}

@QueryHandler(GetOwnImages)
export class GetOwnImagesHandler implements IQueryHandler<GetOwnImages> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

  async execute({ input: { userId, generationIds } }: GetOwnImages): Promise<readonly GenerationImage[]> {
    const ids = [...new Set(generationIds)].filter(isUuid);
    if (ids.length === 0) return [];
    const rows = await this.db
      .selectFrom('generation')
      .select(['id', 'image', 'moderation'])
      .where('id', 'in', ids)
      .where('user_id', '=', userId)
      .where('status', '=', 'completed')
      .where('deleted_at', 'is', null)
      .execute();
    return rows.flatMap((row) => {
      const image = shownImage(row, { isAdmin: false });
      return image === null ? [] : [{ id: row.id, image }];
    });
  }
}
