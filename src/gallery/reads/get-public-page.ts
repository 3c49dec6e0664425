import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { PAGE_SIZES } from '../../contract/limits.js';
import { type PageData } from '../../contract/page-data.js';
import { isPagePath, isReservedSegment, withoutAt } from '../../contract/paths.js';
import { type Creator, GetCreatorProfile } from '../../creators/index.js';
import { GetGenerationSnapshot } from '../../generation/index.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { DATABASE } from '../../platform/database/database.js';
import { isUuid } from '../../platform/ids.js';
import { QueryOf } from '../../platform/messages.js';
import { type PublicPage, UNDRAWN_PAGE } from '../../platform/pages.js';
import { creatorHead, generationHead, NO_CREATOR, NO_PAGE, NO_PICTURE, staticPageHead } from '../page-heads.js';
import { ALL_CREATORS, creatorName, generationName } from '../page-names.js';
import { type GalleryTables } from '../tables.js';
import { galleryImages } from './list-gallery.js';
import { ListPublicCreators, toPublicCreator, WORKS_PER_CARD } from './public-creators.js';

/**
 * The pages of addresses that lead nowhere. Each is drawn at an address that stays unknown: usernames begin with a
 * letter or a digit.
 */
const UNKNOWN_ADDRESS: PublicPage = { sharedKey: '/-/-/-', head: NO_PAGE, data: {}, shows: null };
const UNKNOWN_CREATOR: PublicPage = {
  sharedKey: '/-',
  head: NO_CREATOR,
  data: { creator: null },
  shows: [ALL_CREATORS],
};
const UNKNOWN_PICTURE: PublicPage = { sharedKey: '/-/generate/-', head: NO_PICTURE, data: null, shows: null };

/**
 * The page at a path: its head, whether there is one, and the public data to draw it with. At most five statements.
 * Unfinished, hidden and unknown pictures all have the same page.
 */
export class GetPublicPage extends QueryOf<{ readonly path: string }, PublicPage> {}

@QueryHandler(GetPublicPage)
export class GetPublicPageHandler implements IQueryHandler<GetPublicPage> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly queries: QueryBus,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  async execute({ input: { path } }: GetPublicPage): Promise<PublicPage> {
    const bare = withoutAt(path);
    // The browser redirects to the address without the @.
    if (bare !== null) return undrawn(await this.at(bare));
    return this.at(path);
  }

  private async at(path: string): Promise<PublicPage> {
    const segments = splitPath(path);
    if (segments === null) return UNKNOWN_ADDRESS;
    const address = `/${segments.join('/')}`;
    if (address === '/') return this.home();
    const staticHead = staticPageHead(address);
    // A text shows nothing that changes while the server runs.
    if (staticHead) return drawnAtItsAddress(path, { sharedKey: null, head: staticHead, data: {}, shows: [] });
    if (isPagePath(address)) return UNDRAWN_PAGE;
    const [username = '', generate, id, ...rest] = segments;
    if (rest.length > 0 || isReservedSegment(username)) return UNKNOWN_ADDRESS;
    if (generate === undefined) return this.creator(username, path);
    if (generate.toLowerCase() !== 'generate') return UNKNOWN_ADDRESS;
    if (id === undefined) return UNDRAWN_PAGE;
    return this.generation(username, id, path);
  }

  private async home(): Promise<PublicPage> {
    const creators = await this.queries.execute(new ListPublicCreators());
    return { sharedKey: null, head: staticPageHead('/'), data: { creators }, shows: [ALL_CREATORS] };
  }

  private async creator(username: string, path: string): Promise<PublicPage> {
    const creator = await this.queries.execute(new GetCreatorProfile({ username }));
    if (!creator) return UNKNOWN_CREATOR;
    const head = creatorHead(creator, this.config.publicUrl);
    return drawnAtItsAddress(path, {
      sharedKey: null,
      head,
      data: await this.withGallery(creator),
      shows: [creatorName(creator.id)],
    });
  }

  private async generation(username: string, id: string, path: string): Promise<PublicPage> {
    if (!isUuid(id)) return UNKNOWN_PICTURE;
    const found = await this.queries.execute(
      new GetGenerationSnapshot({ target: { generationId: id }, viewerId: null }),
    );
    const generation = found?.view;
    if (generation?.status !== 'completed' || !generation.image || generation.hidden) return UNKNOWN_PICTURE;
    if (generation.creator_username !== username.toLowerCase()) return UNKNOWN_PICTURE;
    const creator = await this.queries.execute(new GetCreatorProfile({ username }));
    if (!creator || creator.withdrawn) return UNKNOWN_PICTURE;
    const head = generationHead({ ...generation, image: generation.image }, creator, this.config.publicUrl);
    return drawnAtItsAddress(path, {
      sharedKey: null,
      head,
      data: { generation, ...(await this.withGallery(creator)) },
      shows: [generationName(id), creatorName(creator.id)],
    });
  }

  /** The creator as the public sees them, with the first page of the gallery if it is shown. */
  private async withGallery(creator: Creator): Promise<PageData> {
    if (!creator.isVisible) return { creator: toPublicCreator(creator, []) };
    const gallery = await galleryImages(this.db, this.queries, {
      creatorId: creator.id,
      limit: PAGE_SIZES.gallery,
    });
    const works = gallery.slice(0, WORKS_PER_CARD).map(({ image }) => image);
    return { creator: toPublicCreator(creator, works), gallery };
  }
}

/** Other spellings of an address (case, a final slash) are drawn by the browser: they would fill the cache. */
function drawnAtItsAddress(path: string, page: PublicPage): PublicPage {
  return page.head?.path === path ? page : undrawn(page);
}

/** The server sends only the head of this page; the browser draws it. */
function undrawn(page: PublicPage): PublicPage {
  return page.sharedKey === null ? { ...page, data: null, shows: null } : page;
}

/** The decoded segments of a path; null for a path that cannot be decoded. */
function splitPath(path: string): string[] | null {
  try {
    return path.replace(/^\//, '').replace(/\/+$/, '').split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}
