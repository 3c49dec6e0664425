import { type ImageInfo } from './media.js';
import { type Count, type Instant, type NoParameters, type Page } from './scalars.js';

/** Calls about creators. Instants are ISO 8601. */

/** Longest name of a creator, in UTF-16 units. */
export const CREATOR_NAME_MAX_LENGTH = 100;

/** Longest Instagram handle, without the @: Instagram's own limit. */
export const INSTAGRAM_HANDLE_MAX_LENGTH = 30;

/** `get_creator_info_for_sharing` */
export interface CreatorInfoForSharing {
  readonly username: string;
  readonly name: string;
  readonly is_visible: boolean;
  readonly creator_status: string;
}

/** A row of `get_creator_for_generation_request_by_jwt`. */
export interface CreatorForGenerationRequest {
  readonly name: string;
  readonly deployment_name: string | null;
  readonly lora_id: string | null;
}

/** `get_creator_info_for_generation_by_jwt` */
export interface CreatorForGeneration extends CreatorInfoForSharing, CreatorForGenerationRequest {
  readonly id: string;
}

/** A row of `GET /rest/v1/creators`. */
export interface CreatorTableRow extends CreatorInfoForSharing {
  readonly id: string;
  readonly bio: string;
  readonly profile_image: string | null;
  readonly instagram: string;
  readonly twitter: string | null;
  readonly onlyfans: string | null;
  readonly is_featured: boolean;
  readonly created_at: Instant;
}

/** A creator's own record, for its owner and admins (creator spec, section 3). */
export interface OwnCreator {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly bio: string;
  readonly profile_image: string | null;
  readonly instagram: string;
  readonly twitter: string | null;
  readonly onlyfans: string | null;
  readonly email: string;
  readonly creator_status: string;
  readonly is_visible: boolean;
  readonly is_featured: boolean;
  readonly deployment_name: string | null;
  readonly lora_id: string | null;
  readonly created_at: Instant;
  readonly clerk_id: string | null;
  /** Since when the creator pauses new images; null while open. */
  readonly paused_at: Instant | null;
  /** Since when the consent is withdrawn; null while it is given. */
  readonly withdrawn_at: Instant | null;
  /** When the last application was sent; null for creators that admins added. */
  readonly applied_at: Instant | null;
  /** When it was approved or rejected; null before. */
  readonly decided_at: Instant | null;
  /** The reviewer's words; null unless the last application was rejected. */
  readonly rejection_reason: string | null;
  /** The instant from which a rejected person may apply again; null unless rejected. */
  readonly reapply_at: Instant | null;
}

export interface CreateCreatorRequest {
  /** Must be the caller's verified address. */
  readonly p_email: string;
  readonly p_name: string;
  /** Starts with @. */
  readonly p_instagram: string;
  /** Must be true: the caller accepts the present version of the creator terms. */
  readonly p_terms_agreed: boolean;
}

export interface CreateCreatorResponse {
  readonly success: true;
  readonly creator_id: string;
  readonly username: string;
  readonly creator_status: string;
}

/** An act of a creator's consent. Records are never changed. */
export interface ConsentRecord {
  readonly id: string;
  readonly kind: 'accepted' | 'withdrawn' | 'paused' | 'resumed';
  readonly at: Instant;
  /** The next five are null unless the terms were accepted. */
  readonly terms_version: string | null;
  /** SHA-256 of the exact text, hex. */
  readonly terms_sha256: string | null;
  readonly terms_url: string | null;
  readonly method_of_acceptance: string | null;
  /** The exact words that the person confirmed. */
  readonly accepted_text_snapshot: string | null;
  readonly user_agent: string | null;
  readonly email: string | null;
}

/** A word or phrase that no prompt for this creator may contain. */
export interface BlockedTerm {
  readonly id: string;
  readonly term: string;
  readonly added_at: Instant;
  /** Prompts that it stopped this UTC month. */
  readonly stopped: Count;
}

/** Details for payouts, as their owner sees them. */
export interface PayoutDetails {
  readonly legal_name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The last four characters of the account. */
  readonly account_ending: string;
  readonly tax_status: TaxStatus;
  readonly changed_at: Instant;
  /** No payout is made before this instant; null once it has passed. */
  readonly held_until: Instant | null;
  /** Earlier changes, the latest first, at most 20. */
  readonly changes: readonly { readonly at: Instant; readonly changed: readonly string[] }[];
}

export type TaxStatus = 'us_person' | 'foreign_person' | 'business';

/** An applicant or creator, as admins list them. */
export interface AdminCreator extends OwnCreator {
  readonly profile: ImageInfo | null;
}

/** A row of `get_model_deletions` (admins): open tasks, the first due first, or ended ones, the last first. */
export interface ModelDeletion {
  readonly id: string;
  readonly creator_id: string;
  readonly creator_name: string;
  /** The model to delete at the image provider. */
  readonly model: string;
  /** When the creator withdrew. */
  readonly requested_at: Instant;
  /** 30 days later. */
  readonly due_at: Instant;
  /** Open and past its due date. */
  readonly overdue: boolean;
  readonly done_at: Instant | null;
  /** The admin who recorded it. */
  readonly done_by: string | null;
  /** When the creator accepted the terms again; null otherwise. */
  readonly cancelled_at: Instant | null;
}

/** How an admin verified an applicant. Each field is 1 to 500 characters. */
export interface ApplicantVerification {
  readonly p_identity_verified: string;
  readonly p_age_verified: string;
  readonly p_instagram_verified: string;
}

export interface CreatorCalls {
  /** Null when there is no such creator, or it is not approved. */
  get_creator_info_for_sharing: { request: CreatorById; response: CreatorInfoForSharing | null };
  /** One row; none when nothing can be generated with this creator. */
  get_creator_for_generation_request_by_jwt: { request: CreatorById; response: CreatorForGenerationRequest[] };
  /** Null when there is no such creator, or it is not approved. */
  get_creator_info_for_generation_by_jwt: { request: CreatorById; response: CreatorForGeneration | null };
  /** Whether the caller has accepted this version of the creator terms. */
  get_terms_acceptance_status_by_jwt: { request: { readonly p_terms_version: string }; response: boolean };
  /** The caller's own record: one row, or none. */
  get_creator_by_jwt: { request: NoParameters; response: OwnCreator[] };
  /** Applies as a creator and accepts the terms, in one step. */
  create_creator_by_jwt: { request: CreateCreatorRequest; response: CreateCreatorResponse };
  /** Approved creators that are not archived, oldest first. */
  get_all_creators_admin_by_jwt: { request: NoParameters; response: AdminCreator[] };
  /** All creators: applicants, rejected and archived ones as well, oldest first. */
  get_all_creators_including_archived_admin_by_jwt: { request: NoParameters; response: AdminCreator[] };
  /** Archives a creator, or shows it again. Returns the new visibility. */
  toggle_creator_visibility: {
    request: CreatorById & { readonly p_is_visible: boolean };
    response: boolean;
  };
  /** Returns the new value. */
  toggle_creator_featured: { request: CreatorById & { readonly p_is_featured: boolean }; response: boolean };
  /** Approves an application, with how the applicant was verified. */
  approve_creator_admin_by_jwt: { request: CreatorById & ApplicantVerification; response: AdminCreator };
  /** Rejects an application with a reason that the applicant reads. */
  reject_creator_admin_by_jwt: { request: CreatorById & { readonly p_reason: string }; response: AdminCreator };
  /** Assigns the model: exactly one of the two. `p_trial_id`: a finished trial picture of this model and creator. */
  assign_creator_model_admin_by_jwt: {
    request: CreatorById & {
      readonly p_deployment_name?: string | null;
      readonly p_lora_id?: string | null;
      readonly p_trial_id: string;
    };
    response: AdminCreator;
  };
  /** The caller's acts of consent, the latest first. */
  get_own_consent_by_jwt: { request: NoParameters; response: ConsentRecord[] };
  /** Withdraws the consent. `p_confirmation` must be the creator's name. Repeating it changes nothing. */
  withdraw_consent_by_jwt: {
    request: { readonly p_confirmation: string };
    response: { readonly success: true; readonly withdrawn_at: Instant };
  };
  /** Pauses new images, or allows them again. */
  set_creator_paused_by_jwt: {
    request: { readonly p_paused: boolean };
    response: { readonly success: true; readonly paused_at: Instant | null };
  };
  /** Tasks to delete the models of creators who withdrew; open ones by default. */
  get_model_deletions: { request: Page & { readonly p_ended?: boolean }; response: ModelDeletion[] };
  /** Records that an admin has deleted the model of a withdrawn creator at the image provider. */
  record_model_deletion: { request: CreatorById; response: { readonly success: true } };
  get_own_blocked_terms_by_jwt: { request: NoParameters; response: BlockedTerm[] };
  add_own_blocked_term_by_jwt: { request: { readonly p_term: string }; response: BlockedTerm };
  remove_own_blocked_term_by_jwt: {
    request: { readonly p_term_id: string };
    response: { readonly success: true };
  };
  /** One row, or none before the first details. */
  get_own_payout_details_by_jwt: { request: NoParameters; response: PayoutDetails[] };
  /** Replaces the details. Payouts are held for 7 days after a change. */
  save_own_payout_details_by_jwt: {
    request: {
      readonly p_legal_name: string;
      readonly p_country: string;
      /** IBAN, or an account number with its bank code. */
      readonly p_account: string;
      readonly p_tax_status: TaxStatus;
    };
    response: PayoutDetails;
  };
}

export interface CreatorFunctions {
  /** Records an acceptance of the terms. For a withdrawn creator it gives the consent again. */
  'log-terms-acceptance': {
    request: {
      readonly user_id: string;
      readonly email: string;
      readonly accepted_at: Instant;
      /** Default: the request's header. Cut to 1000 characters. */
      readonly user_agent?: string;
      readonly terms_version: string;
      readonly terms_url: string;
      readonly method_of_acceptance: string;
      readonly accepted_text_snapshot: string;
    };
    response: { readonly success: true; readonly id: string };
  };
}

export interface CreatorById {
  readonly p_creator_id: string;
}
