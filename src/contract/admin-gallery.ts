import { type ImageInfo } from './media.js';
import { type Count, type Credits, type Instant } from './scalars.js';

/** Calls of admins about galleries and the images of a creator. */

/** Most images in a gallery. */
export const GALLERY_MAX_SIZE = 1_000;

/** Generations on a page of the gallery screen (creator spec, section 9). */
export const ADMIN_GENERATIONS_PAGE_SIZE = 12;

/** An image as admins see it (creator spec, section 3). */
export interface AdminGeneration {
  readonly id: string;
  readonly prompt: string;
  /** Null while there is none. */
  readonly image_url: string | null;
  readonly image: ImageInfo | null;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly created_at: Instant;
  readonly updated_at: Instant | null;
  readonly credit_cost: Credits | null;
  readonly refunded: boolean;
  readonly refund_reason: string | null;
  readonly refunded_at: Instant | null;
  readonly error_message: string | null;
  readonly creator_id: string;
  /** Its maker. */
  readonly user_id: string;
  readonly in_gallery: boolean;
  /** Why it cannot be added; null when it can. */
  readonly not_addable: 'no_image' | 'hidden' | 'set_aside' | 'taken_down' | null;
}

/** A row of `list_creator_generations_admin`. */
export interface AdminGenerationRow extends AdminGeneration {
  /**
   * At most 10,000. For a text that many of the newest images contain: those among the newest 10,000, and more as later
   * pages show them.
   */
  readonly total_count: Count;
}

/** `get_gallery_admin` */
export interface AdminGallery {
  readonly creator_id: string;
  /** 0 when nothing was saved yet. */
  readonly version: Count;
  readonly saved_at: Instant | null;
  /** The admin. Null when another user or the product changed it last, and in the answer to a save: the caller. */
  readonly saved_by: string | null;
  /** In the gallery's order. */
  readonly items: readonly AdminGeneration[];
}

/** Details (JSON) of the 409 of `save_gallery_admin`: the save that came first. */
export interface GalleryConflict {
  readonly version: Count;
  readonly saved_by: string | null;
  readonly saved_at: Instant | null;
}
