import { IsIn, IsString } from 'class-validator';
import {
  type AdminCreatorRow,
  type ApplicantQuestion,
  type Application,
  APPLICATION_STATES,
  APPLICATION_TEXT_MAX_LENGTH,
  MODEL_NAME_MAX_LENGTH,
  type ApplicationRow,
  type ApplicationState,
  CREATOR_SORTS,
  type CreatorSort,
  type ModelCheck,
  type ModelTrial,
  type PlatformRevenue,
  type RevenueCreatorRow,
} from '../applications.js';
import { type AdminCreator } from '../creators.js';
import { type NoParameters } from '../scalars.js';
import { IsId, IsText, Optional } from './fields.js';
import { CreatorById, PageRequest } from './shared.js';

export class ApplicationsRequest extends PageRequest {
  @IsIn(APPLICATION_STATES)
  p_state!: ApplicationState;

  @Optional(IsText(100))
  p_search?: string | null;
}

export class AskApplicantRequest extends CreatorById {
  @IsText(APPLICATION_TEXT_MAX_LENGTH)
  p_question!: string;
}

export class AnswerQuestionRequest {
  @IsId()
  p_question_id!: string;

  @IsText(APPLICATION_TEXT_MAX_LENGTH)
  p_answer!: string;
}

/** A model at the image provider: exactly one of the two. */
export class ModelReference {
  @Optional(IsText(MODEL_NAME_MAX_LENGTH))
  p_deployment_name?: string | null;

  @Optional(IsText(MODEL_NAME_MAX_LENGTH))
  p_lora_id?: string | null;
}

export class DrawTrialRequest extends ModelReference {
  @IsId()
  p_creator_id!: string;

  /** Any length; it is cut. */
  @IsString()
  p_prompt!: string;
}

export class ModelTrialById {
  @IsId()
  p_trial_id!: string;
}

export class AssignModelRequest extends ModelReference {
  @IsId()
  p_creator_id!: string;

  @IsId()
  p_trial_id!: string;
}

export class CreatorsRequest extends PageRequest {
  @IsIn(['active', 'archived'])
  p_state!: 'active' | 'archived';

  @Optional(IsText(200))
  p_search?: string | null;

  @Optional(IsText(100))
  p_username?: string | null;

  /** Id of a creator. */
  @Optional(IsId())
  p_after?: string | null;
}

export class RevenueCreatorsRequest extends PageRequest {
  @Optional(IsIn(CREATOR_SORTS))
  p_sort?: CreatorSort;
}

export interface ApplicationCalls {
  /** A page of applications: open ones oldest first, decided ones latest first. 50 by default. */
  list_applications_admin: { request: ApplicationsRequest; response: ApplicationRow[] };
  get_application_admin: { request: CreatorById; response: Application };
  /** Asks the applicant for more. The application stays open. */
  ask_applicant_admin: { request: AskApplicantRequest; response: ApplicantQuestion };
  /** The questions to the caller about their application, the latest first. */
  get_own_questions_by_jwt: { request: NoParameters; response: ApplicantQuestion[] };
  answer_own_question_by_jwt: { request: AnswerQuestionRequest; response: ApplicantQuestion };
  /** Looks a model up at the image provider. */
  check_model_admin: { request: ModelReference; response: ModelCheck };
  /** Draws a trial picture with a model. */
  draw_model_trial_admin: { request: DrawTrialRequest; response: ModelTrial };
  get_model_trial_admin: { request: ModelTrialById; response: ModelTrial };
  /** A page of creators, oldest first; 24 by default. With a name: exactly this one. `p_after`: those after it. */
  list_creators_admin: { request: CreatorsRequest; response: AdminCreatorRow[] };
  /** A page of active creators in an order; 24 by default. */
  list_revenue_creators_admin: { request: RevenueCreatorsRequest; response: RevenueCreatorRow[] };
  get_platform_revenue_admin: { request: NoParameters; response: PlatformRevenue };
  /** An active creator for the admins' view of their dashboard. The look is logged. */
  view_creator_admin: { request: CreatorById; response: AdminCreator };
}
