import { IsBoolean, IsIn } from 'class-validator';
import { APPLICATION_TEXT_MAX_LENGTH } from '../applications.js';
import {
  type AdminCreator,
  type BlockedTerm,
  type ConsentRecord,
  type CreateCreatorResponse,
  type CreatorForGeneration,
  type CreatorForGenerationRequest,
  type CreatorInfoForSharing,
  type ModelDeletion,
  type OwnCreator,
  type PayoutDetails,
  TAX_STATUSES,
  type TaxStatus,
} from '../creators.js';
import { type Instant, type NoParameters, type Success } from '../scalars.js';
import { ID_LENGTH, IsId, IsText, Optional, RequiredLater } from './fields.js';
import { type AssignModelRequest } from './applications.js';
import { CreatorById, PageRequest } from './shared.js';

/** Longest text of a field in a request. The domain refuses shorter ones with a sentence of its own. */
const TEXT_LENGTH = 500;
/** Longest text of a form that the rules refuse in the words of the specification. */
const FORM_TEXT_LENGTH = 1_000;
const EMAIL_LENGTH = 320;
const TERMS_VERSION_LENGTH = 50;

/** A creator. An id that no creator can have finds none. */
export class AnyCreatorById {
  @IsText(ID_LENGTH)
  p_creator_id!: string;
}

export class TermsAcceptanceRequest {
  @IsText(TERMS_VERSION_LENGTH)
  p_terms_version!: string;
}

export class CreateCreatorRequest {
  /** Must be the caller's verified address. */
  @RequiredLater(IsText(EMAIL_LENGTH))
  p_email!: string | undefined;

  @RequiredLater(IsText(FORM_TEXT_LENGTH))
  p_name!: string | undefined;

  /** Starts with @. */
  @RequiredLater(IsText(FORM_TEXT_LENGTH))
  p_instagram!: string | undefined;

  /** Must be true: the caller accepts the present version of the creator terms. */
  @RequiredLater(IsBoolean())
  p_terms_agreed!: boolean | undefined;
}

export class TermsLogRequest {
  @RequiredLater(IsText(ID_LENGTH))
  user_id!: string | undefined;

  @RequiredLater(IsText(EMAIL_LENGTH))
  email!: string | undefined;

  /** Not used: the record has the server's time. @format date-time */
  @RequiredLater(IsText(100))
  accepted_at!: Instant | undefined;

  /** Default: the request's header. Cut to 1000 characters. */
  @Optional(IsText(10_000))
  user_agent?: string;

  @RequiredLater(IsText(TERMS_VERSION_LENGTH))
  terms_version!: string | undefined;

  @RequiredLater(IsText(FORM_TEXT_LENGTH))
  terms_url!: string | undefined;

  @RequiredLater(IsText(FORM_TEXT_LENGTH))
  method_of_acceptance!: string | undefined;

  @RequiredLater(IsText(FORM_TEXT_LENGTH))
  accepted_text_snapshot!: string | undefined;
}

export class CreatorVisibilityRequest extends CreatorById {
  @IsBoolean()
  p_is_visible!: boolean;
}

export class FeatureCreatorRequest extends CreatorById {
  @IsBoolean()
  p_is_featured!: boolean;
}

/** How an admin verified an applicant. Each field is 1 to 500 characters. */
export class ApproveCreatorRequest extends CreatorById {
  @RequiredLater(IsText(APPLICATION_TEXT_MAX_LENGTH))
  p_identity_verified!: string | undefined;

  @RequiredLater(IsText(APPLICATION_TEXT_MAX_LENGTH))
  p_age_verified!: string | undefined;

  @RequiredLater(IsText(APPLICATION_TEXT_MAX_LENGTH))
  p_instagram_verified!: string | undefined;
}

export class RejectCreatorRequest extends CreatorById {
  @RequiredLater(IsText(APPLICATION_TEXT_MAX_LENGTH))
  p_reason!: string | undefined;
}

export class WithdrawConsentRequest {
  @IsText(TEXT_LENGTH)
  p_confirmation!: string;
}

export class PauseRequest {
  @IsBoolean()
  p_paused!: boolean;
}

export class ModelDeletionsRequest extends PageRequest {
  /** Default false: the open tasks. */
  @Optional(IsBoolean())
  p_ended?: boolean;
}

export class AddTermRequest {
  @IsText(TEXT_LENGTH)
  p_term!: string;
}

export class RemoveTermRequest {
  @IsId()
  p_term_id!: string;
}

export class PayoutDetailsRequest {
  @IsText(TEXT_LENGTH)
  p_legal_name!: string;

  @IsText(TEXT_LENGTH)
  p_country!: string;

  /** IBAN, or an account number with its bank code. */
  @IsText(TEXT_LENGTH)
  p_account!: string;

  @IsIn(TAX_STATUSES)
  p_tax_status!: TaxStatus;
}

export interface CreatorCalls {
  /** Null when there is no such creator, or it is not approved. */
  get_creator_info_for_sharing: { request: AnyCreatorById; response: CreatorInfoForSharing | null };
  /** One row; none when nothing can be generated with this creator. */
  get_creator_for_generation_request_by_jwt: { request: AnyCreatorById; response: CreatorForGenerationRequest[] };
  /** Null when there is no such creator, or it is not approved. */
  get_creator_info_for_generation_by_jwt: { request: AnyCreatorById; response: CreatorForGeneration | null };
  /** Whether the caller has accepted this version of the creator terms. */
  get_terms_acceptance_status_by_jwt: { request: TermsAcceptanceRequest; response: boolean };
  /** The caller's own record: one row, or none. */
  get_creator_by_jwt: { request: NoParameters; response: OwnCreator[] };
  /** Applies as a creator and accepts the terms, in one step. */
  create_creator_by_jwt: { request: CreateCreatorRequest; response: CreateCreatorResponse };
  /** Approved creators that are not archived, oldest first. */
  get_all_creators_admin_by_jwt: { request: NoParameters; response: AdminCreator[] };
  /** All creators: applicants, rejected and archived ones as well, oldest first. */
  get_all_creators_including_archived_admin_by_jwt: { request: NoParameters; response: AdminCreator[] };
  /** Archives a creator, or shows it again. Returns the new visibility. */
  toggle_creator_visibility: { request: CreatorVisibilityRequest; response: boolean };
  /** Returns the new value. */
  toggle_creator_featured: { request: FeatureCreatorRequest; response: boolean };
  /** Approves an application, with how the applicant was verified. */
  approve_creator_admin_by_jwt: { request: ApproveCreatorRequest; response: AdminCreator };
  /** Rejects an application with a reason that the applicant reads. */
  reject_creator_admin_by_jwt: { request: RejectCreatorRequest; response: AdminCreator };
  /** Assigns the model: exactly one of the two. `p_trial_id`: a finished trial picture of this model and creator. */
  assign_creator_model_admin_by_jwt: { request: AssignModelRequest; response: AdminCreator };
  /** The caller's acts of consent, the latest first. */
  get_own_consent_by_jwt: { request: NoParameters; response: ConsentRecord[] };
  /** Withdraws the consent. `p_confirmation` must be the creator's name. Repeating it changes nothing. */
  withdraw_consent_by_jwt: {
    request: WithdrawConsentRequest;
    response: { readonly success: true; readonly withdrawn_at: Instant };
  };
  /** Pauses new images, or allows them again. */
  set_creator_paused_by_jwt: {
    request: PauseRequest;
    response: { readonly success: true; readonly paused_at: Instant | null };
  };
  /** Tasks to delete the models of creators who withdrew; open ones by default. */
  get_model_deletions: { request: ModelDeletionsRequest; response: ModelDeletion[] };
  /** Records that an admin has deleted the model of a withdrawn creator at the image provider. */
  record_model_deletion: { request: AnyCreatorById; response: Success };
  get_own_blocked_terms_by_jwt: { request: NoParameters; response: BlockedTerm[] };
  add_own_blocked_term_by_jwt: { request: AddTermRequest; response: BlockedTerm };
  remove_own_blocked_term_by_jwt: { request: RemoveTermRequest; response: Success };
  /** One row, or none before the first details. */
  get_own_payout_details_by_jwt: { request: NoParameters; response: PayoutDetails[] };
  /** Replaces the details. Payouts are held for 7 days after a change. */
  save_own_payout_details_by_jwt: { request: PayoutDetailsRequest; response: PayoutDetails };
}

export interface CreatorFunctions {
  /** Records an acceptance of the terms. For a withdrawn creator it gives the consent again. */
  'log-terms-acceptance': { request: TermsLogRequest; response: { readonly success: true; readonly id: string } };
}
