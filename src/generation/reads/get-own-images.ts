import { QueryHandler } from '@nestjs/cqrs';
import { type GenerationImage } from '../../contract/generation.js';
import { isUuid } from '../../platform/ids.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type GenerationTables } from '../tables.js';
import { shownImage } from '../images/visibility.js';

/** The pictures of a user's own generations, by id. Those of others, and those without a picture, are left out. */
export class GetOwnImages extends QueryOf<
  { readonly userId: string; readonly generationIds: readonly string[] },
  readonly GenerationImage[]
> {}

@QueryHandler(GetOwnImages)
export class GetOwnImagesHandler extends ReadHandler<GenerationTables, GetOwnImages> {
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
