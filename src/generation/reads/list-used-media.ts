import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type GenerationTables } from '../tables.js';

/** The folders of the file storage, among these, that hold files of a generation or files that are to be deleted. */
export class ListUsedMedia extends QueryOf<{ readonly folders: readonly string[] }, readonly string[]> {}

@QueryHandler(ListUsedMedia)
export class ListUsedMediaHandler extends ReadHandler<GenerationTables, ListUsedMedia> {
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
