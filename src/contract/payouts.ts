import { type Cents, type Count, type Day, type Instant } from './scalars.js';

/**
 * Calls about payouts to creators. Amounts are US cents. Finance and admins read, draft, fix and cancel runs. Only
 * admins check them and record what was paid, and never for a run that they have drafted.
 */

/** The latest decision about a run. */
export type PayoutRunStep = 'draft' | 'fix' | 'check' | 'cancel';

/** The state of a payout. */
export type PayoutState = 'drafted' | 'fixed' | 'checked' | 'paid' | 'failed' | 'cancelled';

/**
 * Why a run has no payout for a creator:
 *
 * - `open`: another payout is on its way.
 * - `negative`: more was paid than is payable: a chargeback came after a payout.
 * - `nothing`: nothing is payable.
 * - `below_minimum`: less than the minimum is payable.
 * - `no_details`: there are no payout details.
 * - `details_changed`: they were changed within the last 7 days.
 * - `held`: a person has held the creator's payouts.
 * - `failed_before`: the last transfer failed, and the details are the same.
 */
export type PayoutSkipReason =
  | 'open'
  | 'negative'
  | 'nothing'
  | 'below_minimum'
  | 'no_details'
  | 'details_changed'
  | 'held'
  | 'failed_before';

/**
 * Why a file for the bank leaves a payout out that is on its way:
 *
 * - `no_details`: there are no payout details any more.
 * - `details_changed`: they were changed within the last 7 days.
 * - `ending`: a person began to end the payout, and its end is not recorded. `end_payout` again ends it.
 */
export type PayoutLeftOutReason = 'no_details' | 'details_changed' | 'ending';

/** A payout run: what people decided about it. */
export interface PayoutRun {
  readonly run_id: string;
  /** From 1, without gaps. */
  readonly number: Count;
  /** Shares that became payable before this instant are in it. */
  readonly cutoff: Instant;
  /** A payout below this amount is not made. */
  readonly minimum_cents: Cents;
  readonly step: PayoutRunStep;
  /** True while the worker has not carried out the latest decision for every creator. */
  readonly working: boolean;
  /** Null: the app. */
  readonly drafted_by: string | null;
  readonly drafted_at: Instant;
  readonly fixed_by: string | null;
  readonly fixed_at: Instant | null;
  readonly checked_by: string | null;
  readonly checked_at: Instant | null;
  readonly cancelled_by: string | null;
  readonly cancelled_at: Instant | null;
  readonly cancel_reason: string | null;
  /** Files for the bank that were made, also those that were taken back. A run with a file cannot be cancelled. */
  readonly files: Count;
}

/** A run with the names of its people and the sums of its payouts. The name of a deleted account is null. */
export interface ListedPayoutRun extends PayoutRun {
  readonly drafted_by_name: string | null;
  readonly fixed_by_name: string | null;
  readonly checked_by_name: string | null;
  readonly cancelled_by_name: string | null;
  readonly payouts: readonly PayoutStateSum[];
  /** The people that recorded transfers of the run. */
  readonly recorded_by: readonly { readonly id: string; readonly name: string | null }[];
  /** When the last transfer was recorded; null: none was. */
  readonly recorded_at: Instant | null;
}

/** `list_payout_runs` */
export interface PayoutRuns {
  /** A page, the latest first. */
  readonly runs: readonly ListedPayoutRun[];
  /** `p_before` of the next page; null after the last one. */
  readonly next: Count | null;
}

/** The payouts of a run in a state. */
export interface PayoutStateSum {
  readonly state: PayoutState;
  readonly payouts: Count;
  readonly amount_cents: Cents;
}

/** The creators of a run that have no payout for a reason. */
export interface PayoutSkipSum {
  readonly reason: PayoutSkipReason;
  readonly creators: Count;
  /** Payable at the cutoff, less what was paid before. Negative: owed by the creators. */
  readonly amount_cents: Cents;
}

/** `get_payout_run` */
export interface PayoutRunSums extends ListedPayoutRun {
  /** Creators with earnings that the draft has reached. */
  readonly creators: Count;
  /** Of those that the latest step is about, the number for which it was carried out. */
  readonly carried_out: Count;
  readonly skipped: readonly PayoutSkipSum[];
}

/** A creator of `list_payout_run_creators`. */
export interface PayoutRunCreator {
  readonly creator_id: string;
  /** Null when there is no such creator any more. */
  readonly name: string | null;
  readonly username: string | null;
  /** Payable at the cutoff since the first earning. */
  readonly payable_cents: Cents;
  /** All that was paid before. */
  readonly paid_before_cents: Cents;
  /** Null: no payout; `skipped` says why. */
  readonly payout_id: string | null;
  readonly amount_cents: Cents | null;
  /** Null without a payout, and for the moment until the draft can be read. */
  readonly state: PayoutState | null;
  readonly skipped: PayoutSkipReason | null;
  /** The reason why a file for the bank leaves out a payout that is on its way; null: it does not. */
  readonly left_out: PayoutLeftOutReason | null;
  /** The number of the file for the bank that has the payout, from 1; null: none. */
  readonly file: Count | null;
  /** The latest file that had the payout and was taken back; null: none. */
  readonly taken_back_file: Count | null;
  /** A hold in force keeps the creator out of runs until this instant; null: none. */
  readonly held_until: Instant | null;
  /** Why the creator is held. */
  readonly hold_reason: string | null;
  /** The reference that the transfer carries; null without a payout. */
  readonly reference: string | null;
  /** The bank's own reference; null while it was never paid. A payout that came back keeps it. */
  readonly bank_reference: string | null;
  /** The day of the transfer; null while it was never paid. */
  readonly paid_on: Day | null;
  /** Why it has failed or was cancelled. */
  readonly reason: string | null;
}

/** `list_payout_run_creators` */
export interface PayoutRunCreators {
  /** A page, in the order of the ids. */
  readonly creators: readonly PayoutRunCreator[];
  /** `p_after` of the next page; null after the last one. */
  readonly next: string | null;
}

/** A payout of `list_creator_payouts`. */
export interface CreatorPayout {
  readonly payout_id: string;
  readonly run_id: string;
  /** Null when there is no row of the run. */
  readonly run_number: Count | null;
  readonly state: PayoutState;
  readonly cutoff: Instant;
  readonly payable_cents: Cents;
  readonly paid_before_cents: Cents;
  readonly amount_cents: Cents;
  readonly reference: string;
  readonly drafted_by: string | null;
  readonly drafted_at: Instant;
  readonly fixed_at: Instant | null;
  readonly checked_by: string | null;
  readonly checked_at: Instant | null;
  readonly recorded_by: string | null;
  readonly recorded_by_name: string | null;
  readonly bank_reference: string | null;
  readonly paid_on: Day | null;
  /** When it was paid, has failed or was cancelled. */
  readonly ended_at: Instant | null;
  readonly reason: string | null;
}

/** The last hold of a creator's payouts. */
export interface PayoutHold {
  /** No run takes the creator before this instant. */
  readonly until: Instant;
  /** False: the hold has ended. */
  readonly holds: boolean;
  readonly held_by: string;
  readonly held_by_name: string | null;
  readonly held_at: Instant;
  readonly reason: string;
}

/** `list_creator_payouts` */
export interface CreatorPayouts {
  readonly creator_id: string;
  /** Null when there is no such creator any more. */
  readonly name: string | null;
  readonly username: string | null;
  /** Null: there was none. */
  readonly hold: PayoutHold | null;
  /** A page, the latest first. */
  readonly payouts: readonly CreatorPayout[];
  /** `p_before` of the next page; null after the last one. */
  readonly next: string | null;
}

/** `record_transfers`: the file was taken. The worker records its lines; `get_bank_report` has the outcome. */
export interface TransfersTaken {
  /** SHA-256 of the file, hex: the same file is the same report. */
  readonly report_id: string;
  /** Lines with a transfer. */
  readonly lines: Count;
}

/** A line of a bank's file that was refused. */
export interface RefusedTransfer {
  readonly line: Count;
  readonly reference: string;
  readonly amount_cents: Cents;
  readonly bank_reference: string;
  readonly paid_on: Day;
  /** Why, as a sentence. */
  readonly problem: string;
}

/** `get_bank_report` */
export interface BankReport {
  readonly report_id: string;
  readonly recorded_by: string;
  readonly recorded_by_name: string | null;
  readonly recorded_at: Instant;
  /** False while lines have no outcome. */
  readonly done: boolean;
  readonly lines: Count;
  readonly recorded: Count;
  readonly refused: Count;
  /** A page of the refused lines, in the order of the file. */
  readonly refusals: readonly RefusedTransfer[];
  /** `p_after` of the next page; null after the last one. */
  readonly next: Count | null;
}

/** `make_payout_file`: the payouts of a run that the bank receives together. */
export interface PayoutFile {
  readonly run_id: string;
  /** From 1, in each run. */
  readonly file: Count;
  readonly payouts: Count;
  readonly amount_cents: Cents;
}

/** A file of a run for the bank, in `list_payout_files`. Names are null when the user is not known any more. */
export interface ListedPayoutFile {
  /** From 1, in each run. */
  readonly file: Count;
  readonly made_by: string;
  readonly made_by_name: string | null;
  readonly made_at: Instant;
  /** As it was made. */
  readonly payouts: Count;
  readonly amount_cents: Cents;
  /** Payouts of the file that are neither paid nor have failed. None once it was taken back. */
  readonly due: Count;
  readonly due_cents: Cents;
  /** Null: it was not taken back. */
  readonly taken_back_by: string | null;
  readonly taken_back_by_name: string | null;
  readonly taken_back_at: Instant | null;
  readonly taken_back_reason: string | null;
}

/** `list_payout_files` */
export interface PayoutFiles {
  /** A page, the latest first. */
  readonly files: readonly ListedPayoutFile[];
  /** `p_before` of the next page; null after the last one. */
  readonly next: Count | null;
}

/** The answer of acts on the payouts of one creator. */
export interface PayoutActAnswer {
  readonly success: true;
}

/** Lines of the books of one kind in the period of a statement. */
export interface StatementSum {
  /** Earnings: pictures. Corrections and restorations: changes of earnings. */
  readonly count: Count;
  readonly cents: Cents;
}

/** A self-billed statement in a list: of a payout whose amount is final. */
export interface ListedPayoutStatement {
  readonly payout_id: string;
  /** Number of the statement, and the reference that the transfer carries. It follows from the run and the creator. */
  readonly number: string;
  /** Null when there is no row of the run. */
  readonly run_number: Count | null;
  /** The cutoff of the previous statement; null: since the first earning. */
  readonly from: Instant | null;
  /** Shares that became payable before this instant are in it. */
  readonly cutoff: Instant;
  readonly fixed_at: Instant;
  readonly amount_cents: Cents;
  readonly state: PayoutState;
  /** The bank's own reference; null while it was never paid. A payout that came back keeps it. */
  readonly bank_reference: string | null;
  /** The day of the transfer; null while it was never paid. */
  readonly paid_on: Day | null;
}

/** A statement of `list_payout_statements`. */
export interface CountedPayoutStatement extends ListedPayoutStatement {
  /** Pictures whose earnings became payable in its period. At most 10,000. */
  readonly pictures: Count;
}

/** `list_payout_statements` */
export interface PayoutStatements {
  /** A page, the latest first. */
  readonly statements: readonly CountedPayoutStatement[];
  /** All payouts that are on their way or paid. A payout that failed is not in it: a later one pays its amount. */
  readonly total: {
    readonly payouts: Count;
    /** Pictures whose earnings became payable before the last of their cutoffs. At most 10,000. */
    readonly pictures: Count;
    /** On its way and paid together. */
    readonly amount_cents: Cents;
  };
  /** `p_before` of the next page; null after the last one. */
  readonly next: string | null;
}

/** The recipient of a statement, as the payout details are now. */
export interface StatementRecipient {
  readonly legal_name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The last characters of the account. */
  readonly account_ending: string;
}

/**
 * `get_payout_statement`: opening + earnings + corrections + restorations - paid = amount. Apart from the state of the
 * payout and the recipient's details, it never changes: what is corrected later is in a later statement.
 */
export interface PayoutStatement extends ListedPayoutStatement {
  readonly creator_id: string;
  /** Null when there is no such creator any more. */
  readonly creator_name: string | null;
  /** Only for the creator, and only with payout details; null otherwise. */
  readonly recipient: StatementRecipient | null;
  /** The statement from which the opening balance comes; null for the first one. */
  readonly previous_number: string | null;
  /** The amount of the previous statement; 0 for the first one. */
  readonly opening_cents: Cents;
  /** Earnings that became payable in the period. */
  readonly earnings: StatementSum;
  /** Taken back in the period. The sum is negative. */
  readonly corrections: StatementSum;
  /** Given back in the period. */
  readonly restorations: StatementSum;
  /** Payouts that were paid after the previous statement, less those that came back. */
  readonly paid_cents: Cents;
}

export const PAYOUT_ENDS = ['cancel', 'fail'] as const;
/** How a payout is ended by hand. */
export type PayoutEnd = (typeof PAYOUT_ENDS)[number];
