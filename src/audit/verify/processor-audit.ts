import {
  type LedgerMatch,
  type MonthClosed,
  type ProcessorEvent,
  PROCESSOR_STREAM,
  processorEventId,
  readProcessorEvent,
} from '../../finance/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { PROCESSOR_ENTRY, PROCESSOR_TRANSACTION } from '../../finance/tables.js';
import { auditedRows, type AuditedRowIn } from './audited-rows.js';
import { StreamAudit, type LedgerProblem } from './stream-audit.js';
import { textIn } from './read-account.js';

/** The lines of the books, as the events make them. */
export const PROCESSOR_LINES = auditedRows(PROCESSOR_ENTRY, []);
export type ProcessorAuditLine = AuditedRowIn<typeof PROCESSOR_LINES>;

/** The rows of `processor_transaction`, without what a later match changes. */
export const TRANSACTIONS = auditedRows(PROCESSOR_TRANSACTION, [
  ...(['session_id', 'reversal_id', 'matched_cents', 'disowned_version'] as const),
]);
export type ProcessorAuditTransaction = AuditedRowIn<typeof TRANSACTIONS>;

/** The columns of `processor_transaction` that an event about another shop repeats. Times are epoch milliseconds. */
export interface ProcessorAuditDisowned {
  readonly transaction_id: string;
  readonly disowned_version: number;
  readonly gross_cents: number;
  readonly fee_cents: number;
  readonly created_at: number;
}

/** A month that an event has closed, for the comparison with the books. */
export interface AuditedClose extends Pick<MonthClosed, 'month' | 'balances' | 'creatorShare'> {
  /** Version of the event. */
  readonly version: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The act that caused it. */
  readonly act: string | null;
  /** The person who closed it. */
  readonly by: unknown;
}

/** Account and contra account of the amount of each kind. */
const SIDES: Readonly<Record<string, readonly [number, number]>> = {
  fee: [1040, 5300],
  payout: [1050, 1100],
  payoutReturned: [1050, 1100],
};
const UNMATCHED = [1015, 2300] as const;
const FEES = [1040, 5300] as const;
const OTHER_SHOPS = [1060, 2310] as const;

/** The sign of the amount of each kind that has one. */
const SIGNS: Readonly<Record<string, 1 | -1>> = {
  charge: 1,
  refund: -1,
  refundFailed: 1,
  dispute: -1,
  disputeReversed: 1,
  payout: -1,
  payoutReturned: 1,
};

/**
 * Checks the stream of the processor, event by event, with a fold of its own that follows docs/books.md. Keeps no state
 * of transactions, because there may be as many as purchases: the id of an event follows from its transaction, so the
 * store holds each once. Closed months are kept, because their figures are compared when the books are: there are
 * twelve a year. Rows and lines of the events since the last `take` are kept for the comparison.
 */
export class ProcessorAudit extends StreamAudit {
  /** The closed months so far. */
  readonly closes: AuditedClose[] = [];
  private lines: ProcessorAuditLine[] = [];
  private transactions: ProcessorAuditTransaction[] = [];
  private disowned: ProcessorAuditDisowned[] = [];

  constructor(onProblem: (problem: LedgerProblem) => void) {
    super(PROCESSOR_STREAM, onProblem);
  }

  /** The rows that the events since the last call make. */
  take(): {
    readonly lines: ProcessorAuditLine[];
    readonly transactions: ProcessorAuditTransaction[];
    readonly disowned: ProcessorAuditDisowned[];
  } {
    const { lines, transactions, disowned } = this;
    this.lines = [];
    this.transactions = [];
    this.disowned = [];
    return { lines, transactions, disowned };
  }

  protected override read(stored: StoredEvent): void {
    const at = this.advance(stored);
    const { version } = stored;
    const event = readProcessorEvent(stored);
    if (stored.id !== processorEventId(event)) {
      this.report(version, 'processor', 'The id of the event does not follow from its transaction.');
    }
    const { causationId, actorId: by } = stored.metadata;
    if (event.type === 'MonthClosed') this.close(event.data, { version, at, act: textIn(causationId), by });
    else this.apply(event, version, at);
  }

  /** A close fixes what was posted to the month. It is checked before later lines, whose time depends on it. */
  private close(
    { month, balances, creatorShare }: MonthClosed,
    { version, at, act, by }: Omit<AuditedClose, keyof MonthClosed>,
  ): void {
    const end = endOf(month);
    const lastClosed = this.closes.at(-1)?.month;
    if (Number.isNaN(end)) throw new Error('it has no valid month.');
    if (lastClosed !== undefined && end !== endOf(lastClosed, 2)) {
      this.report(version, 'processor', `${month} was closed out of order, after ${lastClosed}.`);
    }
    if (at < end) this.report(version, 'processor', `${month} was closed before its end.`);
    if (balances.reduce((sum, { cents }) => sum + cents, 0) !== 0) {
      this.report(version, 'processor', `The figures of ${month} do not sum to zero.`);
    }
    if (creatorShare === null && this.closes.at(-1)?.creatorShare) {
      this.report(version, 'processor', `${month} was closed by rule 1 of the books after a month of rule 2.`);
    }
    this.closes.push({ month, balances, creatorShare, version, at, act, by });
  }

  private apply({ type, data }: Exclude<ProcessorEvent, { type: 'MonthClosed' }>, version: number, at: number): void {
    const need = (holds: boolean, sentence: string): void => {
      if (!holds) this.report(version, 'processor', sentence);
    };
    const post = (accounts: readonly [number, number], cents: number, occurredAt: number): void => {
      if (cents === 0) return;
      const match = 'match' in data ? data.match : null;
      const { sessionId: session_id = null, reversalId: reversal_id = null } = (match ?? {}) as Partial<LedgerMatch>;
      for (const [index, account] of accounts.entries()) {
        const last = this.lines.at(-1);
        this.lines.push({
          version,
          line: last?.version === version ? last.line + 1 : 0,
          account,
          cents: index === 0 ? cents : 0 - cents,
          event_type: type,
          occurred_at: occurredAt,
          transaction_id: data.transactionId,
          session_id,
          reversal_id,
        });
      }
    };
    if (type === 'TransactionMatched') {
      need(Number.isSafeInteger(data.match.matchedCents), 'The match has an amount that is no integer.');
      post(UNMATCHED, 0 - data.match.matchedCents, at);
      return;
    }
    const createdAt = Date.parse(data.createdAt);
    if (Number.isNaN(createdAt)) throw new Error('it has no valid time.');
    const lastClosed = this.closes.at(-1);
    // A transaction that comes after the close of its month is posted when it comes.
    const postedAt = lastClosed && createdAt < endOf(lastClosed.month) ? at : createdAt;
    if (type === 'TransactionDisowned') {
      const { transactionId: transaction_id, grossCents: gross_cents, feeCents: fee_cents } = data;
      need([gross_cents, fee_cents].every(Number.isSafeInteger), 'The transaction has an amount that is no integer.');
      post(UNMATCHED, 0 - gross_cents, postedAt);
      post(FEES, fee_cents, postedAt);
      post(OTHER_SHOPS, gross_cents - fee_cents, postedAt);
      this.disowned.push({ transaction_id, disowned_version: version, gross_cents, fee_cents, created_at: createdAt });
      return;
    }
    const { kind, grossCents, feeCents, netCents, match } = data;
    const availableOn = Date.parse(data.availableOn);
    if (Number.isNaN(availableOn)) throw new Error('it has no valid time.');
    const matchedCents = match?.matchedCents ?? 0;
    need(
      [grossCents, feeCents, netCents, matchedCents].every(Number.isSafeInteger),
      'The transaction has an amount that is no integer.',
    );
    need(netCents === grossCents - feeCents, 'The net amount is not the gross amount less the fee.');
    need(grossCents * (SIGNS[kind] ?? grossCents) >= 0, `The amount of a ${kind} has the wrong sign.`);
    need(matchedCents * grossCents >= 0, 'The ledger has the opposite of the transaction.');
    const accounts = SIDES[kind];
    post(accounts ?? UNMATCHED, accounts ? grossCents : grossCents - matchedCents, postedAt);
    post(FEES, 0 - feeCents, postedAt);
    this.transactions.push({
      transaction_id: data.transactionId,
      version,
      kind,
      gross_cents: grossCents,
      fee_cents: feeCents,
      net_cents: netCents,
      source_id: data.sourceId,
      order_id: data.orderId,
      payment_intent_id: data.paymentIntentId,
      created_at: createdAt,
      available_on: availableOn,
    });
  }
}

/** The first instant after a month (YYYY-MM), or after the one `months - 1` later, epoch milliseconds. */
function endOf(month: string, months = 1): number {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  return Date.UTC(Number(year), Number(number) - 1 + months);
}
