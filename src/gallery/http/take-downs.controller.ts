import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  AskTakeDownRequest,
  HideFromGalleryRequest,
  OwnStyleRequest,
  TakeBackRequest,
} from '../../contract/calls/gallery.js';
import { type OwnStyleImage, type TakeDownState } from '../../contract/gallery.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type Success } from '../../contract/scalars.js';
import { CurrentUser, Rpc, signedIn } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { ListOwnStyle } from '../reads/list-own-style.js';
import { HideFromOwnGallery } from '../use-cases/hide-from-own-gallery.js';
import { RequestTakeDown } from '../use-cases/request-take-down.js';
import { TakeBackTakeDown } from '../use-cases/take-back-take-down.js';

/** Creators keep images in their style out of the gallery and ask for take-downs. */
@Controller()
export class TakeDownsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('get_images_of_own_style_by_jwt', signedIn('read the images in your style', RATE_LIMITS.creatorData))
  async ownStyle(@CurrentUser() { userId }: Principal, @Body() request: OwnStyleRequest): Promise<OwnStyleImage[]> {
    const { p_only: only, p_limit: limit = PAGE_SIZES.generations, p_offset: offset = 0 } = request;
    return this.queries.execute(new ListOwnStyle({ userId, only, limit, offset }));
  }

  @Rpc('hide_from_own_gallery_by_jwt', signedIn('change your gallery', RATE_LIMITS.standardApi))
  async hide(@CurrentUser() { userId }: Principal, @Body() request: HideFromGalleryRequest): Promise<Success> {
    const { p_generation_id: generationId, p_hidden: hidden } = request;
    await this.commands.execute(new HideFromOwnGallery({ userId, generationId, hidden }));
    return { success: true };
  }

  @Rpc('request_take_down_by_jwt', signedIn('ask for a take-down', RATE_LIMITS.standardApi))
  async request(@CurrentUser() { userId }: Principal, @Body() request: AskTakeDownRequest): Promise<TakeDownState> {
    const { p_generation_id: generationId, p_reason: reason } = request;
    return this.commands.execute(new RequestTakeDown({ userId, generationId, reason }));
  }

  @Rpc('take_back_take_down_by_jwt', signedIn('take a request back', RATE_LIMITS.standardApi))
  async takeBack(@CurrentUser() { userId }: Principal, @Body() request: TakeBackRequest): Promise<TakeDownState> {
    return this.commands.execute(new TakeBackTakeDown({ userId, requestId: request.p_request_id }));
  }
}
