import { QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { type FoundPicture } from '../../contract/gallery.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { type Creator, GetPublicCreators } from '../../creators/index.js';
import { FindPrompts, type GenerationSummary, SearchGenerations } from '../../generation/index.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { isNotSetAside } from '../set-aside.js';
import { type GalleryTables } from '../tables.js';
import { generationsById, toPublicImage } from './public-image.js';

/** The newest pictures of all galleries in which a text is looked for that is common, or that no index finds. */
const PICTURES_SEARCHED = 5_000;

/** Most pictures of galleries with a rare text that are compared with the public creators. */
const MOST_LISTED = 1_000;

/** Pictures that are read for a page: some may be hidden although a gallery still has them. */
const PICTURES_PER_READ = 4 * PAGE_SIZES.foundPictures;

interface Item {
  readonly generation_id: string;
  readonly creator_id: string;
}

/**
 * The newest pictures in the galleries of public creators whose prompt contains a text, without case; at most six. At
 * most four statements, which read a bounded number of rows.
 */
export class SearchPictures extends QueryOf<{ readonly text: string }, FoundPicture[]> {}

@QueryHandler(SearchPictures)
export class SearchPicturesHandler extends ReadHandler<GalleryTables, SearchPictures> {
  async execute({ input: { text } }: SearchPictures): Promise<FoundPicture[]> {
    const rare = await this.queries.execute(new FindPrompts({ text }));
    const items = rare === null ? await this.newest() : await this.listed(rare);
    if (items.length === 0) return [];
    const creators = await this.publicCreators(items);
    const ids = items.filter(({ creator_id: id }) => creators.has(id)).map(({ generation_id: id }) => id);
    const generations =
      rare === null ? await this.containing(text, ids) : await this.among(ids.slice(0, PICTURES_PER_READ));
    return generations
      .flatMap((generation) => {
        const image = toPublicImage(generation);
        const creator = creators.get(generation.creatorId);
        if (!image || !creator) return [];
        return [{ ...image, creator_name: creator.name, creator_username: creator.username }];
      })
      .slice(0, PAGE_SIZES.foundPictures);
  }

  /** The newest pictures of all galleries: ids of generations begin with the time. */
  private async newest(): Promise<readonly Item[]> {
    const newest = this.db
      .selectFrom('gallery_item')
      .select(['generation_id', 'creator_id'])
      .orderBy('generation_id', 'desc')
      .limit(PICTURES_SEARCHED);
    return this.db
      .selectFrom(newest.as('gallery_item'))
      .select(['generation_id', 'creator_id'])
      .where(isNotSetAside())
      .execute();
  }

  /** Those among some generations that a gallery shows, the newest first. */
  private async listed(ids: readonly string[]): Promise<readonly Item[]> {
    if (ids.length === 0) return [];
    return this.db
      .selectFrom('gallery_item')
      .select(['generation_id', 'creator_id'])
      .where('generation_id', '=', sql<string>`any(${[...ids]}::uuid[])`)
      .where(isNotSetAside())
      .orderBy('generation_id', 'desc')
      .limit(MOST_LISTED)
      .execute();
  }

  private async publicCreators(items: readonly Item[]): Promise<ReadonlyMap<string, Creator>> {
    const creatorIds = [...new Set(items.map(({ creator_id: creatorId }) => creatorId))];
    const creators = await this.queries.execute(new GetPublicCreators({ creatorIds }));
    return new Map(creators.map((creator) => [creator.id, creator]));
  }

  private async containing(text: string, ids: readonly string[]): Promise<readonly GenerationSummary[]> {
    return this.queries.execute(new SearchGenerations({ generationIds: ids, text, limit: PICTURES_PER_READ }));
  }

  private async among(ids: readonly string[]): Promise<readonly GenerationSummary[]> {
    const found = await generationsById(this.queries, ids);
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}
