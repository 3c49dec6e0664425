import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { isUuid } from '../../platform/ids.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { ownerIsOpen } from '../closed-owners.js';
import { type GenerationTables } from '../tables.js';
import { ADMIN_IMAGE_COLUMNS, type AdminImage, toAdminImage } from './admin-image.js';

/** Generations by id, for admins. Unknown and deleted ones, those of closed accounts, and tests are left out. */
export class GetAdminImages extends QueryOf<
  { readonly generationIds: readonly string[] },
  ReadonlyMap<string, AdminImage>
> {}

@QueryHandler(GetAdminImages)
export class GetAdminImagesHandler extends ReadHandler<GenerationTables, GetAdminImages> {
  async execute({ input: { generationIds } }: GetAdminImages): Promise<ReadonlyMap<string, AdminImage>> {
    const ids = [...new Set(generationIds)].filter(isUuid);
    if (ids.length === 0) return new Map();
    const rows = await this.db
      .selectFrom('generation')
      .select(ADMIN_IMAGE_COLUMNS)
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .where('deleted_at', 'is', null)
      .where('is_test', '=', false)
      .where(ownerIsOpen)
      .execute();
    return new Map(rows.map((row) => [row.id, toAdminImage(row)]));
  }
}
