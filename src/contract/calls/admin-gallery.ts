import { ArrayMaxSize, IsArray } from 'class-validator';
import {
  type AdminGallery,
  type AdminGeneration,
  type AdminGenerationRow,
  GALLERY_MAX_SIZE,
} from '../admin-gallery.js';
import { type Count, type Success } from '../scalars.js';
import { IsId, IsText, IsWhole, Optional } from './fields.js';
import { CreatorById, GenerationByUuid, PageRequest } from './shared.js';

/** Longest text of a search. The prompts themselves are shorter. */
const SEARCH_LENGTH = 5_000;

export class GalleryOrderRequest extends CreatorById {
  /** At most 1,000 ids. */
  @IsArray()
  @ArrayMaxSize(GALLERY_MAX_SIZE)
  @IsId({ each: true })
  p_gallery_order!: readonly string[];
}

export class SaveGalleryRequest extends GalleryOrderRequest {
  /** 0 when nothing was saved yet. */
  @IsWhole(0, 2_000_000_000)
  p_expected_version!: Count;
}

export class GalleryImage extends CreatorById {
  @IsId()
  p_generation_id!: string;
}

export class CreatorGenerationsRequest extends PageRequest {
  @IsId()
  p_creator_id!: string;

  /** A whole id, or a part of the prompt. */
  @Optional(IsText(SEARCH_LENGTH))
  p_search?: string | null;
}

export interface AdminGalleryCalls {
  get_gallery_admin: { request: CreatorById; response: AdminGallery };
  /** Replaces the list, unless another save came after `p_expected_version` (409, code 40001). */
  save_gallery_admin: { request: SaveGalleryRequest; response: AdminGallery };
  /** The next three are the spec's calls. An item that is there already stays where it is. */
  add_to_creator_gallery_admin_by_jwt: { request: GalleryImage; response: Success };
  remove_from_creator_gallery_admin_by_jwt: { request: GalleryImage; response: Success };
  /** The new order must hold exactly the images of the gallery. */
  update_gallery_order_admin_by_jwt: { request: GalleryOrderRequest; response: Success };
  /** The images of a gallery in order; empty without one. */
  get_gallery_generations_admin_by_jwt: { request: CreatorById; response: AdminGeneration[] };
  /**
   * A page of all images of a creator, the newest first; 12 by default. A whole id finds exactly that image, another
   * text a part of the prompt. Under three letters the newest 10,000 are searched.
   */
  list_creator_generations_admin: { request: CreatorGenerationsRequest; response: AdminGenerationRow[] };
  get_generation_admin: { request: GenerationByUuid; response: AdminGeneration };
}
