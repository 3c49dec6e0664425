import type { ColumnType } from 'kysely';
import type { TransactionType } from '../contract/credits.js';

/** Made by the projection `credit_balance` from the account's events: one row per account. */
export interface CreditBalanceTable {
  user_id: string;
  /** Version of the account's stream up to which this row tells. */
  version: number;
  /** Whether the sign-up bonus was granted. */
  opened: boolean;
  daily: number;
  /** When the daily credits lapse; all of an account's daily credits lapse at once. Null while there are none. */
  daily_expires_at: Date | null;
  bonus: number;
  paid: number;
  /** Credits owed for purchases whose money went back. */
  debt: number;
  lifetime_earned: number;
  /** Deductions net of refunds. */
  lifetime_spent: number;
  /** UTC day, YYYY-MM-DD. */
  last_daily_grant: string | null;
}

/** Made by the projection `credit_transaction`: one row per event that changed a balance, and per reversal of a purchase. */
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
  /** The generation, for what a generation took or gave back; the session id, for what a purchase did. */
  reference_id: string | null;
  creator_id: string | null;
}

/** What the fold of an account's stream came to at a version. Saves reading, and can be emptied at any time. */
export interface CreditAccountSnapshotTable {
  user_id: string;
  /** `FOLD_VERSION` of the build that wrote it. */
  fold_version: number;
  version: number;
  /** Of the event at that version. */
  hash: string;
  /** JSON. */
  state: string;
}

/** Tables of the credit context. */
export interface CreditTables {
  credit_account_snapshot: CreditAccountSnapshotTable;
  credit_balance: CreditBalanceTable;
  credit_transaction: CreditTransactionTable;
}
