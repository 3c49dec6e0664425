import { type CreditTransaction } from './credits.js';
import { type ImageInfo } from './media.js';
import { type CaseDecision, type CaseKind, type CaseReason } from './moderation.js';
import { type Purchase } from './payments.js';
import { type Cents, type Count, type Credits, type Instant, type Page } from './scalars.js';

/** Calls of admins about users, their credits and their payments. */

export type UserFilter = 'owes' | 'suspended' | 'paid';

/** Orders of users, each from the latest or the greatest. By `paid` and `spent`: only users with an account. */
export type UserSort = 'joined' | 'paid' | 'spent';

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

export interface AdminUserCalls {
  /**
   * A page of users: in the chosen order, all or found by a part of the e-mail address or name, or by a whole id of
   * a user or generation. One or two letters find the newest 10,000 only. 12 by default.
   */
  search_users_admin: {
    request: Page & {
      readonly p_search?: string | null;
      readonly p_filter?: UserFilter | null;
      /** By default `joined`. The filter `paid` has no order `joined`: it uses `paid`. */
      readonly p_sort?: UserSort | null;
    };
    response: AdminUserRow[];
  };
  get_user_admin: { request: { readonly p_user_id: string }; response: AdminUser };
  /** A page of the user's purchases, the latest first; 20 by default. */
  get_user_purchases_admin: { request: Page & { readonly p_user_id: string }; response: Purchase[] };
  /** A page of the account's history, the latest first; 16 by default. */
  get_user_ledger_admin: { request: Page & { readonly p_user_id: string }; response: AdminTransaction[] };
  /** A page of the account's months, the latest first; 24 by default. Of the newest 10,000 transactions. */
  get_user_statement_admin: { request: Page & { readonly p_user_id: string }; response: StatementMonth[] };
  /** A page of the user's images, the latest first; 12 by default. Without a creator's free tests. */
  get_user_images_admin: { request: Page & { readonly p_user_id: string }; response: AdminUserImage[] };
  /** A page of reports by the user, or about images of the user, the latest first; 20 by default. */
  get_user_reports_admin: {
    request: Page & { readonly p_user_id: string; readonly p_about?: boolean };
    response: AdminUserReport[];
  };
  /** An event of a user's account, by its version. */
  get_ledger_event_admin: {
    request: { readonly p_user_id: string; readonly p_version: Count };
    response: LedgerEventDetail;
  };
  /** For amounts above the caller's daily limit. Nothing changes until another admin approves. */
  propose_credits_admin: {
    request: {
      /** Chosen by the caller. A repeated id is the same proposal. */
      readonly p_proposal_id: string;
      readonly p_user_id: string;
      readonly p_kind: 'grant' | 'adjust';
      readonly p_amount: Credits;
      /** Stored permanently: must not name a person. */
      readonly p_reason: string;
    };
    response: CreditProposal;
  };
  /** A page of proposals: open ones, the oldest first, or decided ones, the latest first. 12 by default. */
  list_credit_proposals_admin: { request: Page & { readonly p_decided?: boolean }; response: ListedProposal[] };
  decide_credit_proposal_admin: {
    request: { readonly p_proposal_id: string; readonly p_approve: boolean; readonly p_reason?: string | null };
    response: CreditProposal;
  };
  preview_refund_admin: {
    request: { readonly p_session_id: string; readonly p_credits?: Credits | null };
    response: RefundPreview;
  };
  list_stuck_checkouts_admin: { request: Page; response: StuckCheckout[] };
  /** Looks at the payment again at the processor, and credits it when it is paid. */
  retry_checkout_admin: {
    request: { readonly p_session_id: string };
    response: { readonly success: true; readonly status: string };
  };
}
