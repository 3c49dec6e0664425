import { queryOptions } from '@tanstack/react-query';
import type { GalleryItem, PublicCreator } from '../../../../../src/gallery/wire.js';
import { rpc } from '../../../lib/api.js';

/** All public creators; the home page and the search share them. */
export const publicCreators = queryOptions({
  queryKey: ['creators'],
  queryFn: ({ signal }) => rpc<PublicCreator[]>('get_public_creators', {}, { signal, auth: false }),
  staleTime: 60_000,
});

/** One creator by username, archived ones too; null when there is none. */
export function creatorByUsername(username: string) {
  return queryOptions({
    queryKey: ['creator', username.toLowerCase()],
    queryFn: ({ signal }) =>
      rpc<PublicCreator | null>('get_public_creator_by_username', { p_username: username }, { signal, auth: false }),
    staleTime: 60_000,
  });
}

/** How many pictures of a gallery are asked for at once; a multiple of every number of columns. */
export const GALLERY_PAGE_SIZE = 48;

/** One page (from 0) of the curated gallery of a creator, in the creator's order. */
export function galleryPage(creatorId: string, page: number) {
  return queryOptions({
    queryKey: ['gallery', creatorId, page],
    queryFn: ({ signal }) =>
      galleryCall(creatorId, { p_limit: GALLERY_PAGE_SIZE, p_offset: page * GALLERY_PAGE_SIZE }, signal),
    staleTime: 60_000,
  });
}

/** All of the curated gallery of a creator: the first page, which is most often all, then the rest. */
export function creatorGallery(creatorId: string) {
  return queryOptions({
    queryKey: ['gallery', creatorId],
    queryFn: async ({ client, signal }) => {
      // This query's own retries are enough.
      const first = await client.fetchQuery({ ...galleryPage(creatorId, 0), retry: false });
      if (galleryTotal(first) <= GALLERY_PAGE_SIZE) return first;
      return [...first, ...(await galleryCall(creatorId, { p_offset: GALLERY_PAGE_SIZE }, signal))];
    },
    staleTime: 60_000,
  });
}

/** How many pictures the gallery has that this is the first page of. */
export function galleryTotal(first: readonly GalleryItem[]): number {
  const total = first[0]?.total_count ?? 0;
  return total > GALLERY_PAGE_SIZE ? total : first.length;
}

function galleryCall(creatorId: string, part: object, signal: AbortSignal): Promise<GalleryItem[]> {
  return rpc('get_gallery_generations_public', { p_creator_id: creatorId, ...part }, { signal, auth: false });
}

/** A public list that lacks `is_visible` means active; featured unless explicitly not. */
export function isListed(creator: Pick<PublicCreator, 'is_visible'>): boolean {
  return creator.is_visible !== false;
}
export function isFeatured(creator: Pick<PublicCreator, 'is_visible' | 'is_featured'>): boolean {
  return isListed(creator) && creator.is_featured !== false;
}
