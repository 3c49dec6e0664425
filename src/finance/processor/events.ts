import { EVENT_VERSIONS } from '../../contract/event-versions.js';
import { eventReader, type Upcasters } from '../../credits/index.js';
import { uuidFrom } from '../../platform/ids.js';

/** Name of the stream with what happened to our balance at the payment processor, and with the closed months. */
export const PROCESSOR_STREAM = 'processor';

/**
 * The cause of a change of the balance. `refundFailed`, `disputeReversed` and `payoutReturned` bring money back;
 * `payout` is a transfer to the bank.
 */
export type TransactionKind =
  | 'charge'
  | 'refund'
  | 'refundFailed'
  | 'dispute'
  | 'disputeReversed'
  | 'fee'
  | 'payout'
  | 'payoutReturned'
  | 'other';

/** The purchase in the ledger that a movement of money belongs to. */
export type LedgerMatch = {
  /** The session of the purchase. */
  sessionId: string;
  /** The reversal in the ledger; null for the purchase itself. */
  reversalId: string | null;
  /** The amount in the ledger, US cents, with the sign of the processor: positive when the balance grows. */
  matchedCents: number;
};

/** A change of the balance, copied from the processor. Amounts are US cents, positive when the balance grows. */
export type BalanceTransactionRecorded = {
  schemaVersion: 1;
  /** The processor's id. Business id: once. */
  transactionId: string;
  kind: TransactionKind;
  grossCents: number;
  /** Withheld by the processor. `netCents` is `grossCents - feeCents`. */
  feeCents: number;
  netCents: number;
  /** The charge, refund, dispute or payout; null when there is none. */
  sourceId: string | null;
  /** The order of an admin that caused the refund; null: none. Its reversal in the ledger has this id. */
  orderId: string | null;
  /** The payment of the source; null when it has none. */
  paymentIntentId: string | null;
  /** When the processor made it, ISO 8601 UTC. Its entries in the books have this time. */
  createdAt: string;
  /** When the money is available, ISO 8601 UTC. */
  availableOn: string;
  /** The side of the ledger when it was recorded; null: it had nothing. */
  match: LedgerMatch | null;
};

/** The ledger has meanwhile what a transaction was for. It had nothing before. */
export type TransactionMatched = {
  schemaVersion: 1;
  /** Business id: once. */
  transactionId: string;
  match: LedgerMatch;
};

/**
 * The transaction is of another shop that uses the same account at the processor. Its amounts and time are those of
 * its record.
 */
export type TransactionDisowned = {
  schemaVersion: 1;
  /** Business id: once. */
  transactionId: string;
  grossCents: number;
  feeCents: number;
  createdAt: string;
};

/** The balance of an account at the end of a closed month. */
export type ClosedBalance = {
  /** Its number in the chart of accounts. */
  account: number;
  /** US cents, a debit above zero. */
  cents: number;
  /** Credits, signed like cents, of customer credits and promotional credits; else 0. */
  credits: number;
};

/**
 * A person has closed a month of the books: its figures are final. A transaction of the processor that is recorded
 * later and was made before the end of the month is posted at the time of its record. It is in this stream because
 * only events of this stream could still be posted to the month.
 */
export type MonthClosed = {
  schemaVersion: 2;
  /** UTC month, YYYY-MM. Business id: once, and in order without a gap. */
  month: string;
  /** The trial balance of the last instant of the month, by number. Accounts whose balance is unknown are left out. */
  balances: ClosedBalance[];
  /**
   * How account 2100 is divided at the last instant. Null: version 1, a month of rule 1 of the books, where these parts
   * are accounts of the trial balance.
   */
  creatorShare: ShareParts | null;
};

/** The parts of account 2100, US cents: `pendingCents + payableCents - debtCents` is its credit balance. */
export type ShareParts = {
  pendingCents: number;
  payableCents: number;
  /** Debit balances of creators. */
  debtCents: number;
};

/** An event about a transaction of the processor. */
export type TransactionEvent =
  | { type: 'BalanceTransactionRecorded'; data: BalanceTransactionRecorded }
  | { type: 'TransactionMatched'; data: TransactionMatched }
  | { type: 'TransactionDisowned'; data: TransactionDisowned };

/** Every event of the stream, by type. */
export type ProcessorEvent = TransactionEvent | { type: 'MonthClosed'; data: MonthClosed };

/** Functions from the data of an older version to the next version, by type and version. */
const UPCASTERS: Upcasters = { MonthClosed: { 1: (data) => ({ ...data, creatorShare: null }) } };

/** Reads a stored event. See {@link eventReader}. */
export const readProcessorEvent = eventReader<ProcessorEvent>(EVENT_VERSIONS.processor, UPCASTERS);

/**
 * The id of an event: a UUID (version 8) that follows from the type and the transaction or the month. So the store
 * itself refuses a second record of the same transaction, and a second close of a month.
 */
export function processorEventId({ type, data }: ProcessorEvent): string {
  const about = 'month' in data ? data.month : data.transactionId;
  return uuidFrom(`${type} ${about}`);
}
