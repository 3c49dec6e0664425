import type { ImageInfo } from '../platform/media/wire.js';

/** A picture of a creator's curated gallery, as everybody may see it. */
export interface GalleryItem {
  readonly id: string;
  readonly status: 'completed';
  readonly prompt: string;
  readonly image_url: string;
  readonly image: ImageInfo;
  readonly creator_id: string;
  readonly created_at: string;
}
