import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type CreatorTables } from '../tables.js';

/** The folders of the file storage, among these, that hold a portrait of a creator. */
export class ListUsedPortraits extends Query<readonly string[]> {
  constructor(readonly input: { readonly folders: readonly string[] }) {
    super();
  }
}

@QueryHandler(ListUsedPortraits)
export class ListUsedPortraitsHandler implements IQueryHandler<ListUsedPortraits> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<CreatorTables>) {}

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
