import type { PublicCreator } from '../../../../src/contract/gallery.js';

/** A creator is listed unless `is_visible` says no; older public lists lack the field. */
export function isListed(creator: Pick<PublicCreator, 'is_visible'>): boolean {
  return creator.is_visible !== false;
}

/** A listed creator is featured unless `is_featured` says no. */
export function isFeatured(creator: Pick<PublicCreator, 'is_visible' | 'is_featured'>): boolean {
  return isListed(creator) && creator.is_featured !== false;
}
