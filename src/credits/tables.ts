import type { TransactionType } from '../contract/credits.js';
import {
  bigint,
  boolean,
  integer,
  nullable,
  projectedTable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from '../platform/database/projected-table.js';
import type { CreditKind } from './account/events.js';

/** Filled by the projection `credit_account`: one row per account. */
export const CREDIT_BALANCE = projectedTable('credit_balance', ['user_id'], {
  user_id: text(),
  /** Version of the last event that this row includes. */
  version: integer(),
  /** Whether the sign-up bonus was granted. */
  opened: boolean(),
  daily: bigint(),
  /** Expiry of all daily credits of the account; null without daily credits. */
  daily_expires_at: nullable(timestamptz()),
  bonus: bigint(),
  paid: bigint(),
  /** Credits owed for reversed purchases. */
  debt: bigint(),
  lifetime_earned: bigint(),
  /** Deductions net of refunds. */
  lifetime_spent: bigint(),
  /** UTC day, YYYY-MM-DD. */
  last_daily_grant: nullable(text()),
});
export type CreditBalanceTable = RowOf<typeof CREDIT_BALANCE>;

/**
 * Filled by the projection `credit_account`: one row per event that changed a balance, and per reversal of a purchase.
 */
export const CREDIT_TRANSACTION = projectedTable('credit_transaction', ['user_id', 'version'], {
  user_id: text(),
  /** Version of the event in the account's stream: the order of the account's transactions. */
  version: integer(),
  /** The event's id. */
  id: uuid(),
  created_at: timestamptz(),
  description: text(),
  transaction_type: text<TransactionType>(),
  /** Credits, signed. */
  amount: bigint(),
  balance_after: bigint(),
  /** Generation id for deductions and refunds; session id for purchases and reversals. */
  reference_id: nullable(text()),
  creator_id: nullable(text()),
});
export type CreditTransactionTable = RowOf<typeof CREDIT_TRANSACTION>;

/**
 * Filled by the projection `credit_account`: what all accounts together hold, by kind and by the time from which it
 * counts no longer. Equal to the sums of `credit_balance`; no row is zero.
 */
export const CREDITS_HELD = projectedTable('credits_held', ['expires_at', 'kind'], {
  kind: text<CreditKind>(),
  /** `infinity` for credits that do not expire. */
  expires_at: timestamptz(),
  credits: bigint(),
});
export type CreditsHeldTable = RowOf<typeof CREDITS_HELD>;

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
