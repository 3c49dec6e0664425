import type { ColumnType } from 'kysely';
import type { TransactionType } from '../contract/credits.js';
import type { CreditKind } from './account/events.js';

/** Filled by the projection `credit_account`: one row per account. */
export interface CreditBalanceTable {
  user_id: string;
  /** Version of the last event that this row includes. */
  version: number;
  /** Whether the sign-up bonus was granted. */
  opened: boolean;
  daily: number;
  /** Expiry of all daily credits of the account; null without daily credits. */
  daily_expires_at: Date | null;
  bonus: number;
  paid: number;
  /** Credits owed for reversed purchases. */
  debt: number;
  lifetime_earned: number;
  /** Deductions net of refunds. */
  lifetime_spent: number;
  /** UTC day, YYYY-MM-DD. */
  last_daily_grant: string | null;
}

/**
 * Filled by the projection `credit_account`: one row per event that changed a balance, and per reversal of a purchase.
 */
export interface CreditTransactionTable {
  user_id: string;
  /** Version of the event in the account's stream: the order of the account's transactions. */
  version: number;
  /** The event's id. */
  id: string;
  created_at: ColumnType<Date, Date | string, never>;
  description: string;
  transaction_type: TransactionType;
  /** Credits, signed. */
  amount: number;
  balance_after: number;
  /** Generation id for deductions and refunds; session id for purchases and reversals. */
  reference_id: string | null;
  creator_id: string | null;
}

/**
 * Filled by the projection `credit_account`: what all accounts together hold, by kind and by the time from which it
 * counts no longer. Equal to the sums of `credit_balance`; no row is zero.
 */
export interface CreditsHeldTable {
  kind: CreditKind;
  /** `infinity` for credits that do not expire. */
  expires_at: Date;
  credits: number;
}

/** The folded state of an account at a version. A cache: it can be emptied at any time. */
export interface CreditAccountSnapshotTable {
  user_id: string;
  /** `FOLD_VERSION` of the build that wrote it. */
  fold_version: number;
  version: number;
  /** Hash of the event at that version. */
  hash: string;
  /** JSON. */
  state: string;
}

/** A grant or adjustment above the daily limit of one admin, for a second admin to decide. */
export interface CreditProposalTable {
  /** Chosen by the proposer; also the id of the grant or adjustment. */
  id: string;
  user_id: string;
  kind: 'grant' | 'adjust';
  /** Credits. */
  amount: number;
  /** As it is stored in the ledger. Empty once the user has closed the account. */
  reason: string;
  proposed_by: string;
  proposed_at: Date;
  state: 'open' | 'approved' | 'declined';
  /** Another admin than the proposer and the user. */
  decided_by: string | null;
  decided_at: Date | null;
  /** When an approved one was seen in the ledger. */
  applied_at: Date | null;
}

/** Tables of the credit context. */
export interface CreditTables {
  credit_account_snapshot: CreditAccountSnapshotTable;
  credit_balance: CreditBalanceTable;
  credit_proposal: CreditProposalTable;
  /** Credits that an admin has granted and taken on a UTC day. */
  admin_grant_day: { admin_id: string; day: string; credits: number };
  credit_transaction: CreditTransactionTable;
  credits_held: CreditsHeldTable;
}
