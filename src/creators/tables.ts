import { type ColumnType, type Generated, type GeneratedAlways } from 'kysely';
import { type ApplicationState } from '../contract/applications.js';
import { type ImageInfo } from '../contract/media.js';
import { type ControlTables } from './control-tables.js';

/** `active` means approved. */
export type CreatorStatus = 'pending' | 'active' | 'rejected';

export type DecisionKind =
  | 'approved'
  | 'rejected'
  | 'model_assigned'
  | 'archived'
  | 'unarchived'
  | 'featured'
  | 'unfeatured';

interface ConsentTable {
  id: string;
  /** The order of the acts. */
  number: GeneratedAlways<number>;
  /** Identity provider's user id. */
  clerk_id: string;
  kind: 'accepted' | 'withdrawn' | 'paused' | 'resumed';
  at: Date;
  /** Where the act came from. `before_records`: accepted before the circumstances were recorded. */
  context: ConsentContext;
  /** The salt of the hash in its act; null for acts before there were hashes. */
  salt: string | null;
  /** The next five are null unless `kind` is `accepted`. */
  terms_version: string | null;
  /** SHA-256 of the exact text, hex. Null for `before_records`. */
  terms_sha256: string | null;
  terms_url: string | null;
  method_of_acceptance: string | null;
  accepted_text_snapshot: string | null;
  /** At most 1000 characters, `unknown` without one. */
  user_agent: string | null;
  email: string | null;
}

export type ConsentContext = 'application' | 'terms_page' | 'demo' | 'controls' | 'closing' | 'before_records';

export interface CreatorTables extends ControlTables {
  creator: {
    id: string;
    clerk_id: string | null;
    /** Unique among approved creators. */
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
    /**
     * Since when the consent is withdrawn: nothing is public. The status and `is_visible` stay. Null while it is given.
     */
    withdrawn_at: Date | null;
    /** Since when the creator pauses new images. */
    paused_at: Date | null;
    /** When the account was closed. The consent can then not be given again. */
    closed_at: Date | null;
    /**
     * The last withdrawal, or consent that was given again, while images in the style still have to follow: to be
     * stopped, and files to be moved. Null once they do.
     */
    style_changed_at: Date | null;
    /** When that work continues. */
    style_due_at: Date | null;
    /** When the person applied, was approved or rejected, or got the model: the last of these. */
    state_since: Generated<Date>;
    /** Computed by the database. Null for creators who have left. */
    application_state: GeneratedAlways<ApplicationState | null>;
  };
  /** The acts of consent of all users. Rows are added only; an erasure removes e-mail and user agent. */
  creator_consent: ConsentTable;
  /** Every application. An erasure removes name, e-mail and handle. */
  creator_application: {
    id: string;
    creator_id: string;
    name: string;
    email: string;
    instagram: string;
    applied_at: Date;
  };
  /** Every act of an admin on a creator. An erasure removes the texts. */
  creator_decision: {
    id: string;
    /** The order of the acts. */
    number: GeneratedAlways<number>;
    creator_id: string;
    kind: DecisionKind;
    actor_id: string;
    decided_at: Date;
    /** The reason of a rejection, which the applicant reads. */
    reason: string | null;
    /** How an approved applicant was verified. */
    identity_verified: string | null;
    age_verified: string | null;
    instagram_verified: string | null;
    /** The assigned model. */
    model: string | null;
    /** The salt of the hash in its act. Erased with the texts; null for decisions before there were hashes. */
    salt: string | null;
  };
  /** Questions of admins to applicants. At most one of an application is open. An erasure removes the texts. */
  creator_question: {
    id: string;
    creator_id: string;
    application_id: string;
    question: string;
    asked_by: string;
    asked_at: Date;
    answer: string | null;
    answered_at: Date | null;
  };
  /** Users who have applied, and users whose account is closed. Writers of one row wait for each other. */
  creator_applicant: { clerk_id: string; applied_at: Date | null; closed_at: Date | null };
  /** Payee of a withdrawn creator with earnings. The creator's row no longer names a person. */
  creator_payout_record: { creator_id: string; name: string; email: string; kept_until: Date };
}
