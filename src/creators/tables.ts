import { type ColumnType, type Generated } from 'kysely';
import { type ImageInfo } from '../contract/media.js';

/** `active` means approved. */
export type CreatorStatus = 'pending' | 'active' | 'rejected';

export interface CreatorTables {
  creator: {
    id: string;
    clerk_id: string | null;
    username: string;
    name: string;
    email: string;
    instagram: string;
    twitter: string | null;
    onlyfans: string | null;
    bio: string;
    /** A few words under the name, such as 'Geometric prints'. */
    style: string | null;
    /** Portrait, 4:5. */
    profile: ColumnType<ImageInfo | null, string | null, string | null>;
    creator_status: CreatorStatus;
    is_visible: Generated<boolean>;
    is_featured: Generated<boolean>;
    deployment_name: string | null;
    lora_id: string | null;
    created_at: Date;
    updated_at: Date;
    /** When the creator withdrew. The status stays; `is_visible` is false and nothing is public. */
    withdrawn_at: Date | null;
  };
  /** The record of consent: which user accepted which version of the creator terms, and when. */
  creator_terms_acceptance: {
    clerk_id: string;
    terms_version: string;
    accepted_at: Date;
  };
  /** Payee of a withdrawn creator with earnings. The creator's row no longer names a person. */
  creator_payout_record: { creator_id: string; name: string; email: string; kept_until: Date };
}
