import { QueryHandler } from '@nestjs/cqrs';
import { type Selectable } from 'kysely';
import { type CreatorTableRow } from '../../contract/creators.js';
import { isUuid } from '../../platform/ids.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type TablePage } from '../../platform/table-page.js';
import { wireFields } from '../../platform/wire-fields.js';
import { type CreatorTables } from '../tables.js';

/** A page of the `creators` table as a reader may see it, by `created_at`. */
export interface CreatorRowsInput extends TablePage {
  /** Null for visitors. Readers see approved creators that have not withdrawn, and themselves; admins see all. */
  readonly reader: { readonly userId: string; readonly isAdmin: boolean } | null;
  readonly id?: string | undefined;
  readonly username?: string | undefined;
  readonly clerkId?: string | undefined;
}

/** Rows of `GET /rest/v1/creators`. */
export class ListCreatorRows extends QueryOf<CreatorRowsInput, CreatorTableRow[]> {}

@QueryHandler(ListCreatorRows)
export class ListCreatorRowsHandler extends ReadHandler<CreatorTables, ListCreatorRows> {
  async execute({ input }: ListCreatorRows): Promise<CreatorTableRow[]> {
    const { reader, id, username, clerkId, direction, limit, offset } = input;
    if (id !== undefined && !isUuid(id)) return [];
    let select = this.db.selectFrom('creator').selectAll();
    if (!reader?.isAdmin) {
      select = select.where((row) =>
        row.or([
          row('creator_status', '=', 'active').and('withdrawn_at', 'is', null),
          ...(reader ? [row('clerk_id', '=', reader.userId)] : []),
        ]),
      );
    }
    if (id !== undefined) select = select.where('id', '=', id);
    if (username !== undefined) select = select.where('username', '=', username);
    if (clerkId !== undefined) select = select.where('clerk_id', '=', clerkId);
    const rows = await select
      .orderBy('created_at', direction)
      .orderBy('id', direction)
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map(toTableRow);
  }
}

function toTableRow(row: Selectable<CreatorTables['creator']>): CreatorTableRow {
  return {
    ...wireFields(row, ['id', 'name', 'username', 'bio']),
    profile_image: row.profile?.url ?? null,
    ...wireFields(row, ['instagram', 'twitter', 'onlyfans', 'creator_status']),
    is_visible: row.is_visible && row.withdrawn_at === null,
    ...wireFields(row, ['is_featured', 'created_at']),
  };
}
