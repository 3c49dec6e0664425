import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Kysely, sql } from 'kysely';
import { DATABASE } from '../../platform/database/database.js';
import { type GenerationTables } from '../tables.js';

/** The folders of the file storage, among these, that hold files of a generation or files that are to be deleted. */
export class ListUsedMedia extends Query<readonly string[]> {
  constructor(readonly input: { readonly folders: readonly string[] }) {
    super();
  }
}

@QueryHandler(ListUsedMedia)
export class ListUsedMediaHandler implements IQueryHandler<ListUsedMedia> {
  constructor(@Inject(DATABASE) private readonly db: Kysely<GenerationTables>) {}

  async execute({ input: { folders } }: ListUsedMedia): Promise<readonly string[]> {
    const { rows } = await sql<{ folder: string }>`
      select folder from unnest(${[...folders]}::text[]) as stored (folder)
      where exists (select from generation g where g.image is not null and split_part(g.image ->> 'url', '/', 3) = folder)
        or exists (select from generation_media_removal r where r.name >= folder || '/' and r.name < folder || '0')`.execute(
      this.db,
    );
    return rows.map((row) => row.folder);
  }
}
