import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AnyCreatorById, ModelDeletionsRequest } from '../../contract/calls/creators.js';
import { type ModelDeletion } from '../../contract/creators.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type Success } from '../../contract/scalars.js';
import { Acting, type Actor } from '../../platform/acts/actor.js';
import { Rpc } from '../../platform/http/routes.js';
import { ListModelDeletions } from '../reads/list-model-deletions.js';
import { RecordModelDeletion } from '../use-cases/record-model-deletion.js';

/** Admins' tasks to delete the models of creators who withdrew. */
@Controller()
export class ModelDeletionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('get_model_deletions', { access: 'admin', limit: RATE_LIMITS.dataFetch })
  async list(@Body() request: ModelDeletionsRequest): Promise<ModelDeletion[]> {
    return this.queries.execute(
      new ListModelDeletions({
        ended: request.p_ended ?? false,
        limit: request.p_limit ?? PAGE_SIZES.moderation,
        offset: request.p_offset ?? 0,
      }),
    );
  }

  @Rpc('record_model_deletion', { access: 'admin', freshRoles: true, limit: RATE_LIMITS.standardApi })
  async record(@Acting() actor: Actor, @Body() request: AnyCreatorById): Promise<Success> {
    await this.commands.execute(new RecordModelDeletion({ actor, creatorId: request.p_creator_id }));
    return { success: true };
  }
}
