import { type ImageInfo } from './media.js';
import { type Cents, type Count, type Credits, type Instant } from './scalars.js';

/** Calls of auditors. Amounts are credits, instants ISO 8601 UTC. No personal data: users are opaque ids. */

export interface AccountBalance {
  readonly daily: Credits;
  readonly bonus: Credits;
  readonly paid: Credits;
  readonly total: Credits;
}

/** The area of a problem: where to look first. */
export type ProblemKind =
  | 'chain'
  | 'version'
  | 'position'
  | 'time'
  | 'event'
  | 'lot'
  | 'deduction'
  | 'purchase'
  | 'conservation'
  | 'projection'
  | 'generation'
  | 'payment'
  | 'policy'
  | 'payout'
  | 'earning'
  | 'processor'
  | 'act'
  | 'log'
  | 'export'
  | 'seal';

/** A problem of the stream from which a response was computed. */
export interface AccountProblem {
  readonly version: Count | null;
  readonly kind: string;
  readonly what: string;
}

/** `get_account_balance_at` */
export interface AccountBalanceAt {
  readonly user_id: string;
  readonly at: Instant;
  /** Spendable credits, without lapsed ones. */
  readonly balance: AccountBalance;
  /** In deductions that had not ended. */
  readonly open: Credits;
  /** For purchases that were reversed after they had been spent. */
  readonly owed: Credits;
  /** Version of the last event that counts; -1: no account yet. */
  readonly version: Count;
  /** Hash of that event. */
  readonly head: string | null;
  /** The first problems. A response with problems proves nothing. */
  readonly problems: readonly AccountProblem[];
}

export interface StatementEntry {
  readonly at: Instant;
  /** Type of the event, or `lapsed`. */
  readonly what: string;
  /** Id of the deduction, lot, purchase, reversal or adjustment; of a repair the account's time before it. */
  readonly reference: string;
  /** Signed; 0 for a settlement. */
  readonly amount: Credits;
  readonly balance: Credits;
  /** Version of the event; null for `lapsed`. */
  readonly version: Count | null;
  /** Hash of the event, as stored; null for `lapsed`. */
  readonly hash: string | null;
  /** Number of the first seal that covers the event; null before it. */
  readonly seal: Count | null;
}

/** `get_account_statement`: opening and closing balance of the period, and a page of the lines between them. */
export interface AccountStatement {
  readonly user_id: string;
  readonly from: Instant;
  /** Not included. */
  readonly to: Instant;
  readonly opening: AccountBalance;
  readonly closing: AccountBalance;
  readonly lines: readonly StatementEntry[];
  /** Number of lines of the whole period. */
  readonly total_lines: Count;
  readonly problems: readonly AccountProblem[];
}

/**
 * `export_ledger_events`: the lines of all pages, in order, each ended by a line feed, are a file for `verify-export`.
 */
export interface LedgerExportPage {
  readonly lines: readonly string[];
  /** `p_cursor` of the next page; null with the last one. */
  readonly next_cursor: string | null;
  /** Users and other streams that this page would hold, and whose events were deleted in the event store. */
  readonly missing_accounts: readonly string[];
}

/** A problem that the continuous verification found. */
export interface LedgerProblemFound extends AccountProblem {
  readonly stream: string;
  readonly found_at: Instant;
}

/** `get_ledger_verification`: what the continuous verification knows. */
export interface LedgerVerification {
  /** Everything that was stored before this instant is verified; null before the first run. */
  readonly verified_until: Instant | null;
  /** End of the last run that succeeded; null before the first. */
  readonly succeeded_at: Instant | null;
  /** Events verified since the beginning. */
  readonly events: Count;
  readonly problems: Count;
  /** The first problems. */
  readonly first: readonly LedgerProblemFound[];
}

/** Records that a full verification compared. */
export interface VerificationCounts {
  readonly accounts: Count;
  /** Events of accounts. */
  readonly account_events: Count;
  /** Events of all streams. */
  readonly events: Count;
  readonly policy_events: Count;
  readonly payout_events: Count;
  readonly earning_events: Count;
  readonly processor_events: Count;
  /** Entries of the log of acts. */
  readonly acts: Count;
  readonly generations: Count;
  /** Those of them that have not ended. */
  readonly open_generations: Count;
  readonly checkouts: Count;
  /** Rows by the name of their projection. */
  readonly rows: readonly { readonly projection: string; readonly rows: Count }[];
  /** Rows by name that no hash covers, because they were made before there were hashes. Missing in older results. */
  readonly uncovered?: readonly { readonly name: string; readonly rows: Count }[];
  /** Leaves and checkpoints of the public log. */
  readonly leaves: Count;
  readonly checkpoints: Count;
  /** Seals in the database, whose chain was checked. */
  readonly seals: Count;
  /** Heads of streams in the seal. */
  readonly sealed_streams: Count;
  /** Events after the seal; 0 without a seal. */
  readonly unsealed_events: Count;
}

/** The seal that a verification compared with. */
export interface ComparedSeal {
  readonly number: Count;
  /** It covers everything that was stored before. */
  readonly started_at: Instant;
}

/** The result of a full verification. */
export interface VerificationResult {
  /** The newest seal whose file the server has; null without one, or when the file is not valid. */
  readonly seal: ComparedSeal | null;
  /** Events in the checkpoint of the public log that the server keeps outside of the database; null without one. */
  readonly checkpoint_size: Count | null;
  readonly compared: VerificationCounts;
  /** Numbers of problems. Kinds without problems are missing. */
  readonly problems_by_kind: readonly { readonly kind: ProblemKind; readonly problems: Count }[];
  /** The first problems, at most 50. */
  readonly first: readonly VerificationProblem[];
}

/** A problem of the ledger, as a full verification finds it. */
export interface VerificationProblem {
  readonly stream: string;
  /** Version of the event at which the problem shows; null when it concerns the stream. */
  readonly version: Count | null;
  readonly kind: ProblemKind;
  /** The problem as a sentence. */
  readonly what: string;
}

/** A full verification on demand. */
export interface VerificationRun {
  readonly id: Count;
  readonly requested_at: Instant;
  /** Id of the auditor. */
  readonly requested_by: string;
  /** Name of the auditor; null without one, and when the account is closed. */
  readonly requested_by_name: string | null;
  /** Null while it waits. A run that was interrupted starts again. */
  readonly started_at: Instant | null;
  /** Null while it waits or is in progress. */
  readonly ended_at: Instant | null;
  /** Events of accounts verified so far, and of all streams once it has ended. */
  readonly events: Count;
  readonly problems: Count;
  /** Null until it has ended, and when it failed. */
  readonly result: VerificationResult | null;
  /** Why it failed, as a sentence; null when it did not. */
  readonly failure: string | null;
}

/** `list_verification_runs`: the newest first. */
export interface VerificationRunsPage {
  readonly runs: readonly VerificationRun[];
  /** `p_after` of the next page; null with the last one. */
  readonly next: Count | null;
}

/** An account in a list. Version, head and time are those of the last event of its stream. */
export interface LedgerAccount {
  readonly user_id: string;
  /** Null when the stream has no events. */
  readonly version: Count | null;
  readonly head: string | null;
  readonly last_event_at: string | null;
  /** By the projection. */
  readonly balance: AccountBalance;
  readonly owed: Credits;
  /** Version up to which the projection made the balance. */
  readonly balance_version: Count;
}

/** `list_ledger_accounts`: a page of accounts by user id. */
export interface LedgerAccountsPage {
  readonly accounts: readonly LedgerAccount[];
  /** `p_after` of the next page; null with the last one. */
  readonly next: string | null;
}

/** An event of the ledger. */
export interface LedgerEvent {
  readonly stream: string;
  readonly version: Count;
  readonly type: string;
  /** When it occurred, as it states. */
  readonly at: string | null;
  readonly event_id: string;
  /** Content of the event, as stored. */
  readonly data: object;
  readonly metadata: object;
}

/** `get_account_event`: an event of an account with its neighbours in the hash chain and its leaf in the public log. */
export interface AccountEvent {
  readonly event: LedgerEvent;
  readonly recorded_at: Instant;
  /** Hash of the event, as stored. */
  readonly hash: string | null;
  /** Hash of the event before it; null for the first event. */
  readonly previous_hash: string | null;
  /** Hash of the event after it; null for the last event. */
  readonly next_hash: string | null;
  /** Whether its content and the hash before it give its hash. */
  readonly intact: boolean;
  /** The first seal that covers the event: it began after the event was stored. Null before it. */
  readonly seal: { readonly number: Count; readonly started_at: Instant } | null;
  /** Null until the event is in the public log. */
  readonly leaf: {
    readonly index: Count;
    /** Whether the published checkpoint covers it. */
    readonly covered: boolean;
    /** Leaves of the published checkpoint. */
    readonly checkpoint_size: Count;
  } | null;
  /** The picture of the event's deduction; null without one, and when it was deleted. */
  readonly picture: EventPicture | null;
  /** The shares of creators that the event makes or changes in the books; empty until the books have the event. */
  readonly earned: readonly EventShare[];
  /** The part of Fanvas in the same credits. */
  readonly platform_cents: Cents;
}

/** The picture that credits were taken for. */
export interface EventPicture {
  readonly id: string;
  readonly status: 'pending' | 'completed' | 'failed';
  readonly creator_name: string | null;
  /** The page of the picture, if everyone may see it. */
  readonly path: string | null;
  /** Only of a picture that everyone may see. */
  readonly image: ImageInfo | null;
  /** Only of a picture that everyone may see. */
  readonly prompt: string | null;
}

/** A line of a creator's share. */
export interface EventShare {
  readonly creator_id: string;
  /** Null for a creator that is gone. */
  readonly creator_name: string | null;
  /** Above zero: the creator gains. */
  readonly cents: Cents;
  readonly payable_at: Instant;
}

/** `find_ledger_events`: the events that mention an id, in the order in which they were stored. */
export interface LedgerEventsPage {
  readonly events: readonly LedgerEvent[];
  /** `p_after` of the next page; null with the last one. */
  readonly next: string | null;
  /** False: without an index, only the account of the user, checkout session or generation was searched. */
  readonly complete: boolean;
}

/** A seal of the ledger. */
export interface LedgerSeal {
  readonly number: Count;
  readonly sealed_at: Instant;
  /** When every target had it; null before. */
  readonly published_at: Instant | null;
  /** The signed last line of its file. */
  readonly line: string;
}

/** `list_ledger_seals`: a page of seals. */
export interface LedgerSealsPage {
  readonly seals: readonly LedgerSeal[];
  /** `p_after` of the next page; null with the last one. */
  readonly next: Count | null;
}

/** `get_ledger_seal`: lines of a seal's file. All of them, in order and each ended by a line feed, are the file. */
export interface LedgerSealPart {
  readonly lines: readonly string[];
  /** `p_offset` of the next part; null with the last one. */
  readonly next_offset: Count | null;
}

/** `get_ledger_proof`: proves with the public key alone that a seal contains the last event of an account. */
export interface LedgerProof {
  /** Line of the account in the seal: stream, version and hash of the last event. */
  readonly head: string;
  /** Index of that line. */
  readonly index: Count;
  /** Audit path of RFC 6962, lower-case hex. */
  readonly path: readonly string[];
  /** The signed last line of the seal. */
  readonly seal: string;
}
