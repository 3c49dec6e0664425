import { type CreditTransaction } from './credits.js';
import { type ImageInfo } from './media.js';
import { type CaseDecision, type CaseKind, type CaseReason } from './moderation.js';
import { type Cents, type Count, type Credits, type Instant } from './scalars.js';

/** Calls of admins about users, their credits and their payments. */

export const USER_FILTERS = ['owes', 'suspended', 'paid'] as const;
export type UserFilter = (typeof USER_FILTERS)[number];

export const USER_SORTS = ['joined', 'paid', 'spent'] as const;
/** Orders of users, each from the latest or the greatest. By `paid` and `spent`: only users with an account. */
export type UserSort = (typeof USER_SORTS)[number];

/** A row of `search_users_admin`. Balances leave lapsed credits out. */
export interface AdminUserRow {
  readonly user_id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly joined_at: Instant;
  readonly daily_credits: Credits;
  readonly bonus_credits: Credits;
  readonly paid_credits: Credits;
  readonly total_balance: Credits;
  readonly debt: Credits;
  /** Deductions net of refunds. */
  readonly spent: Credits;
  readonly images: Count;
  /** The last act in the ledger; null without one. */
  readonly last_seen_at: Instant | null;
  readonly suspended: boolean;
  /** At most 10,000. */
  readonly total_count: Count;
}

/** `get_user_admin` */
export interface AdminUser extends Omit<AdminUserRow, 'total_count'> {
  /** The caller's own account: its balance can only be changed by another admin. */
  readonly own: boolean;
  readonly roles: readonly string[];
  readonly closed: boolean;
  readonly suspension: { readonly since: Instant; readonly until: Instant | null; readonly reason: string } | null;
  readonly strikes: Count;
  /** Unspent credits by their grant or purchase, in the order in which they are spent. */
  readonly lots: readonly {
    readonly lot_id: string;
    readonly kind: 'daily' | 'bonus' | 'paid';
    readonly remaining: Credits;
    /** Of paid ones. */
    readonly unit_price_cents: number | null;
    readonly expires_at: Instant | null;
  }[];
  /** Events of the account's stream. */
  readonly events: Count;
  readonly proposals: readonly CreditProposal[];
  /** Credits that the caller may still grant today. */
  readonly grant_left_today: Credits;
}

/** A row of `get_user_ledger_admin`. */
export interface AdminTransaction extends CreditTransaction {
  readonly kind: 'daily' | 'bonus' | 'paid' | 'mixed' | null;
  /** The event that made it. */
  readonly event_id: string;
  readonly version: Count;
  readonly total_count: Count;
}

/** A month of `get_user_statement_admin`, UTC. Opening + all changes = closing. */
export interface StatementMonth {
  /** `2026-11` */
  readonly month: string;
  readonly opening: Credits;
  /** Sign-up, daily and bonus grants. */
  readonly granted: Credits;
  /** Purchases, and purchases given back after a dispute. */
  readonly bought: Credits;
  /** Signed. */
  readonly spent: Credits;
  /** Images that did not arrive. */
  readonly refunded: Credits;
  /** Daily credits that were not spent. Signed. */
  readonly lapsed: Credits;
  /** Returned purchases, repaid debt, adjustments and waivers. Signed. */
  readonly taken: Credits;
  readonly closing: Credits;
  /** Months of the statement. */
  readonly total_count: Count;
}

/** A row of `get_user_images_admin`. */
export interface AdminUserImage {
  readonly generation_id: string;
  readonly creator_name: string;
  /** Empty once the image is deleted. */
  readonly prompt: string;
  readonly status: 'pending' | 'completed' | 'failed';
  /** Why it failed. */
  readonly error_message: string | null;
  readonly refunded: boolean;
  readonly cost: Credits;
  /** Visible to the public or by its link, to its owner and admins, to admins only, or deleted. */
  readonly shown: 'visible' | 'owner' | 'admins' | 'deleted';
  /** Null without a picture. */
  readonly image: ImageInfo | null;
  readonly created_at: Instant;
  /** At most 10,000. */
  readonly total_count: Count;
}

/**
 * A row of `get_user_reports_admin`: a report by the user, or a take-down request or all reports of one of their
 * images.
 */
export interface AdminUserReport {
  readonly kind: Exclude<CaseKind, 'refusal'>;
  readonly id: string;
  readonly generation_id: string;
  readonly creator_name: string;
  readonly image: ImageInfo | null;
  readonly reason: CaseReason;
  /** The user's own words; empty for images of the user. */
  readonly note: string;
  readonly reports: Count;
  readonly at: Instant;
  readonly decision: CaseDecision | null;
  readonly decided_at: Instant | null;
  /** The image was taken down and counts as a strike against the user. */
  readonly strike: boolean;
  /** At most 10,000. */
  readonly total_count: Count;
}

/** `get_ledger_event_admin` */
export interface LedgerEventDetail {
  readonly event_id: string;
  readonly stream: string;
  readonly version: Count;
  readonly type: string;
  readonly occurred_at: Instant;
  readonly recorded_at: Instant;
  readonly actor_id: string | null;
  /** The act, command or generation that caused it. */
  readonly causation_id: string | null;
  /** The event's data as stored. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly hash: string;
  readonly previous_hash: string | null;
  /** Number of the seal that covers it. */
  readonly seal: Count | null;
}

/** A grant or adjustment above the daily limit of one admin. A second admin decides it. */
export interface CreditProposal {
  readonly id: string;
  readonly user_id: string;
  readonly user_name: string | null;
  readonly kind: 'grant' | 'adjust';
  readonly amount: Credits;
  /** Empty once the user has closed the account. */
  readonly reason: string;
  readonly proposed_by: string;
  readonly proposed_by_name: string | null;
  /** The caller proposed it, or it is on the caller's own account. */
  readonly own: boolean;
  readonly proposed_at: Instant;
  readonly state: 'open' | 'approved' | 'declined';
  readonly decided_by: string | null;
  readonly decided_at: Instant | null;
}

/** A row of `list_credit_proposals_admin`. */
export interface ListedProposal extends CreditProposal {
  /** At most 10,000. */
  readonly total_count: Count;
}

/** `preview_refund_admin`: what a refund would do. */
export interface RefundPreview {
  readonly session_id: string;
  readonly credits: Credits;
  readonly amount_cents: Cents;
  /** Credits of the purchase that are unspent. */
  readonly unspent: Credits;
  readonly balance_before: Credits;
  readonly balance_after: Credits;
  /** Images that the fan keeps and their creators' earnings, which the refund leaves alone. */
  readonly spent: Credits;
  /** Earnings that creators lose by it; empty when only unspent credits are refunded. */
  readonly creators: readonly { readonly creator_id: string; readonly name: string; readonly cents: Cents }[];
  /** Why it is not possible; null when it is. */
  readonly refused: string | null;
}

/** A row of `list_stuck_checkouts_admin`: paid or begun, and not credited. */
export interface StuckCheckout {
  readonly id: string;
  readonly session_id: string | null;
  readonly user_id: string;
  readonly status: string;
  readonly credits: Credits;
  readonly amount_cents: Cents;
  readonly created_at: Instant;
  /** The product's next step, or what a person must do. */
  readonly what_to_do: string;
  readonly total_count: Count;
}
