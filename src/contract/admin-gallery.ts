import { type ImageInfo } from './media.js';
import { type Count, type Credits, type Instant, type Page } from './scalars.js';

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

export interface AdminGalleryCalls {
  get_gallery_admin: { request: { readonly p_creator_id: string }; response: AdminGallery };
  /** Replaces the list, unless another save came after `p_expected_version` (409, code 40001). */
  save_gallery_admin: {
    request: {
      readonly p_creator_id: string;
      readonly p_expected_version: Count;
      /** At most 1,000 ids. */
      readonly p_gallery_order: readonly string[];
    };
    response: AdminGallery;
  };
  /** The next three are the spec's calls. An item that is there already stays where it is. */
  add_to_creator_gallery_admin_by_jwt: { request: GalleryImage; response: { readonly success: true } };
  remove_from_creator_gallery_admin_by_jwt: { request: GalleryImage; response: { readonly success: true } };
  /** The new order must hold exactly the images of the gallery. */
  update_gallery_order_admin_by_jwt: {
    request: { readonly p_creator_id: string; readonly p_gallery_order: readonly string[] };
    response: { readonly success: true };
  };
  /** The images of a gallery in order; empty without one. */
  get_gallery_generations_admin_by_jwt: {
    request: { readonly p_creator_id: string };
    response: AdminGeneration[];
  };
  /**
   * A page of all images of a creator, the newest first; 12 by default. A whole id finds exactly that image, another
   * text a part of the prompt. Under three letters the newest 10,000 are searched.
   */
  list_creator_generations_admin: {
    request: Page & { readonly p_creator_id: string; readonly p_search?: string | null };
    response: AdminGenerationRow[];
  };
  get_generation_admin: { request: { readonly p_generation_id: string }; response: AdminGeneration };
}

interface GalleryImage {
  readonly p_creator_id: string;
  readonly p_generation_id: string;
}
