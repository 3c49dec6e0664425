import { type Instant } from './scalars.js';

/** Calls about creators. Instants are ISO 8601. */

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

export interface CreatorCalls {
  /** Null when there is no such creator, or it is not approved. */
  get_creator_info_for_sharing: { request: CreatorById; response: CreatorInfoForSharing | null };
  /** One row; none when nothing can be generated with this creator. */
  get_creator_for_generation_request_by_jwt: { request: CreatorById; response: CreatorForGenerationRequest[] };
  /** Null when there is no such creator, or it is not approved. */
  get_creator_info_for_generation_by_jwt: { request: CreatorById; response: CreatorForGeneration | null };
  /** Whether the caller has accepted this version of the creator terms. */
  get_terms_acceptance_status_by_jwt: { request: { readonly p_terms_version: string }; response: boolean };
}

export interface CreatorById {
  readonly p_creator_id: string;
}
