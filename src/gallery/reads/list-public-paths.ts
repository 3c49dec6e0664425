import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { GetPublicCreators } from '../../creators/index.js';
import { ListImagesOfClosedOwners } from '../../generation/index.js';
import { DATABASE } from '../../platform/database/database.js';
import { STATIC_PAGES } from '../static-pages.js';
import { type GalleryTables } from '../tables.js';

/** Paths of all public pages: static pages, public creators, curated pictures. At most `limit`. */
export class ListPublicPaths extends Query<string[]> {
  constructor(readonly input: { readonly limit: number }) {
    super();
  }
}

@QueryHandler(ListPublicPaths)
export class ListPublicPathsHandler implements IQueryHandler<ListPublicPaths> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly queries: QueryBus,
  ) {}

  async execute({ input: { limit } }: ListPublicPaths): Promise<string[]> {
    const creators = await this.queries.execute(new GetPublicCreators());
    const usernames = new Map(creators.map(({ id, username }) => [id, username]));
    const items = await this.db
      .selectFrom('gallery_item')
      .select(['creator_id', 'generation_id'])
      .orderBy('creator_id')
      .orderBy('place')
      .limit(limit)
      .execute();
    const closed = await this.queries.execute(new ListImagesOfClosedOwners());
    const erasing = new Set(closed.map(({ generationId }) => generationId));
    const pictures = items.flatMap(({ creator_id: creatorId, generation_id: id }) => {
      const username = usernames.get(creatorId);
      return username === undefined || erasing.has(id) ? [] : [`/${username}/generate/${id}`];
    });
    return [...STATIC_PAGES.keys(), ...creators.map(({ username }) => `/${username}`), ...pictures].slice(0, limit);
  }
}
