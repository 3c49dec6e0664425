import type { ImageInfo } from './media.js';
import { type Count, type Credits, type Instant } from './scalars.js';

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
