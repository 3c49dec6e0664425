import {
  type DeleteGenerationResponse,
  type HideGenerationResponse,
  type ReportResolution,
  type ResolveReportResponse,
} from './generation.js';
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
  /** False while there is no model, and when the creator is archived. */
  readonly can_generate: boolean;
  /** Credits of one image. */
  readonly credit_cost: Credits;
}

export interface GalleryCalls {
  /** All approved, visible creators with their first works. */
  get_public_creators: { request: NoParameters; response: PublicCreator[] };
  /** Null when there is no such creator, or the public may not see them. */
  get_public_creator_by_username: { request: { readonly p_username: string }; response: PublicCreator | null };
  /** The curated gallery of a creator, in its order; all of it unless `p_limit` is given. */
  get_gallery_generations_public: { request: GalleryPage; response: GalleryItem[] };
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
  /** Resolves the open reports of an image. */
  resolve_generation_report: {
    request: { readonly p_report_id: string; readonly p_resolution: ReportResolution };
    response: ResolveReportResponse;
  };
}

export interface GalleryPage extends Page {
  readonly p_creator_id: string;
}
