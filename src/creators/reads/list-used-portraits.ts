import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';

/** The folders of the file storage, among these, that hold a portrait of a creator. */
export class ListUsedPortraits extends QueryOf<{ readonly folders: readonly string[] }, readonly string[]> {}

@QueryHandler(ListUsedPortraits)
export class ListUsedPortraitsHandler extends ReadHandler<CreatorTables, ListUsedPortraits> {
  async execute({ input: { folders } }: ListUsedPortraits): Promise<readonly string[]> {
    const folder = sql<string>`split_part(profile ->> 'url', '/', 3)`;
    const rows = await this.db
      .selectFrom('creator')
      .select(folder.as('folder'))
      .where('profile', 'is not', null)
      .where(folder, '=', sql<string>`any(${[...folders]}::text[])`)
      .execute();
    return rows.map((row) => row.folder);
  }
}
