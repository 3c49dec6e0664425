import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  AssignModelRequest,
  DrawTrialRequest,
  ModelReference,
  ModelTrialById,
} from '../../contract/calls/applications.js';
import { CreatorById } from '../../contract/calls/shared.js';
import { type Application, type ModelCheck, type ModelTrial } from '../../contract/applications.js';
import { type AdminCreator } from '../../contract/creators.js';
import { GetApplication, readModel } from '../../creators/index.js';
import { GetUser } from '../../identity/index.js';
import { Acting, type Actor } from '../../platform/acts/actor.js';
import { ADMIN_ACT, ADMIN_READ, CurrentUser, Rpc } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { CheckModel } from '../reads/check-model.js';
import { GetApplicantPictures, GetModelTrial } from '../reads/model-trials.js';
import { AssignTestedModel } from '../use-cases/assign-tested-model.js';
import { DrawModelTrial } from '../use-cases/draw-model-trial.js';

const modelIn = (request: ModelReference) => readModel(request.p_deployment_name, request.p_lora_id);

/** The admins' calls about applicants that show or draw pictures, and the model that they lead to. */
@Controller()
export class ModelTrialsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('get_application_admin', ADMIN_READ)
  async application(
    @CurrentUser() { userId: adminId }: Principal,
    @Body() { p_creator_id: creatorId }: CreatorById,
  ): Promise<Application> {
    const stored = await this.queries.execute(new GetApplication({ creatorId, adminId }));
    const { clerk_id: userId } = stored.creator;
    const [user, pictures] = await Promise.all([
      userId === null ? null : this.queries.execute(new GetUser({ userId })),
      this.queries.execute(new GetApplicantPictures({ creatorId, userId })),
    ]);
    return { ...stored, ...pictures, account_created_at: user?.firstSeenAt.toISOString() ?? null };
  }

  @Rpc('check_model_admin', ADMIN_READ)
  async check(@Body() request: ModelReference): Promise<ModelCheck> {
    return this.queries.execute(new CheckModel({ model: modelIn(request) }));
  }

  @Rpc('draw_model_trial_admin', ADMIN_ACT)
  async draw(@Acting() actor: Actor, @Body() request: DrawTrialRequest): Promise<ModelTrial> {
    const { p_creator_id: creatorId, p_prompt: prompt } = request;
    return this.commands.execute(new DrawModelTrial({ creatorId, actor, model: modelIn(request), prompt }));
  }

  @Rpc('get_model_trial_admin', ADMIN_READ)
  async trial(@Body() { p_trial_id: trialId }: ModelTrialById): Promise<ModelTrial> {
    return this.queries.execute(new GetModelTrial({ trialId }));
  }

  @Rpc('assign_creator_model_admin_by_jwt', ADMIN_ACT)
  async assign(@Acting() actor: Actor, @Body() request: AssignModelRequest): Promise<AdminCreator> {
    const { p_creator_id: creatorId, p_trial_id: trialId } = request;
    return this.commands.execute(new AssignTestedModel({ creatorId, actor, model: modelIn(request), trialId }));
  }
}
