import { type Role } from './roles.js';
import { type Count, type Instant } from './scalars.js';

/** The log of acts of admins and finance people. Entries are never changed or removed. */

/** Every kind of act. The part before the dot is its area. */
export const ACT_KINDS = [
  'consent.recorded',
  'application.approved',
  'application.rejected',
  'application.asked',
  'model.trial_drawn',
  'model.assigned',
  'model.deleted',
  'creator.archived',
  'creator.unarchived',
  'creator.featured',
  'creator.unfeatured',
  'creator.viewed',
  'gallery.saved',
  'gallery.added',
  'gallery.removed',
  'gallery.reordered',
  'gallery.changed',
  'image.kept',
  'image.hidden',
  'image.taken_down',
  'image.restored',
  'refusal.reviewed',
  'prompt.blocked',
  'prompt.unblocked',
  'user.suspended',
  'user.unsuspended',
  'credits.proposed',
  'credits.declined',
  'credits.granted',
  'credits.adjusted',
  'purchase.refunded',
  'payment_problem.resolved',
  'payment_problem.dismissed',
  'clock.repaired',
  'payout.drafted',
  'payout.fixed',
  'payout.checked',
  'payout.run_cancelled',
  'payout.file_made',
  'payout.file_downloaded',
  'payout.file_taken_back',
  'payout.recorded',
  'payout.cancelled',
  'payout.failed',
  'payout.held',
  'payout.released',
  'payout_details.saved',
  'books.month_closed',
  'ledger.verified',
  'log.opened',
  'log.exported',
] as const;

export type ActKind = (typeof ACT_KINDS)[number];

/** Kinds of things that an act is on. */
export type ActSubject =
  | 'creator'
  | 'gallery'
  | 'generation'
  | 'user'
  | 'purchase'
  | 'payment_problem'
  | 'refusal'
  | 'proposal'
  | 'payout_run'
  | 'payout'
  | 'bank_report'
  | 'book_month'
  | 'verification'
  | 'log';

/**
 * - `done`: it took effect.
 * - `open`: an act on the ledger or the payment processor was announced; its effect is not recorded yet.
 * - `refused`: it was announced and had no effect.
 */
export type ActState = 'done' | 'open' | 'refused';

/** Values that an act has changed, by their field's name. Never names a person. */
export type ActValues = Readonly<Record<string, string | number | boolean | null>>;

/** A row of `list_admin_acts`, the latest first. */
export interface AdminAct {
  readonly id: string;
  /** Its place in the log, from 1, without gaps. */
  readonly number: Count;
  readonly at: Instant;
  readonly kind: ActKind;
  readonly state: ActState;
  readonly actor_id: string;
  /** Null when the user is not known any more. */
  readonly actor_name: string | null;
  /** The proposer of what this act approves or declines; null for none, or when not known any more. */
  readonly proposer_name: string | null;
  /** `auditor`: exports the log. `system`: a rule of the product, such as three strikes. */
  readonly actor_role: Role | 'system';
  readonly subject_kind: ActSubject;
  readonly subject_id: string;
  /** A short name of the subject; null when it was erased. */
  readonly subject_name: string | null;
  /** The number of the payout run that the subject is, or belongs to; null for all other subjects. */
  readonly run_number: Count | null;
  /** The user concerned; null for none. */
  readonly user_id: string | null;
  /** The user's present name. */
  readonly user_name: string | null;
  readonly creator_id: string | null;
  /** The creator's present name. */
  readonly creator_name: string | null;
  readonly before: ActValues;
  readonly after: ActValues;
  /** Null without one, and once it was erased. */
  readonly reason: string | null;
  /** The address of the request; null for `system`, and once it was erased. */
  readonly address: string | null;
  readonly request_id: string | null;
  /** Events of the ledger that it caused. */
  readonly events: readonly { readonly stream: string; readonly version: Count; readonly id: string }[];
  /** The act that undid it. */
  readonly undone_by: string | null;
  /** SHA-256 over the entry and the one before it, hex. */
  readonly hash: string;
  readonly sealed: boolean;
  /** At most 10,000. */
  readonly total_count: Count;
}
