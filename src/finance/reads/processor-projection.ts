import { sql, type Transaction } from 'kysely';
import { columnsOf, rowsAs } from '../../platform/database/bulk-rows.js';
import { addToRows, insertRows } from '../../platform/database/projected-table.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type Projection } from '../../platform/projections/projection.js';
import { type MonthClosed, PROCESSOR_STREAM, readProcessorEvent, type TransactionEvent } from '../processor/events.js';
import { postedAt, processorLines } from '../processor/transactions.js';
import { addMonths, startOfMonth } from '../../revenue/index.js';
import {
  BOOK_CLOSED_MONTH,
  PROCESSOR_ENTRY,
  PROCESSOR_KIND_SUM,
  PROCESSOR_SUM,
  PROCESSOR_TRANSACTION,
  type ClosedMonthTable,
  type FinanceTables,
  type ProcessorEntryTable,
  type ProcessorKindSumTable,
  type ProcessorTransactionTable,
} from '../tables.js';
import { startOf, sumsByAccount } from './book-sums.js';

/**
 * The projection of the stream `processor` to its transactions, their lines of the journal with their sums, and the
 * closed months.
 */
export const processorProjection: Projection<FinanceTables> = {
  name: 'processor',
  version: 3,
  streamPrefix: PROCESSOR_STREAM,
  tables: ['processor_transaction', 'processor_entry', 'processor_sum', 'processor_kind_sum', 'book_closed_month'],
  async apply(stored, trx) {
    const events = stored.map((each) => [each, readProcessorEvent(each)] as const);
    const transactions = new Map<string, ProcessorTransactionTable>();
    const matched = new Map<string, MatchRow>();
    const disowned: DisownedRow[] = [];
    const lines: ProcessorEntryTable[] = [];
    const closed: ClosedMonthTable[] = [];
    let closedUntil = await closedUntilNow(trx);
    for (const [each, event] of events) {
      const { version } = each;
      if (event.type === 'MonthClosed') {
        closed.push(closedMonthOf(each, event.data));
        closedUntil = startOfMonth(addMonths(event.data.month, 1));
        continue;
      }
      lines.push(...linesOf(each, event, closedUntil));
      const { transactionId } = event.data;
      const known = transactions.get(transactionId);
      if (event.type === 'BalanceTransactionRecorded') transactions.set(transactionId, transactionOf(version, event));
      else if (event.type === 'TransactionDisowned') disowned.push({ transaction_id: transactionId, version });
      else if (known) transactions.set(transactionId, { ...known, ...matchOf(event) });
      else matched.set(transactionId, { transaction_id: transactionId, ...matchOf(event) });
    }
    await insertRows(PROCESSOR_TRANSACTION, [...transactions.values()], trx);
    const later = matched.size > 0 ? await saveMatches([...matched.values()], trx) : [];
    const others = disowned.length > 0 ? await saveDisowned(disowned, trx) : [];
    const changes = [...[...transactions.values()].flatMap(asRecorded), ...later.flatMap(asMatched)];
    await addToRows(PROCESSOR_KIND_SUM, [...changes, ...others.flatMap(asDisowned)], trx);
    await insertRows(PROCESSOR_ENTRY, lines, trx);
    await addToRows(PROCESSOR_SUM, sumsByAccount(lines), trx);
    await insertRows(BOOK_CLOSED_MONTH, closed, trx);
  },
};

/** The first instant after the last closed month of the rows so far; null: no month is closed. */
async function closedUntilNow(trx: Transaction<FinanceTables>): Promise<Date | null> {
  const { rows } = await sql<{ month: string | null }>`select max(month) as month from book_closed_month`.execute(trx);
  const month = rows[0]?.month ?? null;
  return month === null ? null : startOfMonth(addMonths(month, 1));
}

function closedMonthOf(
  { version, metadata }: StoredEvent,
  { month, balances, creatorShare }: MonthClosed,
): ClosedMonthTable {
  return {
    month,
    version,
    closed_at: new Date(metadata['occurredAt'] as string),
    closed_by: metadata['actorId'] as string,
    balances,
    creator_share: creatorShare,
  };
}

type Recorded = Extract<TransactionEvent, { type: 'BalanceTransactionRecorded' }>;
type MatchColumns = Pick<ProcessorTransactionTable, 'session_id' | 'reversal_id' | 'matched_cents'>;
type MatchRow = MatchColumns & Pick<ProcessorTransactionTable, 'transaction_id'>;

type DisownedRow = Pick<ProcessorTransactionTable, 'transaction_id' | 'version'>;

function matchOf({ data }: Exclude<TransactionEvent, { type: 'TransactionDisowned' }>): MatchColumns {
  const { sessionId = null, reversalId = null, matchedCents = 0 } = data.match ?? {};
  return { session_id: sessionId, reversal_id: reversalId, matched_cents: matchedCents };
}

function transactionOf(version: number, event: Recorded): ProcessorTransactionTable {
  const { data } = event;
  return {
    transaction_id: data.transactionId,
    version,
    kind: data.kind,
    gross_cents: data.grossCents,
    fee_cents: data.feeCents,
    net_cents: data.netCents,
    source_id: data.sourceId,
    order_id: data.orderId,
    payment_intent_id: data.paymentIntentId,
    created_at: new Date(data.createdAt),
    available_on: new Date(data.availableOn),
    ...matchOf(event),
    disowned_version: null,
  };
}

function linesOf(
  { version, metadata }: StoredEvent,
  event: TransactionEvent,
  closedUntil: Date | null,
): ProcessorEntryTable[] {
  const { type, data } = event;
  const recordedAt = new Date(metadata['occurredAt'] as string);
  const isMatch = type === 'TransactionMatched';
  const occurred_at = isMatch ? recordedAt : postedAt(new Date(data.createdAt), recordedAt, closedUntil);
  const { session_id, reversal_id } =
    type === 'TransactionDisowned' ? { session_id: null, reversal_id: null } : matchOf(event);
  return processorLines(event).map(({ account, cents }, line) => ({
    version,
    line,
    account,
    event_type: type,
    occurred_at,
    cents,
    transaction_id: data.transactionId,
    session_id,
    reversal_id,
  }));
}

const MATCH_COLUMNS = {
  transaction_id: 'text',
  session_id: 'text',
  reversal_id: 'text',
  matched_cents: 'bigint',
} as const satisfies Record<keyof MatchRow, string>;

const DISOWNED_COLUMNS = {
  transaction_id: 'text',
  version: 'integer',
} as const satisfies Record<keyof DisownedRow, string>;

/** @returns the rows with their matches */
async function saveMatches(rows: readonly MatchRow[], trx: Transaction<FinanceTables>): Promise<MatchedRow[]> {
  const names = sql.join(columnsOf(MATCH_COLUMNS).map((name) => sql.ref(name)));
  const { rows: saved } = await sql<MatchedRow>`
    update processor_transaction t
    set session_id = m.session_id, reversal_id = m.reversal_id, matched_cents = m.matched_cents
    from (${rowsAs(rows, MATCH_COLUMNS)}) as m (${names}) where t.transaction_id = m.transaction_id
    returning t.kind, t.created_at, t.matched_cents`.execute(trx);
  return saved;
}

/** @returns the rows of the transactions of other shops */
async function saveDisowned(
  rows: readonly DisownedRow[],
  trx: Transaction<FinanceTables>,
): Promise<ProcessorTransactionTable[]> {
  const { rows: saved } = await sql<ProcessorTransactionTable>`
    update processor_transaction t set disowned_version = d.version
    from (${rowsAs(rows, DISOWNED_COLUMNS)}) as d (transaction_id, version) where t.transaction_id = d.transaction_id
    returning t.*`.execute(trx);
  return saved;
}

type MatchedRow = Pick<ProcessorTransactionTable, 'kind' | 'created_at' | 'matched_cents'>;

/** Rows of sums: those of a new transaction. */
function asRecorded(row: ProcessorTransactionTable): ProcessorKindSumTable[] {
  const { kind, gross_cents, fee_cents, matched_cents } = row;
  const matched = row.session_id === null ? 0 : 1;
  return inDays({ kind, transactions: 1, gross_cents, fee_cents, matched, matched_cents }, row);
}

/** Rows of sums: those of its match. */
function asMatched(row: MatchedRow): ProcessorKindSumTable[] {
  const { kind, matched_cents } = row;
  return inDays({ kind, transactions: 0, gross_cents: 0, fee_cents: 0, matched: 1, matched_cents }, row);
}

/** A transaction of another shop leaves its kind. */
function asDisowned(row: ProcessorTransactionTable): ProcessorKindSumTable[] {
  const { kind, gross_cents, fee_cents } = row;
  const unmatched = { matched: 0, matched_cents: 0 };
  const removed = { kind, transactions: -1, gross_cents: 0 - gross_cents, fee_cents: 0 - fee_cents, ...unmatched };
  const joined = { kind: 'otherShop', transactions: 1, gross_cents, fee_cents, ...unmatched } as const;
  return [...inDays(removed, row), ...inDays(joined, row)];
}

function inDays(
  change: Omit<ProcessorKindSumTable, 'unit' | 'starts_at'>,
  { created_at: at }: Pick<ProcessorTransactionTable, 'created_at'>,
): ProcessorKindSumTable[] {
  return (['day', 'month'] as const).map((unit) => ({ ...change, unit, starts_at: startOf(unit, at) }));
}
