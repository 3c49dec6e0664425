import { type AdminCreator, type ConsentRecord } from './creators.js';
import { type ImageInfo } from './media.js';
import { type CreatorMoney } from './revenue.js';
import { type Count, type Instant } from './scalars.js';

/** Calls of admins about applicants and creators. */

/** Longest name of a model at the image provider, in UTF-16 units. */
export const MODEL_NAME_MAX_LENGTH = 300;

/** Longest question to an applicant, answer, reason of a rejection, and note of a check, in UTF-16 units. */
export const APPLICATION_TEXT_MAX_LENGTH = 500;

export const APPLICATION_STATES = ['pending', 'waiting_for_model', 'approved', 'rejected'] as const;
export type ApplicationState = (typeof APPLICATION_STATES)[number];

/** A row of `list_applications_admin`. */
export interface ApplicationRow {
  readonly creator_id: string;
  readonly name: string;
  readonly username: string;
  readonly instagram: string;
  readonly email: string;
  readonly state: ApplicationState;
  readonly applied_at: Instant | null;
  readonly decided_at: Instant | null;
  /** A question to the applicant. `answered`: they replied. */
  readonly question: 'open' | 'answered' | null;
  /** At most 10,000. */
  readonly total_count: Count;
}

/** A question of a reviewer to the applicant. */
export interface ApplicantQuestion {
  readonly id: string;
  readonly question: string;
  readonly asked_at: Instant;
  readonly answer: string | null;
  readonly answered_at: Instant | null;
}

/** `get_application_admin`: everything that is known about an applicant. */
export interface Application {
  readonly creator: AdminCreator;
  /** The caller's own application, which another admin must decide. */
  readonly own: boolean;
  /** All applications, the latest first. */
  readonly applications: readonly {
    readonly name: string;
    readonly email: string;
    readonly instagram: string;
    readonly applied_at: Instant;
  }[];
  /** The latest first. */
  readonly consent: readonly ConsentRecord[];
  /** The latest first. */
  readonly decisions: readonly {
    readonly kind: string;
    readonly by: string;
    readonly at: Instant;
    readonly reason: string | null;
    readonly identity_verified: string | null;
    readonly age_verified: string | null;
    readonly instagram_verified: string | null;
    readonly model: string | null;
  }[];
  readonly questions: readonly ApplicantQuestion[];
  /** Since when the person has an account; null when the identity provider does not know it. */
  readonly account_created_at: Instant | null;
  /** Images that the person has drawn as a fan. */
  readonly images_drawn: Count;
  /** Other creators and applicants with the same handle or address. */
  readonly similar: readonly {
    readonly creator_id: string;
    readonly name: string;
    readonly username: string;
    readonly creator_status: string;
    readonly same: 'instagram' | 'email';
  }[];
  /** Trial pictures of models, the latest first. */
  readonly trials: readonly ModelTrial[];
}

/** A picture that an admin has drawn with a model before it is assigned. It costs no credits and is never public. */
export interface ModelTrial {
  readonly id: string;
  readonly creator_id: string;
  readonly deployment_name: string | null;
  readonly lora_id: string | null;
  readonly prompt: string;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly error: string | null;
  readonly image: ImageInfo | null;
  readonly created_at: Instant;
}

/** `check_model_admin` */
export interface ModelCheck {
  /** The image provider has it. */
  readonly found: boolean;
  /** The creator who has it; null for a free one. */
  readonly assigned_to: { readonly creator_id: string; readonly name: string } | null;
  /** For people; null when all is well. */
  readonly problem: string | null;
}

export const CREATOR_SORTS = [
  'all_time_revenue',
  'month_revenue',
  'paid_generations',
  'total_generations',
  'name',
  'newest',
] as const;
/** The order of the creators in revenue management (creator spec, section 9). */
export type CreatorSort = (typeof CREATOR_SORTS)[number];

/** A row of `list_creators_admin`. */
export interface AdminCreatorRow extends AdminCreator {
  /** Pictures in the gallery. */
  readonly gallery_size: Count;
  /** The first three pictures of the gallery. */
  readonly works: readonly ImageInfo[];
  /** At most 10,000. */
  readonly total_count: Count;
}

/** A row of `list_revenue_creators_admin`: an active creator. Figures come by `get_creator_dashboard_analytics`. */
export interface RevenueCreatorRow extends AdminCreator {
  /** Earnings of the last ten UTC months in cents, the oldest first, the present month last. */
  readonly months: readonly number[];
  /** Corrections of all times: taken back and restored, in cents. */
  readonly taken_back_cents: Count;
  readonly restored_cents: Count;
  /** At most 10,000. */
  readonly total_count: Count;
}

/** `get_platform_revenue_admin`, in cents, with the money of all creators. */
export interface PlatformRevenue extends CreatorMoney {
  readonly platform_cents: Count;
  readonly corrections_cents: Count;
  readonly this_month_cents: Count;
  readonly active_creators: Count;
  readonly paid_generations: Count;
}
