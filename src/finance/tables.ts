import { type RevenuePurchaseTable } from '../revenue/index.js';
import { type AccountNumber } from './chart-of-accounts.js';
import { type RunTables } from './runs/run-tables.js';
import { type TransactionKind } from './processor/events.js';
import { type ProcessorAccount } from './processor/transactions.js';
import { type PayoutAccount, type PayoutStep } from './payouts/payout-entries.js';

/**
 * A line of the journal. The lines of one event sum to zero cents. The projection `books` inserts these rows and never
 * changes them.
 */
export interface BookEntryTable {
  /** The fan. With `version` it names the event. */
  user_id: string;
  /** Version of the event in the account's stream. */
  version: number;
  /** Index of the line among those of the event, from 0. */
  line: number;
  account: AccountNumber;
  /** Type of the event. */
  event_type: string;
  occurred_at: Date;
  /** US cents: debit positive, credit negative. */
  cents: number;
  /**
   * Credits, signed like cents. The balances of customer credits and promotional credits are the unspent credits. On
   * platform revenue: the credits that earned. 0 on all other accounts.
   */
  credits: number;
  /** The purchase; null for promotional credits. */
  lot_id: string | null;
  /** UTC month of the purchase, YYYY-MM; null except for customer credits. */
  bought_month: string | null;
  /** The image of an earning or a correction of it; else null. */
  deduction_id: string | null;
  creator_id: string | null;
  /** The refund or dispute that took an earning back, or moved money; else null. */
  reversal_id: string | null;
  /** A share of a creator is payable from this instant on; null for all other lines. */
  payable_at: Date | null;
}

/** The state of a purchase from which its next entries follow. */
export interface BookPurchaseTable extends RevenuePurchaseTable {
  /** UTC month of the purchase, YYYY-MM; null while it is unknown. */
  bought_month: string | null;
  /** Credits that are unspent, or in generations that have not ended. */
  unspent: number;
  /** Refunds and disputes, the oldest first. */
  reversals: ReversalEntry[];
}

/** The processor's id, the cause, US cents. */
export type ReversalEntry = [reversalId: string, cause: 'refund' | 'dispute', cents: number];

/** Sums of the journal by account and UTC hour, day and month. */
export interface BookSumTable {
  /** {@link ACCOUNT}. Rows of `creatorPayable` sum the lines of `creatorShare` by the time when they become payable. */
  account: AccountNumber;
  unit: 'hour' | 'day' | 'month';
  /** Start of the hour, day or month, UTC. */
  starts_at: Date;
  cents: number;
  credits: number;
}

/** Sums of the lines of creators' shares by creator and UTC day and month. */
export interface BookCreatorSumTable {
  creator_id: string;
  /** `creatorShare`: by the time of the event. `creatorPayable`: by the time when the lines become payable. */
  account: AccountNumber;
  unit: 'day' | 'month';
  starts_at: Date;
  cents: number;
}

/** Sums of the lines of customer credits by month and the month of the purchase. */
export interface BookDeferredMonthTable {
  /** UTC, YYYY-MM. */
  month: string;
  bought_month: string;
  cents: number;
  credits: number;
}

/** A payout, from its draft to its end. The projection `payouts` maintains these rows. */
export interface PayoutTable {
  payout_id: string;
  creator_id: string;
  run_id: string;
  step: PayoutStep;
  /** Shares that became payable before this instant are in it. */
  cutoff: Date;
  /** Payable at the cutoff since the first earning, US cents. */
  payable_cents: number;
  /** All that was paid before, US cents. */
  paid_before_cents: number;
  amount_cents: number;
  minimum_cents: number;
  /** Null: the app. */
  drafted_by: string | null;
  drafted_at: Date;
  fixed_at: Date | null;
  checked_by: string | null;
  checked_at: Date | null;
  /** The bank's reference. */
  reference: string | null;
  /** UTC day, YYYY-MM-DD. */
  paid_on: string | null;
  recorded_by: string | null;
  ended_at: Date | null;
  /** Why it failed or was cancelled. */
  reason: string | null;
}

/** The last hold of a creator's payouts. It may have ended. */
export interface PayoutHoldTable {
  creator_id: string;
  until: Date;
  held_by: string;
  reason: string;
  held_at: Date;
}

/**
 * A line of an event of a payout, with the accounts of rule 1: `creatorPayable`, `payoutsUnderWay` or
 * `payoutsPaid`. `books-rule.ts` has the accounts of the journal. The lines of one event sum to zero.
 */
export interface PayoutEntryTable {
  /** With `version` it names the event. */
  stream: string;
  version: number;
  line: number;
  account: PayoutAccount;
  event_type: string;
  occurred_at: Date;
  /** US cents: debit positive. */
  cents: number;
  creator_id: string;
  payout_id: string;
}

/** Sums of the lines of payouts by account and UTC hour, day and month. */
export interface PayoutSumTable {
  account: PayoutAccount;
  unit: 'hour' | 'day' | 'month';
  starts_at: Date;
  cents: number;
}

/** A change of the balance at the processor. The projection `processor` maintains these rows. */
export interface ProcessorTransactionTable {
  transaction_id: string;
  /** Version of the event that recorded it. */
  version: number;
  kind: TransactionKind;
  /** US cents, positive when the balance grows. */
  gross_cents: number;
  fee_cents: number;
  net_cents: number;
  source_id: string | null;
  /** The order of an admin that caused the refund. */
  order_id: string | null;
  payment_intent_id: string | null;
  created_at: Date;
  available_on: Date;
  /** The purchase; null while the ledger has nothing for it. */
  session_id: string | null;
  /** The reversal in the ledger. */
  reversal_id: string | null;
  matched_cents: number;
  /** Version of the event that says that it is another shop's; null: it is ours. */
  disowned_version: number | null;
}

/** A line of the journal that an event of the processor has made. Those of one event sum to zero. */
export interface ProcessorEntryTable {
  version: number;
  line: number;
  account: ProcessorAccount;
  event_type: string;
  /**
   * When the processor made the transaction, or when the ledger was found to have it. Of a transaction of a closed
   * month: when the event was recorded.
   */
  occurred_at: Date;
  /** US cents: debit positive. */
  cents: number;
  transaction_id: string;
  session_id: string | null;
  reversal_id: string | null;
}

/** Sums of the lines of the processor by account and UTC hour, day and month. */
export interface ProcessorSumTable {
  account: ProcessorAccount;
  unit: 'hour' | 'day' | 'month';
  starts_at: Date;
  cents: number;
}

/** A closed month. The projection `processor` inserts these rows and never changes them. */
export interface ClosedMonthTable {
  /** UTC, YYYY-MM. */
  month: string;
  /** Version of the event. */
  version: number;
  closed_at: Date;
  closed_by: string;
  /** The trial balance of its end, as the event has it: JSON. */
  balances: string;
  /** The parts of account 2100 at its end, as the event has them: JSON. Null: version 1 of the event. */
  creator_share: string | null;
}

/** The last event of an account whose shares are recorded in the streams of creators. One row at most. */
export interface EarningPositionTable {
  stream: string;
  version: number;
  event_id: string;
}

/** Version of the last event of a creator's stream of earnings, as of {@link EarningPositionTable}. */
export interface EarningHeadTable {
  creator_id: string;
  version: number;
}

/** Sums of the changes of the balance by kind and UTC day and month, by the time of the processor. */
export interface ProcessorKindSumTable {
  /** `otherShop`: every transaction of another shop. */
  kind: TransactionKind | 'otherShop';
  unit: 'day' | 'month';
  starts_at: Date;
  /** Number of transactions. */
  transactions: number;
  gross_cents: number;
  fee_cents: number;
  /** Number of those that the ledger has. */
  matched: number;
  /** Their amounts in the ledger. */
  matched_cents: number;
}

/** A line of the ledger that the processor had nothing for when both were compared. `ProcessorReader` writes it. */
export interface ReconciliationGapTable {
  /** With `version` and `line` it names the line in `book_entry`. */
  user_id: string;
  version: number;
  line: number;
  /** The kind that its transaction would have. */
  kind: TransactionKind;
  session_id: string;
  /** Null for the purchase itself. */
  reversal_id: string | null;
  /** US cents, positive when the balance grows. */
  cents: number;
  occurred_at: Date;
  /** When the transaction was found; null: it is missing. */
  ended_at: Date | null;
}

/** The session of a transaction that the ledger does not have, as the processor names it. The reader writes it. */
export interface ReconciliationSessionTable {
  transaction_id: string;
  /** Null: the payment has no session. */
  session_id: string | null;
  looked_up_at: Date;
}

/** One row: when both sides were compared, and when they are again. */
export interface ReconciliationRunTable {
  name: string;
  next_at: Date;
  /** End of the last complete run. */
  ran_at: Date | null;
  /** End of the last run, if it failed. */
  failed_at: Date | null;
  /** Everything before this instant was compared. */
  compared_to: Date | null;
}

/** Tables of the finance context. */
export interface FinanceTables extends RunTables {
  book_entry: BookEntryTable;
  book_purchase: BookPurchaseTable;
  book_sum: BookSumTable;
  book_creator_sum: BookCreatorSumTable;
  book_deferred_month: BookDeferredMonthTable;
  payout: PayoutTable;
  payout_hold: PayoutHoldTable;
  payout_entry: PayoutEntryTable;
  payout_sum: PayoutSumTable;
  processor_transaction: ProcessorTransactionTable;
  processor_entry: ProcessorEntryTable;
  processor_sum: ProcessorSumTable;
  book_closed_month: ClosedMonthTable;
  earning_position: EarningPositionTable;
  earning_head: EarningHeadTable;
  processor_kind_sum: ProcessorKindSumTable;
  reconciliation_gap: ReconciliationGapTable;
  reconciliation_session: ReconciliationSessionTable;
  reconciliation_run: ReconciliationRunTable;
}
