import { type AdminAct } from './acts.js';
import { type ImageInfo } from './media.js';
import { type CreatorMoney } from './revenue.js';
import { type Count, type Credits, type Instant } from './scalars.js';

/** The admins' dashboard. */

/** Verifications of an admin older than this are asked for again before money moves or a role changes (minutes). */
export const REVERIFY_AFTER_MINUTES = 60;

export type QueueKind =
  | 'urgent_reports'
  | 'reports'
  | 'take_downs'
  | 'refused_prompts'
  | 'applications'
  | 'without_model'
  | 'model_deletions'
  | 'credit_proposals'
  | 'payment_problems'
  | 'stuck_checkouts'
  | 'ledger_problems';

/** Work that waits for a person. Only queues with something in them, the most urgent first. */
export interface AdminQueue {
  readonly kind: QueueKind;
  /** At most 10,000. */
  readonly count: Count;
  readonly oldest_at: Instant | null;
  readonly overdue: Count;
  /** Names of the first two, where that helps: applicants, creators. */
  readonly names: readonly string[];
}

/** The money of all creators. */
interface AdminRevenue extends CreatorMoney {
  /** Images of the last ten UTC months, the oldest first. */
  readonly months: readonly { readonly month: string; readonly paid: Count; readonly free: Count }[];
}

/** `get_admin_overview` */
export interface AdminOverview {
  readonly queues: readonly AdminQueue[];
  readonly creators: { readonly active: Count; readonly featured: Count; readonly archived: Count };
  /** Portraits of active creators, at most eight. */
  readonly portraits: readonly ImageInfo[];
  readonly revenue: AdminRevenue;
  readonly now: {
    /** At most 10,000. */
    readonly users: Count;
    readonly users_this_week: Count;
    readonly drawing: Count;
    readonly credits_held: Credits;
    readonly delivered_today: Count;
    readonly refunded_today: Count;
    readonly last_seal: { readonly number: Count; readonly at: Instant } | null;
  };
  /** The last five. */
  readonly acts: readonly AdminAct[];
}

/** A line of `get_admin_health`. */
export interface HealthLine {
  readonly name: string;
  readonly state: 'well' | 'watch' | 'bad';
  /** A sentence for people. */
  readonly what: string;
  /** The next step for a person; null when all is well. */
  readonly todo: string | null;
}

export interface AdminHealth {
  readonly at: Instant;
  readonly lines: readonly HealthLine[];
}
