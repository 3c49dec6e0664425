import type { ImageInfo } from './media.js';

/** A picture of a creator's curated gallery, as everybody may see it. */
export interface GalleryItem {
  readonly id: string;
  readonly status: 'completed';
  readonly prompt: string;
  readonly image_url: string;
  readonly image: ImageInfo;
  readonly creator_id: string;
  readonly created_at: string;
  /** How many the gallery has, whatever part of it was asked for. */
  readonly total_count: number;
}

/** A creator as everybody may see one. */
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
  readonly created_at: string;
  /** A few words on what they make. */
  readonly style: string | null;
  /** The first three pictures of the gallery. */
  readonly works: readonly ImageInfo[];
  /** False when there is no model yet, or the creator is archived: nobody can generate then. */
  readonly can_generate: boolean;
}
