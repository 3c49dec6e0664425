import { Body, Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Transform } from 'class-transformer';
import { IsString, IsUUID, Length, MaxLength } from 'class-validator';
import { type RpcRequest } from '../../contract/calls.js';
import { SEARCH_LENGTH } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type FoundPicture, type GalleryItem, type PublicCreator } from '../../contract/gallery.js';
import { PageRequest } from '../../contract/calls/shared.js';
import { Rpc } from '../../platform/http/routes.js';
import { ListGallery } from '../reads/list-gallery.js';
import { GetPublicCreator, ListPublicCreators } from '../reads/public-creators.js';
import { SearchPictures } from '../reads/search-pictures.js';

class CreatorByUsernameRequest implements RpcRequest<'get_public_creator_by_username'> {
  @IsString()
  @MaxLength(100)
  p_username!: string;
}

/** Without a limit, the whole gallery. */
class GalleryRequest extends PageRequest implements RpcRequest<'get_gallery_generations_public'> {
  @IsUUID()
  p_creator_id!: string;
}

class PictureSearchRequest implements RpcRequest<'search_pictures_public'> {
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  @Length(SEARCH_LENGTH.min, SEARCH_LENGTH.max)
  p_text!: string;
}

/** Public reads: creators with their first works, the curated galleries, and a search of their prompts. */
@Controller()
export class GalleryController {
  constructor(private readonly queries: QueryBus) {}

  @Rpc('get_public_creators', { access: 'public', limit: RATE_LIMITS.publicData })
  async publicCreators(): Promise<PublicCreator[]> {
    return this.queries.execute(new ListPublicCreators());
  }

  @Rpc('get_public_creator_by_username', { access: 'public', limit: RATE_LIMITS.publicData })
  async publicCreator(@Body() request: CreatorByUsernameRequest): Promise<PublicCreator | null> {
    return this.queries.execute(new GetPublicCreator({ username: request.p_username }));
  }

  @Rpc('get_gallery_generations_public', { access: 'public', limit: RATE_LIMITS.publicGallery })
  async gallery(@Body() request: GalleryRequest): Promise<GalleryItem[]> {
    const { p_creator_id: creatorId, p_limit: limit, p_offset: offset } = request;
    return this.queries.execute(new ListGallery({ creatorId, limit, offset }));
  }

  @Rpc('search_pictures_public', { access: 'public', limit: RATE_LIMITS.pictureSearch })
  async search(@Body() request: PictureSearchRequest): Promise<FoundPicture[]> {
    return this.queries.execute(new SearchPictures({ text: request.p_text }));
  }
}
