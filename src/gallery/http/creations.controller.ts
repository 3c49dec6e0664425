import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { HideGenerationRequest } from '../../contract/calls/gallery.js';
import { GenerationByUuid } from '../../contract/calls/shared.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type DeleteGenerationResponse, type HideGenerationResponse } from '../../contract/generation.js';
import { type Principal } from '../../platform/principal.js';
import { CurrentUser, Rpc, signedIn } from '../../platform/http/routes.js';
import { DeleteCreation } from '../use-cases/delete-creation.js';
import { HideCreation } from '../use-cases/hide-creation.js';

/** Calls of owners who take images away from the public. */
@Controller()
export class CreationsController {
  constructor(private readonly commands: CommandBus) {}

  @Rpc('hide_generation_by_jwt', signedIn('hide an image', RATE_LIMITS.standardApi))
  async hide(
    @CurrentUser() { userId }: Principal,
    @Body() request: HideGenerationRequest,
  ): Promise<HideGenerationResponse> {
    const { p_generation_id: generationId, p_hidden: hidden = true } = request;
    const image = await this.commands.execute(new HideCreation({ userId, generationId, hidden }));
    return { success: true, generation_id: generationId, hidden, image };
  }

  @Rpc('delete_generation_by_jwt', signedIn('delete an image', RATE_LIMITS.standardApi))
  async delete(
    @CurrentUser() { userId }: Principal,
    @Body() request: GenerationByUuid,
  ): Promise<DeleteGenerationResponse> {
    const { p_generation_id: generationId } = request;
    await this.commands.execute(new DeleteCreation({ userId, generationId }));
    return { success: true, generation_id: generationId };
  }
}
