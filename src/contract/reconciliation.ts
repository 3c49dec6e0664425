import { type Cents, type Count, type Instant } from './scalars.js';

/**
 * Calls about the reconciliation with the payment processor, for finance and admins. Amounts are US cents, positive
 * when the balance at the processor grows. A pair of both sides belongs to the time of the processor.
 */

/** `refund`: less those that failed. `dispute`: money that was taken. `other`: nothing in the ledger matches it. */
export type MovementKind = 'payment' | 'refund' | 'dispute' | 'dispute_won' | 'other';

/** Both sides of a kind in a period. */
export interface ReconciledKind {
  readonly kind: MovementKind;
  readonly processor_count: Count;
  readonly processor_cents: Cents;
  readonly ledger_count: Count;
  readonly ledger_cents: Cents;
  /** The processor's side less the ledger's. */
  readonly difference_cents: Cents;
}

/** The balance at the processor from the start of a period to its end. The steps add up. */
export interface ProcessorWalk {
  readonly opening_cents: Cents;
  readonly payments_cents: Cents;
  readonly refunds_cents: Cents;
  /** Taken by disputes, less those that were won. */
  readonly disputes_cents: Cents;
  readonly fees_cents: Cents;
  /** Negative: sent to the bank. */
  readonly bank_cents: Cents;
  readonly other_cents: Cents;
  /** Net of everything that other shops did with the same account at the processor. */
  readonly other_shops_cents: Cents;
  readonly closing_cents: Cents;
}

/** A UTC day. */
export interface DifferenceDay {
  /** YYYY-MM-DD */
  readonly day: string;
  /** Differences that were open at its end; of today: now. Null: before the processor's first movement. */
  readonly open: Count | null;
}

/** Open differences together. */
export interface OpenDifferences {
  readonly count: Count;
  readonly cents: Cents;
  /** When the oldest of them began; null: there is none. */
  readonly since: Instant | null;
}

/** `get_reconciliation` */
export interface Reconciliation {
  readonly at: Instant;
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  /** The processor's first movement; null: nothing was read from it yet. */
  readonly begins_at: Instant | null;
  /** End of the last complete run; null: there was none. */
  readonly ran_at: Instant | null;
  /** When the next run is due; null: none is planned. */
  readonly again_at: Instant | null;
  /** End of the last run, if it failed. */
  readonly failed_at: Instant | null;
  /** Everything before this instant was compared. Younger movements are on neither side. */
  readonly compared_to: Instant | null;
  /** Payments, refunds, disputes and disputes won; other movements if there are any. */
  readonly kinds: readonly ReconciledKind[];
  readonly processor_cents: Cents;
  readonly ledger_cents: Cents;
  /** The sum of all differences of the period that `list_differences` returns. */
  readonly difference_cents: Cents;
  /** Null: unknown, because nothing was read from the processor, or the period ends before its first movement. */
  readonly walk: ProcessorWalk | null;
  /** Of all periods. */
  readonly open: OpenDifferences;
  readonly open_in_period: OpenDifferences;
  /** The last 30 UTC days, the oldest first. */
  readonly days: readonly DifferenceDay[];
}

/** `theirs_only`: not in the ledger. `ours_only`: not at the processor. `amounts`: both have it with other amounts. */
export type DifferenceKind = 'theirs_only' | 'ours_only' | 'amounts';

/**
 * `nothing`: it has ended, as the money was returned or the entry was reversed. `next_run`: both sides have it; the
 * next run notes it. `retry`: a worker tries again by itself. The others need a person: `admin_retry` an admin,
 * `refund_there` a refund at the processor, `look_there` a look at the processor.
 */
export type DifferenceNeed = 'nothing' | 'next_run' | 'retry' | 'admin_retry' | 'refund_there' | 'look_there';

/** A difference between the processor and the ledger. */
export interface Difference {
  /** Its place; `p_after` accepts it. */
  readonly id: string;
  readonly kind: DifferenceKind;
  readonly movement: MovementKind;
  readonly since: Instant;
  readonly processor_cents: Cents;
  readonly ledger_cents: Cents;
  /** The processor's side less the ledger's. */
  readonly difference_cents: Cents;
  readonly need: DifferenceNeed;
  /** The problem with the payment that admins see, such as `unknown_session`; null: none is known. */
  readonly reason: string | null;
  /** When a worker tries next; null: with the hourly comparison of payments, or not at all. */
  readonly next_try_at: Instant | null;
  /** The number of the next try. */
  readonly next_try: Count;
  /** An admin can settle the payment of this session again (`retry_checkout_admin`). */
  readonly can_retry: boolean;
  readonly session_id: string | null;
  /** The transaction of the processor; null for `ours_only`. */
  readonly transaction_id: string | null;
  readonly payment_intent_id: string | null;
  /** The charge, refund or dispute at the processor. */
  readonly source_id: string | null;
  /** The refund or dispute in the ledger. */
  readonly reversal_id: string | null;
  /** With `event_version` the event: of the ledger's account for `ours_only`, else of the stream `processor`. */
  readonly event_stream: string;
  readonly event_version: Count;
  /** Where a person sees the payment at the processor. */
  readonly processor_url: string;
}

/** `list_differences` */
export interface Differences {
  /** A page, the latest first. */
  readonly differences: readonly Difference[];
  /** `p_after` of the next page; null after the last one. */
  readonly next: string | null;
}

/** `run_reconciliation` */
export interface ReconciliationStarted {
  /** `ran`: it has ended. `running`: this run, or one that had begun before, is not over. */
  readonly state: 'ran' | 'running';
}
