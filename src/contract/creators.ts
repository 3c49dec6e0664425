import { type ImageInfo } from './media.js';
import { type Count, type Instant } from './scalars.js';

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

export const TAX_STATUSES = ['us_person', 'foreign_person', 'business'] as const;
export type TaxStatus = (typeof TAX_STATUSES)[number];

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
