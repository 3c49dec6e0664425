import type { ImageInfo } from './media.js';

/** A generation as its viewer may see it. Instants are ISO 8601. */
export interface GenerationView {
  readonly id: string;
  readonly prediction_id: string | null;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly prompt: string;
  /** Same-origin path of the largest picture. */
  readonly image_url: string | null;
  readonly image: ImageInfo | null;
  readonly creator_id: string;
  readonly creator_username: string;
  readonly creator_name: string;
  readonly creator_is_visible: boolean;
  readonly creator_status: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly error_message: string | null;
  readonly refunded: boolean;
  /** Its credits are settled: kept for the picture, given back, or never taken. */
  readonly credits_closed: boolean;
  readonly refund_reason: string | null;
  readonly refunded_at: string | null;
  readonly credit_cost: number;
  readonly is_owner: boolean;
  /** Its owner shows it to nobody else. */
  readonly hidden: boolean;
  /** A failed generation that is shown as cancelled. */
  readonly cancelled: boolean;
  /** From when on its owner can cancel it; null when that is over or not theirs. */
  readonly cancellable_at: string | null;
  /** Where a pending generation stands; null once it has ended. */
  readonly phase: 'queued' | 'drawing' | 'finishing' | null;
  readonly drawing_at: string | null;
  readonly finishing_at: string | null;
  readonly completed_at: string | null;
}

export interface StartGenerationResponse {
  readonly success: true;
  readonly generation_id: string;
  /** null when the provider's answer is still out. */
  readonly prediction_id: string | null;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly new_daily_balance: number;
  readonly new_bonus_balance: number;
  readonly new_paid_balance: number;
  readonly new_total_balance: number;
  readonly credit_type_used: string | null;
}

export interface WireBalances {
  readonly daily_credits: number;
  readonly bonus_credits: number;
  readonly paid_credits: number;
  readonly total_balance: number;
}

export interface CancelGenerationResponse {
  readonly success: true;
  readonly message: string;
  readonly status: 'canceled';
  readonly generation_id: string;
  readonly prediction_id: string | null;
  readonly credit_refunded: number;
  readonly refund_details: {
    readonly new_balances: WireBalances;
    readonly original_credit_type: string | null;
    readonly refund_amount: number;
  };
}

export interface RefundResponse {
  readonly success: true;
  readonly error: null;
  readonly refund_amount: number;
  readonly original_credit_type: string | null;
  readonly new_balances: WireBalances;
  /** True when an earlier call or the server itself had refunded it. */
  readonly already_refunded: boolean;
}

/** What anybody may know who has a prediction id. */
export interface GenerationStatusRow {
  readonly prediction_id: string;
  readonly status: 'pending' | 'completed' | 'failed';
  /** Only for its owner. */
  readonly image_url: string | null;
}

export interface PaginatedGeneration {
  readonly generation: GenerationView;
  readonly total_count: number;
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
  readonly processed_count: number;
  readonly refunds: readonly {
    readonly generation_id: string;
    readonly success: boolean;
    readonly refund_amount: number;
  }[];
}

/** A row of `get_moderation_refusals` (admins), newest first. */
export interface ModerationRefusal {
  /** The refusal's, or the generation's where the provider refused. */
  readonly id: string;
  /** Our own rules before the start, or the provider's check after it. */
  readonly source: 'rules' | 'provider';
  readonly category: 'sexual' | 'minors' | 'real_people' | 'hate' | 'self_harm';
  readonly user_id: string;
  readonly creator_id: string;
  readonly prompt: string;
  readonly created_at: string;
}

export interface HideGenerationResponse {
  readonly success: true;
  readonly generation_id: string;
  readonly hidden: boolean;
}

export interface DeleteGenerationResponse {
  readonly success: true;
  readonly generation_id: string;
}

/** Why an image is reported. */
export type ReportReason = 'sexual' | 'minors' | 'real_person' | 'hate' | 'self_harm' | 'rights' | 'other';

/** What came of a report: nothing, or the image was taken away for everybody. */
export type ReportResolution = 'dismissed' | 'removed';

export interface ReportGenerationResponse {
  readonly success: true;
  /** The same user had reported this image before; that report stands. */
  readonly already_reported: boolean;
}

/** A row of `get_generation_reports` (admins), newest first. */
export interface GenerationReport {
  readonly id: string;
  readonly generation_id: string;
  readonly reason: ReportReason;
  readonly note: string;
  /** Who reported it. */
  readonly user_id: string;
  readonly created_at: string;
  /** As it was when it was reported. */
  readonly prompt: string;
  /** null once it is deleted. */
  readonly image: ImageInfo | null;
  /** Whose image it is; null once that is not known any more. */
  readonly owner_id: string | null;
  readonly creator_id: string;
  readonly creator_username: string;
  readonly creator_name: string;
  readonly hidden: boolean;
  readonly deleted: boolean;
  readonly resolved_at: string | null;
  readonly resolved_by: string | null;
  readonly resolution: ReportResolution | null;
}

export interface ResolveReportResponse {
  readonly success: true;
  /** How many open reports of this image were resolved. */
  readonly resolved: number;
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
  readonly created_at: string;
  readonly updated_at: string;
  readonly error_message: string | null;
  readonly refunded: boolean;
  readonly refund_reason: string | null;
  readonly refunded_at: string | null;
  readonly credit_cost: number;
  readonly deployment_name: string;
}
