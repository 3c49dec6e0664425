import type { AspectRatio } from './aspect-ratios.js';
import type { ImageInfo } from './media.js';
import { type Cents, type Count, type Credits, type Instant } from './scalars.js';

/** A generation as its viewer may see it. Instants are ISO 8601. */
export interface GenerationView {
  readonly id: string;
  readonly prediction_id: string | null;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly prompt: string;
  /** The shape that was asked for. A model may have drawn another one: `image` has the size. */
  readonly aspect_ratio: AspectRatio;
  /** Same-origin path of the largest picture. */
  readonly image_url: string | null;
  readonly image: ImageInfo | null;
  readonly creator_id: string;
  readonly creator_username: string;
  readonly creator_name: string;
  readonly creator_is_visible: boolean;
  readonly creator_status: string;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly error_message: string | null;
  readonly refunded: boolean;
  /** True once its credits are final: kept for the picture, refunded, or never taken. */
  readonly credits_closed: boolean;
  readonly refund_reason: string | null;
  readonly refunded_at: Instant | null;
  readonly credit_cost: Credits;
  readonly is_owner: boolean;
  /** Only its owner and admins see it. */
  readonly hidden: boolean;
  /** An admin's decision on it, for its owner and admins; null without one. */
  readonly moderation: ImageModeration | null;
  /** A failed generation that is shown as cancelled. */
  readonly cancelled: boolean;
  /** Its owner can cancel it from this instant on. Null for other viewers and once it has ended. */
  readonly cancellable_at: Instant | null;
  /** The phase of a pending generation; null once it has ended. */
  readonly phase: 'queued' | 'drawing' | 'finishing' | null;
  readonly drawing_at: Instant | null;
  readonly finishing_at: Instant | null;
  readonly completed_at: Instant | null;
}

/** An admin has hidden an image (only its owner sees it), or taken it down (no one does; it is deleted after a day). */
export interface ImageModeration {
  readonly decision: 'hidden' | 'taken_down';
  /** The rule that was broken, in the admin's words. */
  readonly note: string;
  readonly at: Instant;
}

export interface StartGenerationResponse {
  readonly success: true;
  readonly generation_id: string;
  /** Null until the provider has answered. */
  readonly prediction_id: string | null;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly new_daily_balance: Credits;
  readonly new_bonus_balance: Credits;
  readonly new_paid_balance: Credits;
  readonly new_total_balance: Credits;
  readonly credit_type_used: string | null;
}

/** `details` of a start that a creator's own rule refuses; the message names the creator. */
export const CREATOR_RULES = { blockedTerm: 'blocked_term', paused: 'creator_paused' } as const;

export interface WireBalances {
  readonly daily_credits: Credits;
  readonly bonus_credits: Credits;
  readonly paid_credits: Credits;
  readonly total_balance: Credits;
}

export interface CancelGenerationResponse {
  readonly success: true;
  readonly message: string;
  readonly status: 'canceled';
  readonly generation_id: string;
  readonly prediction_id: string | null;
  readonly credit_refunded: Credits;
  readonly refund_details: {
    readonly new_balances: WireBalances;
    readonly original_credit_type: string | null;
    readonly refund_amount: Credits;
  };
}

export interface RefundResponse {
  readonly success: true;
  readonly error: null;
  readonly refund_amount: Credits;
  readonly original_credit_type: string | null;
  readonly new_balances: WireBalances;
  /** True when an earlier call or the server itself had refunded it. */
  readonly already_refunded: boolean;
}

/** The part of a generation that every caller with its prediction id may read. */
export interface GenerationStatusRow {
  readonly prediction_id: string;
  readonly status: 'pending' | 'completed' | 'failed';
  /** Only for its owner. */
  readonly image_url: string | null;
}

/** Which of the caller's generations are listed; `all` includes pending ones. */
export const CREATION_FILTERS = ['all', 'finished', 'failed'] as const;
export type CreationFilter = (typeof CREATION_FILTERS)[number];

export interface PaginatedGeneration {
  readonly generation: GenerationView;
  readonly total_count: Count;
}

export interface SyncGenerationResponse {
  readonly success: true;
  readonly generation_id: string;
  readonly prediction_id: string | null;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly error_message: string | null;
  readonly image_url: string | null;
}

export interface TimeoutRefundsResponse {
  readonly success: true;
  readonly processed_count: Count;
  readonly refunds: readonly {
    readonly generation_id: string;
    readonly success: boolean;
    readonly refund_amount: Credits;
  }[];
}

export interface HideGenerationResponse {
  readonly success: true;
  readonly generation_id: string;
  readonly hidden: boolean;
  /** Hiding gives the picture new addresses; the old ones stop answering. */
  readonly image: ImageInfo | null;
}

export interface DeleteGenerationResponse {
  readonly success: true;
  readonly generation_id: string;
}

export const REPORT_REASONS = ['sexual', 'minors', 'real_person', 'hate', 'self_harm', 'rights', 'other'] as const;
/** Why an image is reported. */
export type ReportReason = (typeof REPORT_REASONS)[number];

export interface ReportGenerationResponse {
  readonly success: true;
  /** The same user had reported this image before; the first report is kept. */
  readonly already_reported: boolean;
}

/** Answers of the function `replicate-api`, by its path. */
export type ReplicateApiResponse =
  | { readonly id: string; readonly success: true; readonly error: null }
  | {
      readonly status: 'starting' | 'processing' | 'succeeded' | 'failed' | 'canceled';
      /** Absolute addresses of the picture, in our own storage. */
      readonly output: readonly string[] | null;
      readonly error: string | null;
    }
  | { readonly message: string };

/** A row of `GET /rest/v1/generations`. */
export interface GenerationTableRow {
  readonly id: string;
  readonly prediction_id: string | null;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly prompt: string;
  readonly image_url: string | null;
  readonly creator_id: string;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly error_message: string | null;
  readonly refunded: boolean;
  readonly refund_reason: string | null;
  readonly refunded_at: Instant | null;
  readonly credit_cost: Credits;
  readonly deployment_name: string;
}

export interface TimeoutResponse extends RefundResponse {
  readonly message: string;
  readonly generation_id: string;
}

export const TEST_RATINGS = ['good', 'bad'] as const;
/** A creator's rating of a test image. */
export type TestRating = (typeof TEST_RATINGS)[number];

/** A generation on the creator's test tab. */
export interface TestGeneration {
  readonly generation: GenerationView;
  readonly rating: TestRating | null;
  /** For the representative who trains the model. */
  readonly note: string;
  readonly total_count: Count;
}

export interface StartTestResponse {
  readonly success: true;
  readonly generation_id: string;
  /** Tests that are left this UTC day. */
  readonly remaining_today: Count;
}

/** `get_own_generation_credits_by_jwt` */
export interface GenerationCredits {
  readonly credits: Credits;
  /** Null when it is not recorded. */
  readonly kind: 'daily' | 'bonus' | 'paid' | 'mixed' | null;
  /** Those of them that were bought. Null until they are settled. */
  readonly paid_credits: Credits | null;
  /** The creator's share, after refunds and disputes. Null like `paid_credits`. */
  readonly creator_cents: Cents | null;
}

/** A row of `get_own_generation_images_by_jwt`. */
export interface GenerationImage {
  readonly id: string;
  readonly image: ImageInfo;
}
