import type { AspectRatio } from '../../../../src/contract/aspect-ratios.js';
import type { GalleryItem, PublicCreator } from '../../../../src/contract/gallery.js';
import type { GenerationView } from '../../../../src/contract/generation.js';

/** A picture of a gallery as the server shows it to a stranger: it needs no call. */
export function toListedView(item: GalleryItem, creator: PublicCreator): GenerationView {
  const { id, status, prompt, image_url, image, creator_id, created_at } = item;
  return {
    id,
    status,
    prompt,
    image_url,
    image,
    creator_id,
    created_at,
    prediction_id: null,
    aspect_ratio: shapeOf(image.width / image.height),
    creator_username: creator.username,
    creator_name: creator.name,
    creator_is_visible: creator.is_visible,
    creator_status: creator.creator_status,
    updated_at: created_at,
    error_message: null,
    refunded: false,
    credits_closed: true,
    refund_reason: null,
    refunded_at: null,
    credit_cost: creator.credit_cost,
    is_owner: false,
    hidden: false,
    moderation: null,
    cancelled: false,
    cancellable_at: null,
    phase: null,
    drawing_at: null,
    finishing_at: null,
    completed_at: null,
  };
}

function shapeOf(ratio: number): AspectRatio {
  if (ratio > 1.1) return 'landscape';
  return ratio < 0.9 ? 'portrait' : 'square';
}
