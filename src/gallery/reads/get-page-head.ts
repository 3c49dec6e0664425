import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { isPagePath, isReservedSegment } from '../../contract/paths.js';
import { type Creator, GetCreator, GetCreatorProfile } from '../../creators/index.js';
import { GetGeneration } from '../../generation/index.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { type PageHead } from '../../platform/pages.js';
import { isUuid } from '../../platform/ids.js';
import { imageObject } from '../image-object.js';
import { STATIC_PAGES } from '../static-pages.js';

const DESCRIPTION_LENGTH = 200;

/**
 * Title, description and preview of the page at a path, for programs that do not run scripts, and whether there is a
 * page. Null for pages without any. Contains only public data: unfinished, hidden and unknown pictures all have the
 * same head.
 */
export class GetPageHead extends Query<PageHead | null> {
  constructor(readonly input: { readonly path: string }) {
    super();
  }
}

@QueryHandler(GetPageHead)
export class GetPageHeadHandler implements IQueryHandler<GetPageHead> {
  constructor(
    private readonly queries: QueryBus,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  async execute({ input: { path } }: GetPageHead): Promise<PageHead | null> {
    const segments = splitPath(path);
    if (segments === null) return noPage(path);
    const address = `/${segments.join('/')}`;
    const staticPage = STATIC_PAGES.get(address.toLowerCase());
    if (staticPage) return { ...staticPage, path: address.toLowerCase(), type: 'website' };
    if (isPagePath(address)) return null;
    const [username = '', generate, id, ...rest] = segments;
    if (rest.length > 0 || isReservedSegment(username)) return noPage(path);
    if (generate === undefined) return this.creatorHead(username);
    if (generate.toLowerCase() !== 'generate') return noPage(path);
    if (id === undefined) return null;
    return isUuid(id) ? this.generationHead(username, id) : NO_PICTURE;
  }

  private async creatorHead(username: string): Promise<PageHead> {
    const creator = await this.queries.execute(new GetCreatorProfile({ username }));
    if (!creator) {
      return {
        title: 'Creator not found · Fanvas',
        description: 'There is no creator at this address.',
        path: `/${username}`,
        type: 'website',
        notFound: true,
      };
    }
    const path = `/${creator.username}`;
    if (creator.withdrawn) {
      const title = `${creator.name} has left · Fanvas`;
      return {
        title,
        description: 'This creator has left Fanvas.',
        path,
        type: 'website',
        unlisted: true,
        notFound: true,
      };
    }
    return {
      title: `${creator.name} (@${creator.username}) · Fanvas`,
      description: truncate(creator.bio || `Create official fan art in the style of ${creator.name}.`),
      path,
      type: 'profile',
      unlisted: !creator.isVisible,
      notFound: !creator.isVisible,
      ...(creator.profile
        ? {
            image: { ...creator.profile, alt: `Portrait of ${creator.name}` },
            structuredData: this.person(creator, path),
          }
        : {}),
    };
  }

  private person(creator: Creator, path: string): object {
    return {
      '@context': 'https://schema.org',
      '@type': 'ProfilePage',
      mainEntity: {
        '@type': 'Person',
        name: creator.name,
        alternateName: creator.username,
        url: new URL(path, this.config.publicUrl).href,
        ...(creator.profile ? { image: new URL(creator.profile.url, this.config.publicUrl).href } : {}),
      },
    };
  }

  private async generationHead(username: string, id: string): Promise<PageHead> {
    const generation = await this.queries.execute(new GetGeneration({ generationId: id }));
    if (generation?.status !== 'completed' || !generation.image || generation.hidden) return NO_PICTURE;
    const creator = await this.queries.execute(new GetCreator({ creatorId: generation.creatorId }));
    if (!creator || creator.withdrawn || creator.username !== username.toLowerCase()) return NO_PICTURE;
    const path = `/${creator.username}/generate/${id}`;
    const { prompt, image } = generation;
    return {
      title: `${prompt.slice(0, 80)} · ${creator.name}`,
      description: truncate(`${prompt} Official fan art in the style of ${creator.name}, made on Fanvas.`),
      path,
      type: 'article',
      image: { ...image, alt: truncate(prompt) },
      structuredData: imageObject(
        {
          prompt,
          path,
          image,
          createdAt: generation.createdAt.toISOString(),
          creator: { name: creator.name, path: `/${creator.username}` },
        },
        this.config.publicUrl,
      ),
    };
  }
}

/** Unfinished, hidden and unknown pictures: their owners see more once they have signed in. */
const NO_PICTURE: PageHead = {
  title: 'Fan art · Fanvas',
  description: 'Official fan art, made in the style of creators who consented to it.',
  path: '/',
  type: 'website',
  notFound: true,
};

/** The head of an address without a page. */
function noPage(path: string): PageHead {
  return {
    title: 'Page not found · Fanvas',
    description: 'There is nothing at this address.',
    path,
    type: 'website',
    notFound: true,
  };
}

/** The decoded segments of a path; null for a path that cannot be decoded. */
function splitPath(path: string): string[] | null {
  try {
    return path.replace(/^\//, '').replace(/\/+$/, '').split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}

function truncate(text: string): string {
  return text.length <= DESCRIPTION_LENGTH ? text : `${text.slice(0, DESCRIPTION_LENGTH - 1).trimEnd()}…`;
}
