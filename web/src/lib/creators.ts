import { queryOptions } from '@tanstack/react-query';
import type { GalleryItem, PublicCreator } from '../../../src/gallery/wire.js';
import { rpc } from './api.js';

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

/** The curated gallery of a creator, in the creator's order. */
export function creatorGallery(creatorId: string) {
  return queryOptions({
    queryKey: ['gallery', creatorId],
    queryFn: ({ signal }) =>
      rpc<GalleryItem[]>('get_gallery_generations_public', { p_creator_id: creatorId }, { signal, auth: false }),
    staleTime: 60_000,
  });
}

/** A public list that lacks `is_visible` means active; featured unless explicitly not. */
export function isListed(creator: Pick<PublicCreator, 'is_visible'>): boolean {
  return creator.is_visible !== false;
}
export function isFeatured(creator: Pick<PublicCreator, 'is_visible' | 'is_featured'>): boolean {
  return isListed(creator) && creator.is_featured !== false;
}
