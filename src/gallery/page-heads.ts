import { type GenerationView } from '../contract/generation.js';
import { type ImageInfo, imageFileUrl } from '../contract/media.js';
import { pictureTitle } from '../contract/picture-title.js';
import { type Creator } from '../creators/index.js';
import { type PageHead } from '../platform/pages.js';
import { imageObject } from './image-object.js';
import { STATIC_PAGES } from './static-pages.js';

const DESCRIPTION_LENGTH = 200;

/** The link preview of pages without an image of their own: `web/public/icons/card.jpg`. */
const CARD = {
  url: '/icons/card.jpg',
  width: 1200,
  height: 630,
  alt: 'Fanvas: Create Official Fan Art with AI',
};

/** Unfinished, hidden and unknown pictures: their owners see more once they have signed in. */
export const NO_PICTURE: PageHead = {
  title: 'Fan art · Fanvas',
  description: 'Official fan art, made in the style of creators who consented to it.',
  path: '/',
  type: 'website',
  notFound: true,
};

/** The head of an address without a page. */
export const NO_PAGE: PageHead = {
  title: 'Page not found · Fanvas',
  description: 'There is nothing at this address.',
  path: '/',
  type: 'website',
  notFound: true,
};

/** The head of the address of an unknown creator. */
export const NO_CREATOR: PageHead = {
  title: 'Creator not found · Fanvas',
  description: 'There is no creator at this address.',
  path: '/',
  type: 'website',
  notFound: true,
};

/** The head of a page that looks the same for every visitor; null for other paths. Case does not count. */
export function staticPageHead(path: string): PageHead | null {
  const page = STATIC_PAGES.get(path.toLowerCase());
  return page ? { ...page, path: path.toLowerCase(), type: 'website', image: CARD } : null;
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
    description: creatorDescription(creator),
    path,
    type: 'profile',
    unlisted: !creator.isVisible,
    notFound: !creator.isVisible,
    ...(creator.profile
      ? {
          image: previewOf(creator.profile, `Portrait of ${creator.name}`),
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
    title: pictureTitle(prompt, creator.name),
    description: generationDescription(prompt, creator.name),
    path,
    type: 'article',
    image: previewOf(image, truncate(prompt)),
    structuredData: imageObject({ prompt, path, image, createdAt, creator: creatorLink }, origin),
  };
}

function previewOf(image: ImageInfo, alt: string): NonNullable<PageHead['image']> {
  return { url: imageFileUrl(image, 'jpg'), width: image.width, height: image.height, alt };
}

function creatorDescription({ name, bio }: Pick<Creator, 'name' | 'bio'>): string {
  const offer = `Create official fan art in the style of ${name} on Fanvas.`;
  const words = bio.replaceAll(/\s+/g, ' ').trim();
  if (words === '') return offer;
  return `${asSentence(truncate(words, DESCRIPTION_LENGTH - offer.length - 2))} ${offer}`;
}

function generationDescription(prompt: string, name: string): string {
  const before = `Official fan art in the style of ${name}, made on Fanvas from the words “`;
  const after = '”.';
  const words = prompt.replaceAll(/\s+/g, ' ').trim();
  return before + truncate(words, DESCRIPTION_LENGTH - before.length - after.length) + after;
}

function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function truncate(text: string, length = DESCRIPTION_LENGTH): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1)).trimEnd()}…`;
}
