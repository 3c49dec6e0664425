import { type AdminGeneration } from '../contract/admin-gallery.js';
import { type AdminImage } from '../generation/index.js';

/** Where an image is: in the gallery, or kept out of it by its creator. */
export interface GalleryPlace {
  readonly inGallery: boolean;
  readonly setAside: boolean;
}

/** An image as admins see it, with its place in the gallery. */
export function toAdminGeneration(
  { concealed, ...image }: AdminImage,
  { inGallery, setAside }: GalleryPlace,
): AdminGeneration {
  return { ...image, in_gallery: inGallery, not_addable: concealed ?? (setAside ? 'set_aside' : null) };
}

/** Whether a gallery of this creator can show the image. The creator may still keep it out. */
export function isAddable(image: AdminImage | undefined, creatorId: string): image is AdminImage {
  return image?.creator_id === creatorId && image.concealed === null;
}
