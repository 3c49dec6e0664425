import { type DeleteGenerationResponse, type HideGenerationResponse } from './generation.js';
import type { ImageInfo } from './media.js';
import { type Count, type Credits, type Instant, type NoParameters, type Page } from './scalars.js';

/** A picture of a creator's curated gallery, as the public sees it. */
export interface GalleryItem {
  readonly id: string;
  readonly status: 'completed';
  readonly prompt: string;
  readonly image_url: string;
  readonly image: ImageInfo;
  readonly creator_id: string;
  readonly created_at: Instant;
  /** Number of pictures in the whole gallery. */
  readonly total_count: Count;
}

/** A picture of a gallery whose prompt contains the searched text. */
export interface FoundPicture extends Omit<GalleryItem, 'total_count'> {
  readonly creator_name: string;
  readonly creator_username: string;
}

/** A creator as the public sees them. */
export interface PublicCreator {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly bio: string;
  readonly profile_image: string | null;
  readonly profile: ImageInfo | null;
  readonly instagram: string | null;
  readonly twitter: string | null;
  readonly onlyfans: string | null;
  readonly is_visible: boolean;
  readonly is_featured: boolean;
  readonly creator_status: string;
  readonly created_at: Instant;
  /** A few words on what they make. */
  readonly style: string | null;
  /** The first three pictures of the gallery. */
  readonly works: readonly ImageInfo[];
  /** True while the creator pauses new images. */
  readonly paused: boolean;
  /** True once the creator has left. Lists leave them out; their page says it, without anything but the name. */
  readonly withdrawn: boolean;
  /** False while there is no model, and when the creator is archived or pauses. */
  readonly can_generate: boolean;
  /** Credits of one image. */
  readonly credit_cost: Credits;
}

/** An image in the caller's style, as the creator's controls list it. Fans stay anonymous. */
export interface OwnStyleImage {
  readonly generation_id: string;
  readonly prompt: string;
  /** Null while a take-down request is open, and after a withdrawal: only its owner and admins see it. */
  readonly image: ImageInfo | null;
  readonly created_at: Instant;
  readonly in_gallery: boolean;
  /** When the creator took it out of the gallery; null when they did not. */
  readonly hidden_by_creator_at: Instant | null;
  readonly take_down: TakeDownState | null;
  readonly total_count: Count;
}

export interface TakeDownState {
  readonly request_id: string;
  readonly requested_at: Instant;
  /** 48 hours after the request. */
  readonly due_at: Instant;
  readonly reason: string;
  /** Null while it is open. `taken_back`: by the creator. */
  readonly decision: 'removed' | 'hidden' | 'kept' | 'taken_back' | null;
  readonly decided_at: Instant | null;
}

export interface GalleryCalls {
  /** A page of the delivered images in the caller's style, newest first. Without those that their owners hide. */
  get_images_of_own_style_by_jwt: {
    request: Page & { readonly p_only?: 'gallery' | 'take_downs' };
    response: OwnStyleImage[];
  };
  /** Takes an image out of the caller's gallery, or puts it back where it was. */
  hide_from_own_gallery_by_jwt: {
    request: { readonly p_generation_id: string; readonly p_hidden: boolean };
    response: { readonly success: true };
  };
  /** Asks the admins to remove an image in the caller's style. At once only its owner and admins see it. */
  request_take_down_by_jwt: {
    /** 1 to 500 characters. */
    request: { readonly p_generation_id: string; readonly p_reason: string };
    response: TakeDownState;
  };
  /** Ends an open request of the caller; the image is shown as before. */
  take_back_take_down_by_jwt: { request: { readonly p_request_id: string }; response: TakeDownState };
  /** All approved, visible creators with their first works. */
  get_public_creators: { request: NoParameters; response: PublicCreator[] };
  /** Null when there is no such creator, or the public may not see them. A withdrawn creator has a name only. */
  get_public_creator_by_username: { request: { readonly p_username: string }; response: PublicCreator | null };
  /** The curated gallery of a creator, in its order; all of it unless `p_limit` is given. */
  get_gallery_generations_public: { request: GalleryPage; response: GalleryItem[] };
  /** The newest pictures of public galleries whose prompt contains a text, without case. At most six. */
  search_pictures_public: {
    /** 2 to 50 characters without the whitespace around them. `%`, `_` and backslashes are letters. */
    request: { readonly p_text: string };
    response: FoundPicture[];
  };
  /** Hides an image of the caller from all others, or shows it again. */
  hide_generation_by_jwt: {
    request: {
      readonly p_generation_id: string;
      /** Default true; false shows it again. */
      readonly p_hidden?: boolean;
    };
    response: HideGenerationResponse;
  };
  /** Deletes an image of the caller permanently. */
  delete_generation_by_jwt: { request: { readonly p_generation_id: string }; response: DeleteGenerationResponse };
}

export interface GalleryPage extends Page {
  readonly p_creator_id: string;
}
