import { type AdminGeneration } from '../contract/admin-gallery.js';
import { type AdminImage } from '../generation/index.js';

/** Where an image is: in the gallery, or kept out of it by its creator. */
export interface GalleryPlace {
  readonly inGallery: boolean;
  readonly setAside: boolean;
}

/** An image as admins see it, with its place in the gallery. */
export function toAdminGeneration(image: AdminImage, { inGallery, setAside }: GalleryPlace): AdminGeneration {
  return {
    id: image.id,
    prompt: image.prompt,
    image_url: image.image?.url ?? null,
    image: image.image,
    status: image.status,
    created_at: image.createdAt.toISOString(),
    updated_at: image.updatedAt.toISOString(),
    credit_cost: image.cost,
    refunded: image.refunded,
    refund_reason: image.refundReason,
    refunded_at: image.refundedAt?.toISOString() ?? null,
    error_message: image.errorMessage,
    creator_id: image.creatorId,
    user_id: image.userId,
    in_gallery: inGallery,
    not_addable: image.concealed ?? (setAside ? 'set_aside' : null),
  };
}

/** Whether a gallery of this creator can show the image. The creator may still keep it out. */
export function isAddable(image: AdminImage | undefined, creatorId: string): image is AdminImage {
  return image?.creatorId === creatorId && image.concealed === null;
}
