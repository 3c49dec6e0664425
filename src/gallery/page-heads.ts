import { type GenerationView } from '../contract/generation.js';
import { type ImageInfo } from '../contract/media.js';
import { type Creator } from '../creators/index.js';
import { type PageHead } from '../platform/pages.js';
import { imageObject } from './image-object.js';
import { STATIC_PAGES } from './static-pages.js';

const DESCRIPTION_LENGTH = 200;

/** Unfinished, hidden and unknown pictures: their owners see more once they have signed in. */
export const NO_PICTURE: PageHead = {
  title: 'Fan art · Fanvas',
  description: 'Official fan art, made in the style of creators who consented to it.',
  path: '/',
  type: 'website',
  notFound: true,
};

/** The head of an address without a page. */
export function noPage(path: string): PageHead {
  return {
    title: 'Page not found · Fanvas',
    description: 'There is nothing at this address.',
    path,
    type: 'website',
    notFound: true,
  };
}

/** The head of the address of an unknown creator. */
export function noCreator(username: string): PageHead {
  return {
    title: 'Creator not found · Fanvas',
    description: 'There is no creator at this address.',
    path: `/${username}`,
    type: 'website',
    notFound: true,
  };
}

/** The head of a page that looks the same for every visitor; null for other paths. Case does not count. */
export function staticPageHead(path: string): PageHead | null {
  const page = STATIC_PAGES.get(path.toLowerCase());
  return page ? { ...page, path: path.toLowerCase(), type: 'website' } : null;
}

/** The head of a creator's page. The page of an archived or withdrawn creator is not found. */
export function creatorHead(creator: Creator, origin: string): PageHead {
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
          structuredData: person(creator, path, origin),
        }
      : {}),
  };
}

function person(creator: Creator, path: string, origin: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    mainEntity: {
      '@type': 'Person',
      name: creator.name,
      alternateName: creator.username,
      url: new URL(path, origin).href,
      ...(creator.profile ? { image: new URL(creator.profile.url, origin).href } : {}),
    },
  };
}

/** The head of the page of a public picture. */
export function generationHead(
  {
    id,
    prompt,
    image,
    created_at: createdAt,
  }: Pick<GenerationView, 'id' | 'prompt' | 'created_at'> & {
    readonly image: ImageInfo;
  },
  creator: Pick<Creator, 'name' | 'username'>,
  origin: string,
): PageHead {
  const path = `/${creator.username}/generate/${id}`;
  const creatorLink = { name: creator.name, path: `/${creator.username}` };
  return {
    title: `${prompt.slice(0, 80)} · ${creator.name}`,
    description: truncate(`${prompt} Official fan art in the style of ${creator.name}, made on Fanvas.`),
    path,
    type: 'article',
    image: { ...image, alt: truncate(prompt) },
    structuredData: imageObject({ prompt, path, image, createdAt, creator: creatorLink }, origin),
  };
}

function truncate(text: string): string {
  return text.length <= DESCRIPTION_LENGTH ? text : `${text.slice(0, DESCRIPTION_LENGTH - 1).trimEnd()}…`;
}
