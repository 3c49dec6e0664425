import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PageRequest } from '../../../../../src/contract/calls/shared.js';
import { PAGE_SIZES } from '../../../../../src/contract/limits.js';
import type { GalleryItem } from '../../../../../src/contract/gallery.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';

/** How many pictures of a gallery one request asks for; a multiple of every number of columns. */
export const GALLERY_PAGE_SIZE = PAGE_SIZES.gallery;

/** Pictures of a creator's curated gallery, in the creator's order. */
function getGalleryGenerations(creatorId: string, page: PageRequest, options: RpcOptions = {}): Promise<GalleryItem[]> {
  return rpc('get_gallery_generations_public', { p_creator_id: creatorId, ...page }, { ...options, auth: false });
}

/** One page of a gallery, counted from 0. */
export function galleryPageQuery(creatorId: string, page: number) {
  return queryOptions({
    queryKey: ['gallery', creatorId, page],
    queryFn: ({ signal }) =>
      getGalleryGenerations(creatorId, { p_limit: GALLERY_PAGE_SIZE, p_offset: page * GALLERY_PAGE_SIZE }, { signal }),
    staleTime: 60_000,
  });
}

/** The whole gallery: the first page, which most often is all of it, then the rest. */
export function galleryQuery(creatorId: string) {
  return queryOptions({
    queryKey: ['gallery', creatorId],
    queryFn: async ({ client, signal }) => {
      // No retries here: this query retries itself.
      const first = await client.fetchQuery({ ...galleryPageQuery(creatorId, 0), retry: false });
      if (galleryTotal(first) <= GALLERY_PAGE_SIZE) return first;
      return [...first, ...(await getGalleryGenerations(creatorId, { p_offset: GALLERY_PAGE_SIZE }, { signal }))];
    },
    staleTime: 60_000,
  });
}

/** The whole gallery of a creator; idle without one. */
export function useGallery(creatorId: string | null) {
  return useQuery({ ...galleryQuery(creatorId ?? ''), enabled: creatorId !== null });
}

/** How many pictures the whole gallery has, given its first page. */
export function galleryTotal(first: readonly GalleryItem[]): number {
  const total = first[0]?.total_count ?? 0;
  return total > GALLERY_PAGE_SIZE ? total : first.length;
}
