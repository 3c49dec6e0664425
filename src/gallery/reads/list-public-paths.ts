import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { GetPublicCreators } from '../../creators/index.js';
import { GetShownImages } from '../../generation/index.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { isNotSetAside } from '../set-aside.js';
import { STATIC_PAGES } from '../static-pages.js';
import { type GalleryTables } from '../tables.js';

/** Paths of all public pages: static pages, public creators, curated pictures. At most `limit`. */
export class ListPublicPaths extends QueryOf<{ readonly limit: number }, string[]> {}

@QueryHandler(ListPublicPaths)
export class ListPublicPathsHandler extends ReadHandler<GalleryTables, ListPublicPaths> {
  async execute({ input: { limit } }: ListPublicPaths): Promise<string[]> {
    const creators = await this.queries.execute(new GetPublicCreators({}));
    const usernames = new Map(creators.map(({ id, username }) => [id, username]));
    const paths = [...STATIC_PAGES.keys(), ...creators.map(({ username }) => `/${username}`)];
    // Images that are hidden although a gallery still has them make another page necessary.
    for (let offset = 0; paths.length < limit; offset += limit) {
      const items = await this.items([...usernames.keys()], { limit, offset });
      const ids = items.map(({ generation_id: id }) => id);
      const shown = await this.queries.execute(new GetShownImages({ generationIds: ids }));
      for (const { creator_id: creatorId, generation_id: id } of items) {
        if (shown.has(id)) paths.push(`/${usernames.get(creatorId)}/generate/${id}`);
      }
      if (items.length < limit) break;
    }
    return paths.slice(0, limit);
  }

  /** The pictures of these creators' galleries, in the order of the creators. */
  private async items(
    creatorIds: readonly string[],
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<readonly { readonly creator_id: string; readonly generation_id: string }[]> {
    const { rows } = await sql<{ creator_id: string; generation_id: string }>`
      select item.creator_id, item.generation_id
      from unnest(${creatorIds}::uuid[]) with ordinality as creator (id, number)
      cross join lateral (
        select creator_id, generation_id, place from gallery_item
        where creator_id = creator.id and ${isNotSetAside()} order by place
      ) as item order by creator.number, item.place limit ${limit} offset ${offset}`.execute(this.db);
    return rows;
  }
}
