import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsString, Length } from 'class-validator';
import {
  type FoundPicture,
  type GalleryItem,
  type OwnStyleImage,
  type PublicCreator,
  type TakeDownState,
} from '../gallery.js';
import { type DeleteGenerationResponse, type HideGenerationResponse } from '../generation.js';
import { SEARCH_LENGTH } from '../limits.js';
import { type NoParameters, type Success } from '../scalars.js';
import { IsId, IsText, LONG_TEXT_LENGTH, Optional } from './fields.js';
import { GenerationByUuid, PageRequest } from './shared.js';

const trim = ({ value }: { readonly value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

export class OwnStyleRequest extends PageRequest {
  @Optional(IsIn(['gallery', 'take_downs']))
  p_only?: 'gallery' | 'take_downs';
}

export class HideFromGalleryRequest extends GenerationByUuid {
  @IsBoolean()
  p_hidden!: boolean;
}

export class AskTakeDownRequest extends GenerationByUuid {
  /** 1 to 500 characters. */
  @IsText(LONG_TEXT_LENGTH)
  p_reason!: string;
}

export class TakeBackRequest {
  @IsId()
  p_request_id!: string;
}

export class CreatorByUsername {
  @IsText(100)
  p_username!: string;
}

/** Without a limit, the whole gallery. */
export class GalleryPage extends PageRequest {
  @IsId()
  p_creator_id!: string;
}

export class PictureSearchRequest {
  /** 2 to 50 characters without the whitespace around them. `%`, `_` and backslashes are letters. */
  @Transform(trim)
  @IsString()
  @Length(SEARCH_LENGTH.min, SEARCH_LENGTH.max)
  p_text!: string;
}

export class HideGenerationRequest extends GenerationByUuid {
  /** Default true; false shows it again. */
  @Optional(IsBoolean())
  p_hidden?: boolean;
}

export interface GalleryCalls {
  /** A page of the delivered images in the caller's style, newest first. Without those that their owners hide. */
  get_images_of_own_style_by_jwt: { request: OwnStyleRequest; response: OwnStyleImage[] };
  /** Takes an image out of the caller's gallery, or puts it back where it was. */
  hide_from_own_gallery_by_jwt: { request: HideFromGalleryRequest; response: Success };
  /** Asks the admins to remove an image in the caller's style. At once only its owner and admins see it. */
  request_take_down_by_jwt: { request: AskTakeDownRequest; response: TakeDownState };
  /** Ends an open request of the caller; the image is shown as before. */
  take_back_take_down_by_jwt: { request: TakeBackRequest; response: TakeDownState };
  /** All approved, visible creators with their first works. */
  get_public_creators: { request: NoParameters; response: PublicCreator[] };
  /** Null when there is no such creator, or the public may not see them. A withdrawn creator has a name only. */
  get_public_creator_by_username: { request: CreatorByUsername; response: PublicCreator | null };
  /** The curated gallery of a creator, in its order; all of it unless `p_limit` is given. */
  get_gallery_generations_public: { request: GalleryPage; response: GalleryItem[] };
  /** The newest pictures of public galleries whose prompt contains a text, without case. At most six. */
  search_pictures_public: { request: PictureSearchRequest; response: FoundPicture[] };
  /** Hides an image of the caller from all others, or shows it again. */
  hide_generation_by_jwt: { request: HideGenerationRequest; response: HideGenerationResponse };
  /** Deletes an image of the caller permanently. */
  delete_generation_by_jwt: { request: GenerationByUuid; response: DeleteGenerationResponse };
}
