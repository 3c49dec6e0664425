import { Body, Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { CreatorByUsername, GalleryPage, PictureSearchRequest } from '../../contract/calls/gallery.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type FoundPicture, type GalleryItem, type PublicCreator } from '../../contract/gallery.js';
import { Rpc } from '../../platform/http/routes.js';
import { ListGallery } from '../reads/list-gallery.js';
import { GetPublicCreator, ListPublicCreators } from '../reads/public-creators.js';
import { SearchPictures } from '../reads/search-pictures.js';

/** Public reads: creators with their first works, the curated galleries, and a search of their prompts. */
@Controller()
export class GalleryController {
  constructor(private readonly queries: QueryBus) {}

  @Rpc('get_public_creators', { access: 'public', limit: RATE_LIMITS.publicData })
  async publicCreators(): Promise<PublicCreator[]> {
    return this.queries.execute(new ListPublicCreators());
  }

  @Rpc('get_public_creator_by_username', { access: 'public', limit: RATE_LIMITS.publicData })
  async publicCreator(@Body() request: CreatorByUsername): Promise<PublicCreator | null> {
    return this.queries.execute(new GetPublicCreator({ username: request.p_username }));
  }

  @Rpc('get_gallery_generations_public', { access: 'public', limit: RATE_LIMITS.publicGallery })
  async gallery(@Body() request: GalleryPage): Promise<GalleryItem[]> {
    const { p_creator_id: creatorId, p_limit: limit, p_offset: offset } = request;
    return this.queries.execute(new ListGallery({ creatorId, limit, offset }));
  }

  @Rpc('search_pictures_public', { access: 'public', limit: RATE_LIMITS.pictureSearch })
  async search(@Body() request: PictureSearchRequest): Promise<FoundPicture[]> {
    return this.queries.execute(new SearchPictures({ text: request.p_text }));
  }
}
