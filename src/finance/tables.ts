import { type MonthCloseState } from '../contract/finance.js';
import {
  bigint,
  boolean,
  integer,
  jsonb,
  nullable,
  projectedTable,
  type RowOf,
  smallint,
  text,
  timestamptz,
  uuid,
} from '../platform/database/projected-table.js';
import { type AccountNumber } from './chart-of-accounts.js';
import { type RunTables } from './runs/run-tables.js';
import { type MonthClosed, type ShareParts, type TransactionKind } from './processor/events.js';
import { type ProcessorAccount } from './processor/transactions.js';
import { type PayoutAccount, type PayoutStep } from './payouts/payout-entries.js';

/**
 * A line of the journal. The lines of one event sum to zero cents. The projection `books` inserts these rows and never
 * changes them.
 */
export const BOOK_ENTRY = projectedTable('book_entry', ['user_id', 'version', 'line'], {
  /** The fan. With `version` it names the event. */
  user_id: text(),
  /** Version of the event in the account's stream. */
  version: integer(),
  /** Index of the line among those of the event, from 0. */
  line: integer(),
  account: smallint<AccountNumber>(),
  /** Type of the event. */
  event_type: text(),
  occurred_at: timestamptz(),
  /** US cents: debit positive, credit negative. */
  cents: bigint(),
  /**
   * Credits, signed like cents. The balances of customer credits and promotional credits are the unspent credits. On
   * platform revenue: the credits that earned. 0 on all other accounts.
   */
  credits: bigint(),
  /** The purchase; null for promotional credits. */
  lot_id: nullable(text()),
  /** UTC month of the purchase, YYYY-MM; null except for customer credits. */
  bought_month: nullable(text()),
  /** The image of an earning or a correction of it; else null. */
  deduction_id: nullable(text()),
  creator_id: nullable(text()),
  /** The refund or dispute that took an earning back, or moved money; else null. */
  reversal_id: nullable(text()),
  /** A share of a creator is payable from this instant on; null for all other lines. */
  payable_at: nullable(timestamptz()),
});
export type BookEntryTable = RowOf<typeof BOOK_ENTRY>;

/** The state of a purchase from which its next entries follow. */
export const BOOK_PURCHASE = projectedTable('book_purchase', ['user_id', 'lot_id'], {
  user_id: text(),
  lot_id: text(),
  /** Credits bought; null while the purchase is unknown. */
  credits: nullable(bigint()),
  /** US cents paid for all of them; null while the purchase is unknown. */
  amount_cents: nullable(bigint()),
  /** UTC month of the purchase, YYYY-MM; null while it is unknown. */
  bought_month: nullable(text()),
  /** Credits that are unspent, or in generations that have not ended. */
  unspent: bigint(),
  /** Refunds and disputes, the oldest first. */
  reversals: jsonb<ReversalEntry[]>(),
});
export type BookPurchaseTable = RowOf<typeof BOOK_PURCHASE>;

/** The processor's id, the cause, US cents. */
export type ReversalEntry = [reversalId: string, cause: 'refund' | 'dispute', cents: number];

/** Sums of the journal by account and UTC hour, day and month. */
export const BOOK_SUM = projectedTable('book_sum', ['unit', 'account', 'starts_at'], {
  /** {@link ACCOUNT}. Rows of `creatorPayable` sum the lines of `creatorShare` by the time when they become payable. */
  account: smallint<AccountNumber>(),
  unit: text<'hour' | 'day' | 'month'>(),
  /** Start of the hour, day or month, UTC. */
  starts_at: timestamptz(),
  cents: bigint(),
  credits: bigint(),
});
export type BookSumTable = RowOf<typeof BOOK_SUM>;

/** Sums of the lines of creators' shares by creator and UTC day and month. */
export const BOOK_CREATOR_SUM = projectedTable('book_creator_sum', ['unit', 'account', 'creator_id', 'starts_at'], {
  creator_id: text(),
  /** `creatorShare`: by the time of the event. `creatorPayable`: by the time when the lines become payable. */
  account: smallint<AccountNumber>(),
  unit: text<'day' | 'month'>(),
  starts_at: timestamptz(),
  cents: bigint(),
});
export type BookCreatorSumTable = RowOf<typeof BOOK_CREATOR_SUM>;

/** Sums of the lines of customer credits by month and the month of the purchase. */
export const BOOK_DEFERRED_MONTH = projectedTable('book_deferred_month', ['month', 'bought_month'], {
  /** UTC, YYYY-MM. */
  month: text(),
  bought_month: text(),
  cents: bigint(),
  credits: bigint(),
});
export type BookDeferredMonthTable = RowOf<typeof BOOK_DEFERRED_MONTH>;

/** A payout, from its draft to its end. The projection `payouts` maintains these rows. */
export const PAYOUT = projectedTable('payout', ['payout_id'], {
  payout_id: text(),
  creator_id: text(),
  run_id: text(),
  step: text<PayoutStep>(),
  /** Shares that became payable before this instant are in it. */
  cutoff: timestamptz(),
  /** Payable at the cutoff since the first earning, US cents. */
  payable_cents: bigint(),
  /** All that was paid before, US cents. */
  paid_before_cents: bigint(),
  amount_cents: bigint(),
  minimum_cents: bigint(),
  /** Null: the app. */
  drafted_by: nullable(text()),
  drafted_at: timestamptz(),
  fixed_at: nullable(timestamptz()),
  checked_by: nullable(text()),
  checked_at: nullable(timestamptz()),
  /** The bank's reference. */
  reference: nullable(text()),
  /** UTC day, YYYY-MM-DD. */
  paid_on: nullable(text()),
  recorded_by: nullable(text()),
  ended_at: nullable(timestamptz()),
  /** Why it failed or was cancelled. */
  reason: nullable(text()),
});
export type PayoutTable = RowOf<typeof PAYOUT>;

/** The last hold of a creator's payouts. It may have ended. */
export const PAYOUT_HOLD = projectedTable('payout_hold', ['creator_id'], {
  creator_id: text(),
  until: timestamptz(),
  held_by: text(),
  reason: text(),
  held_at: timestamptz(),
});
export type PayoutHoldTable = RowOf<typeof PAYOUT_HOLD>;

/**
 * A line of an event of a payout, with the accounts of rule 1: `creatorPayable`, `payoutsUnderWay` or
 * `payoutsPaid`. `books-rule.ts` has the accounts of the journal. The lines of one event sum to zero.
 */
export const PAYOUT_ENTRY = projectedTable('payout_entry', ['stream', 'version', 'line'], {
  /** With `version` it names the event. */
  stream: text(),
  version: integer(),
  line: integer(),
  account: smallint<PayoutAccount>(),
  event_type: text(),
  occurred_at: timestamptz(),
  /** US cents: debit positive. */
  cents: bigint(),
  creator_id: text(),
  payout_id: text(),
});
export type PayoutEntryTable = RowOf<typeof PAYOUT_ENTRY>;

/** Sums of the lines of payouts by account and UTC hour, day and month. */
export const PAYOUT_SUM = projectedTable('payout_sum', ['unit', 'account', 'starts_at'], {
  account: smallint<PayoutAccount>(),
  unit: text<'hour' | 'day' | 'month'>(),
  starts_at: timestamptz(),
  cents: bigint(),
});

/** A change of the balance at the processor. The projection `processor` maintains these rows. */
export const PROCESSOR_TRANSACTION = projectedTable('processor_transaction', ['transaction_id'], {
  transaction_id: text(),
  /** Version of the event that recorded it. */
  version: integer(),
  kind: text<TransactionKind>(),
  /** US cents, positive when the balance grows. */
  gross_cents: bigint(),
  fee_cents: bigint(),
  net_cents: bigint(),
  source_id: nullable(text()),
  /** The order of an admin that caused the refund. */
  order_id: nullable(text()),
  payment_intent_id: nullable(text()),
  created_at: timestamptz(),
  available_on: timestamptz(),
  /** The purchase; null while the ledger has nothing for it. */
  session_id: nullable(text()),
  /** The reversal in the ledger. */
  reversal_id: nullable(text()),
  matched_cents: bigint(),
  /** Version of the event that says that it is another shop's; null: it is ours. */
  disowned_version: nullable(integer()),
});
export type ProcessorTransactionTable = RowOf<typeof PROCESSOR_TRANSACTION>;

/** A line of the journal that an event of the processor has made. Those of one event sum to zero. */
export const PROCESSOR_ENTRY = projectedTable('processor_entry', ['version', 'line'], {
  version: integer(),
  line: integer(),
  account: smallint<ProcessorAccount>(),
  event_type: text(),
  /**
   * When the processor made the transaction, or when the ledger was found to have it. Of a transaction of a closed
   * month: when the event was recorded.
   */
  occurred_at: timestamptz(),
  /** US cents: debit positive. */
  cents: bigint(),
  transaction_id: text(),
  session_id: nullable(text()),
  reversal_id: nullable(text()),
});
export type ProcessorEntryTable = RowOf<typeof PROCESSOR_ENTRY>;

/** Sums of the lines of the processor by account and UTC hour, day and month. */
export const PROCESSOR_SUM = projectedTable('processor_sum', ['unit', 'account', 'starts_at'], {
  account: smallint<ProcessorAccount>(),
  unit: text<'hour' | 'day' | 'month'>(),
  starts_at: timestamptz(),
  cents: bigint(),
});

/** A closed month. The projection `processor` inserts these rows and never changes them. */
export const BOOK_CLOSED_MONTH = projectedTable('book_closed_month', ['month'], {
  /** UTC, YYYY-MM. */
  month: text(),
  /** Version of the event. */
  version: integer(),
  closed_at: timestamptz(),
  closed_by: text(),
  /** The trial balance of its end, as the event has it. */
  balances: jsonb<MonthClosed['balances']>(),
  /** The parts of account 2100 at its end, as the event has them. Null: version 1 of the event. */
  creator_share: nullable(jsonb<ShareParts>()),
});
export type ClosedMonthTable = RowOf<typeof BOOK_CLOSED_MONTH>;

/** A person's wish to close a month with the figures that they saw. One of a month waits at a time. */
export const MONTH_CLOSE = projectedTable('month_close', ['id'], {
  /** The id of its act, too. */
  id: uuid(),
  month: text(),
  /** The figures that the person saw, as `get_month_closing` writes them. */
  figures: text(),
  asked_by: text(),
  asked_at: timestamptz(),
  state: text<MonthCloseState>(),
  /** The figures that were found instead, written alike, once it is `changed`. */
  found: nullable(text()),
  /** Why it waits or is refused: a sentence. */
  obstacle: nullable(text()),
});
export type MonthCloseTable = RowOf<typeof MONTH_CLOSE>;

/** One row, by the audit. */
export const LOG_REACH = projectedTable('log_reach', ['name'], {
  name: text<'log'>(),
  /** The public log has every event that was stored until then. Null: it cannot go on. */
  complete_until: nullable(timestamptz()),
});

/** The last event of an account whose shares are recorded in the streams of creators. One row at most. */
export const EARNING_POSITION = projectedTable('earning_position', ['only_row'], {
  only_row: boolean<true>(),
  stream: text(),
  version: integer(),
  event_id: uuid(),
});
export type EarningPositionTable = RowOf<typeof EARNING_POSITION>;

/** Version of the last event of a creator's stream of earnings, as of {@link EARNING_POSITION}. */
export const EARNING_HEAD = projectedTable('earning_head', ['creator_id'], {
  creator_id: text(),
  version: integer(),
});
export type EarningHeadTable = RowOf<typeof EARNING_HEAD>;

/** Sums of the changes of the balance by kind and UTC day and month, by the time of the processor. */
export const PROCESSOR_KIND_SUM = projectedTable('processor_kind_sum', ['unit', 'starts_at', 'kind'], {
  /** `otherShop`: every transaction of another shop. */
  kind: text<TransactionKind | 'otherShop'>(),
  unit: text<'day' | 'month'>(),
  starts_at: timestamptz(),
  /** Number of transactions. */
  transactions: bigint(),
  gross_cents: bigint(),
  fee_cents: bigint(),
  /** Number of those that the ledger has. */
  matched: bigint(),
  /** Their amounts in the ledger. */
  matched_cents: bigint(),
});
export type ProcessorKindSumTable = RowOf<typeof PROCESSOR_KIND_SUM>;

/** A line of the ledger that the processor had nothing for when both were compared. `LedgerComparison` writes it. */
export const RECONCILIATION_GAP = projectedTable('reconciliation_gap', ['user_id', 'version', 'line'], {
  /** With `version` and `line` it names the line in `book_entry`. */
  user_id: text(),
  version: integer(),
  line: integer(),
  /** The kind that its transaction would have. */
  kind: text<TransactionKind>(),
  session_id: text(),
  /** Null for the purchase itself. */
  reversal_id: nullable(text()),
  /** US cents, positive when the balance grows. */
  cents: bigint(),
  occurred_at: timestamptz(),
  /** When the transaction was found; null: it is missing. */
  ended_at: nullable(timestamptz()),
});

/** The session of a transaction that the ledger does not have, as the processor names it. */
export const RECONCILIATION_SESSION = projectedTable('reconciliation_session', ['transaction_id'], {
  transaction_id: text(),
  /** Null: the payment has no session. */
  session_id: nullable(text()),
  looked_up_at: timestamptz(),
});

/** One row: when both sides were compared, and when they are again. */
export const RECONCILIATION_RUN = projectedTable('reconciliation_run', ['name'], {
  name: text(),
  next_at: timestamptz(),
  /** End of the last complete run. */
  ran_at: nullable(timestamptz()),
  /** End of the last run, if it failed. */
  failed_at: nullable(timestamptz()),
  /** Everything before this instant was compared. */
  compared_to: nullable(timestamptz()),
});
export type ReconciliationRunTable = RowOf<typeof RECONCILIATION_RUN>;

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
  payout_sum: RowOf<typeof PAYOUT_SUM>;
  processor_transaction: ProcessorTransactionTable;
  processor_entry: ProcessorEntryTable;
  processor_sum: RowOf<typeof PROCESSOR_SUM>;
  book_closed_month: ClosedMonthTable;
  month_close: MonthCloseTable;
  log_reach: RowOf<typeof LOG_REACH>;
  earning_position: EarningPositionTable;
  earning_head: EarningHeadTable;
  processor_kind_sum: ProcessorKindSumTable;
  reconciliation_gap: RowOf<typeof RECONCILIATION_GAP>;
  reconciliation_session: RowOf<typeof RECONCILIATION_SESSION>;
  reconciliation_run: ReconciliationRunTable;
}
