import { type ProcessorTransaction } from '../../payments/index.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import {
  type BalanceTransactionRecorded,
  type LedgerMatch,
  type ProcessorEvent,
  type TransactionEvent,
  type TransactionKind,
} from './events.js';

const KINDS: Readonly<Record<string, TransactionKind>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refundFailed',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
  payout: 'payout',
  payout_failure: 'payoutReturned',
  payout_cancel: 'payoutReturned',
};

/** Adjustments of the balance, by their category. */
const ADJUSTMENTS: Readonly<Record<string, TransactionKind>> = {
  dispute: 'dispute',
  dispute_reversal: 'disputeReversed',
};

/** The cause of a change of the balance. `other` for everything that a shop with one-time payments has no rule for. */
export function kindOf({ type, category }: Pick<ProcessorTransaction, 'type' | 'category'>): TransactionKind {
  return (type === 'adjustment' ? ADJUSTMENTS[category] : KINDS[type]) ?? 'other';
}

/** Types of products of the processor that this product does not use, such as marketplaces. */
const OTHER_PRODUCTS = /^(application_fee|transfer|connect_|issuing_|climate_)/;

/**
 * Whether a movement without a payment is of the account itself and of no shop: fees, transfers to the bank, and what
 * the product has no rule for. A type that only another shop can cause is not.
 * @param type as the processor names it; null: it is not known any more
 */
export function isShopless(kind: TransactionKind, type: string | null): boolean {
  if (kind === 'other') return type === null || !OTHER_PRODUCTS.test(type);
  return kind === 'fee' || kind === 'payout' || kind === 'payoutReturned';
}

/** A change of the cash at the processor that an event of the credit ledger has posted. */
export interface CashLine {
  readonly account: number;
  readonly lot_id: string;
  readonly reversal_id: string | null;
  readonly cents: number;
}

/** The account and the sign of the ledger's line for each kind that has one. */
const LEDGER_SIDE: Readonly<Partial<Record<TransactionKind, { readonly account: number; readonly sign: 1 | -1 }>>> = {
  charge: { account: ACCOUNT.receipts, sign: 1 },
  refund: { account: ACCOUNT.refundsPaid, sign: -1 },
  refundFailed: { account: ACCOUNT.refundsPaid, sign: 1 },
  dispute: { account: ACCOUNT.disputesTaken, sign: -1 },
  disputeReversed: { account: ACCOUNT.disputesTaken, sign: 1 },
};

/**
 * The ledger's side of a transaction; null: it has nothing, or the kind is not compared.
 * @param lines those of the purchase that was paid by the transaction's payment
 * @param reversalIds ids that a refund or dispute may have in the ledger
 */
export function matchOf(
  kind: TransactionKind,
  lines: readonly CashLine[],
  reversalIds: readonly (string | null)[],
): LedgerMatch | null {
  const side = LEDGER_SIDE[kind];
  if (!side) return null;
  const line = lines.find(
    ({ account, cents, reversal_id: id }) =>
      account === side.account &&
      cents * side.sign > 0 &&
      (kind === 'charge' || (id !== null && reversalIds.includes(id))),
  );
  return line ? { sessionId: line.lot_id, reversalId: line.reversal_id, matchedCents: line.cents } : null;
}

/** The event of a transaction. Nothing but ids, amounts and times is copied. */
export function recordOf(
  transaction: ProcessorTransaction,
  match: LedgerMatch | null,
): Extract<TransactionEvent, { type: 'BalanceTransactionRecorded' }> {
  const { id, grossCents, feeCents, netCents, sourceId, paymentIntentId, createdAt, availableOn } = transaction;
  const { adminRefundId: orderId } = transaction;
  return {
    type: 'BalanceTransactionRecorded',
    data: {
      schemaVersion: 1,
      transactionId: id,
      kind: kindOf(transaction),
      grossCents,
      feeCents,
      netCents,
      sourceId,
      orderId,
      paymentIntentId,
      createdAt: createdAt.toISOString(),
      availableOn: availableOn.toISOString(),
      match,
    },
  };
}

/** The event of a transaction of another shop, whose record has these amounts. */
export function disownedOf({
  transactionId,
  grossCents,
  feeCents,
  createdAt,
}: Pick<BalanceTransactionRecorded, 'transactionId' | 'grossCents' | 'feeCents' | 'createdAt'>): TransactionEvent {
  const data = { schemaVersion: 1, transactionId, grossCents, feeCents, createdAt } as const;
  return { type: 'TransactionDisowned', data };
}

/** An account that the stream posts to. */
export type ProcessorAccount =
  | typeof ACCOUNT.unmatchedCash
  | typeof ACCOUNT.feesWithheld
  | typeof ACCOUNT.transfersToBank
  | typeof ACCOUNT.otherShopsCash
  | typeof ACCOUNT.otherShops
  | typeof ACCOUNT.bank
  | typeof ACCOUNT.unmatchedReceipts
  | typeof ACCOUNT.processorFees;

/** A line of the journal: US cents, debit positive. */
export interface ProcessorLine {
  readonly account: ProcessorAccount;
  readonly cents: number;
}

/**
 * The time of the entries of a transaction: when the processor made it. If its month was closed before the transaction
 * was recorded, it is the time of the record, in an open month.
 * @param closedUntil the first instant after the last closed month; null: no month is closed
 */
export function postedAt(createdAt: Date, recordedAt: Date, closedUntil: Date | null): Date {
  return closedUntil !== null && createdAt < closedUntil ? recordedAt : createdAt;
}

/** The lines of an event. They sum to zero; none for a matched transaction without a fee, and for a closed month. */
export function processorLines({ type, data }: ProcessorEvent): ProcessorLine[] {
  if (type === 'MonthClosed') return [];
  if (type === 'TransactionMatched') return unmatched(0 - data.match.matchedCents);
  if (type === 'TransactionDisowned') {
    return [
      ...unmatched(0 - data.grossCents),
      ...moved(ACCOUNT.feesWithheld, ACCOUNT.processorFees, data.feeCents),
      ...moved(ACCOUNT.otherShopsCash, ACCOUNT.otherShops, data.grossCents - data.feeCents),
    ];
  }
  const { kind, grossCents, feeCents, match } = data;
  const fee = moved(ACCOUNT.feesWithheld, ACCOUNT.processorFees, 0 - feeCents);
  if (kind === 'fee') return [...moved(ACCOUNT.feesWithheld, ACCOUNT.processorFees, grossCents), ...fee];
  if (kind === 'payout' || kind === 'payoutReturned') {
    return [...moved(ACCOUNT.transfersToBank, ACCOUNT.bank, grossCents), ...fee];
  }
  return [...unmatched(grossCents - (match?.matchedCents ?? 0)), ...fee];
}

function unmatched(cents: number): ProcessorLine[] {
  return moved(ACCOUNT.unmatchedCash, ACCOUNT.unmatchedReceipts, cents);
}

/** @param cents debit of the first account, credit of the second */
function moved(debit: ProcessorAccount, credit: ProcessorAccount, cents: number): ProcessorLine[] {
  if (cents === 0) return [];
  return [
    { account: debit, cents },
    { account: credit, cents: 0 - cents },
  ];
}
