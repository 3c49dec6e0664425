import { sql, type Transaction } from 'kysely';
import { columnsOf, rowsAs } from '../../platform/database/bulk-rows.js';
import { insertRows, typesOf } from '../../platform/database/projected-table.js';
import { NO_STREAM, type StoredEvent } from '../../platform/event-store/event-store.js';
import type { Projection } from '../../platform/projections/projection.js';
import { occurredAt } from '../ledger/account-store.js';
import {
  type CreditKind,
  type RefundReason,
  ACCOUNT_STREAM_PREFIX,
  readCreditEvent,
  userOfStream,
  utcDayOfDailyLot,
  type CreditEvent,
  type PurchaseReversed,
} from '../account/events.js';
import { addToHeld, HeldSums } from './credits-held.js';
import {
  CREDIT_BALANCE,
  CREDIT_TRANSACTION,
  type CreditBalanceTable,
  type CreditTables,
  type CreditTransactionTable,
} from '../tables.js';

/** An account as projected: its credits by kind, and the totals of its life. */
export type BalanceRow = CreditBalanceTable;
/** A line of the history of an account. Each event makes at most one. */
export type TransactionRow = CreditTransactionTable;

/**
 * Fills `credit_balance`, `credit_transaction` and `credits_held`. One projection for all keeps the balance equal to
 * the last transaction, and what is held equal to the sum of the balances.
 */
export const accountProjection: Projection<CreditTables> = {
  name: 'credit_account',
  version: 3,
  streamPrefix: ACCOUNT_STREAM_PREFIX,
  tables: ['credit_balance', 'credit_transaction', 'credits_held'],
  // Version 1 had no debt, and the new column starts at 0. A migration fills the sums that version 2 did not have; only
  // an older instance that still runs leaves changes out of them.
  keepsUp: [1, 2],

  async apply(events: readonly StoredEvent[], trx: Transaction<CreditTables>): Promise<void> {
    const users = [...new Set(events.map(({ stream }) => userOfStream(stream)))];
    const known = await trx
      .selectFrom('credit_balance')
      .selectAll()
      .where('user_id', '=', sql<string>`any(${users})`)
      .execute();
    const balances = new Map(known.map((row) => [row.user_id, row]));
    const computedFrom = new Map(known.map((row) => [row.user_id, row.version]));
    const transactions: TransactionRow[] = [];
    for (const event of events) {
      const userId = userOfStream(event.stream);
      const before = balances.get(userId) ?? emptyBalance(userId);
      if (event.version !== before.version + 1) throw new ProjectedVersionError(userId, before.version, event.version);
      const after = balanceAfter(before, event);
      balances.set(userId, after);
      const transaction = transactionOf(before, event, after);
      if (transaction) transactions.push(transaction);
    }
    const changed = [...balances.values()];
    await saveBalances(
      changed.map((row) => ({ ...row, computed_from: computedFrom.get(row.user_id) ?? NO_STREAM })),
      trx,
    );
    await insertRows(CREDIT_TRANSACTION, transactions, trx);
    const heldSums = new HeldSums();
    for (const row of known) heldSums.add(row, -1);
    for (const row of changed) heldSums.add(row);
    await addToHeld(heldSums.rows(), trx);
  },
};

/**
 * The next event of an account does not follow the row that earlier events made: an event is missing, was applied
 * before, or another writer changed the row. The projection stops instead of writing a wrong balance.
 */
class ProjectedVersionError extends Error {
  constructor(userId: string, projected: number, next: number) {
    super(
      `credit_balance of ${userId} includes events up to version ${projected}, but the next event has version ${next}. Run npm run ledger -- verify.`,
    );
    this.name = 'ProjectedVersionError';
  }
}

/** A row, and the version of the stored row that it was computed from; -1 when there was none. */
type ComputedBalance = BalanceRow & { readonly computed_from: number };

/**
 * Inserts new rows, and updates each other row only at the version that it was computed from.
 * @throws when another writer changed a row meanwhile
 */
async function saveBalances(rows: readonly ComputedBalance[], trx: Transaction<CreditTables>): Promise<void> {
  const columns = columnsOf(typesOf(CREDIT_BALANCE));
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const changes = columns
    .filter((column) => column !== 'user_id')
    .map((column) => sql`${sql.ref(column)} = made.${sql.ref(column)}`);
  const types = { ...typesOf(CREDIT_BALANCE), computed_from: 'integer' };
  const { rows: saved } = await sql<{ user_id: string }>`
    with made (${names}, computed_from) as materialized (${rowsAs(rows, types)}),
    changed as (
      update credit_balance b set ${sql.join(changes)} from made
      where b.user_id = made.user_id and b.version = made.computed_from returning b.user_id
    ),
    inserted as (
      insert into credit_balance (${names}) select ${names} from made where computed_from = ${NO_STREAM}
      on conflict (user_id) do nothing returning user_id
    )
    select user_id from changed union all select user_id from inserted`.execute(trx);
  if (saved.length === rows.length) return;
  const done = new Set(saved.map(({ user_id }) => user_id));
  const lost = rows.find(({ user_id }) => !done.has(user_id));
  throw new Error(
    `Another writer changed credit_balance of ${lost?.user_id}: it is no longer at version ${lost?.computed_from}.`,
  );
}

/** The row of an account without events. */
export function emptyBalance(userId: string): BalanceRow {
  return {
    user_id: userId,
    version: -1,
    opened: false,
    daily: 0,
    daily_expires_at: null,
    bonus: 0,
    paid: 0,
    debt: 0,
    lifetime_earned: 0,
    lifetime_spent: 0,
    last_daily_grant: null,
  };
}

/** The account's row after one more event of its stream. */
export function balanceAfter(before: BalanceRow, stored: StoredEvent): BalanceRow {
  const row = copyOf(before, stored.version);
  const { type, data } = readCreditEvent(stored);
  switch (type) {
    case 'CreditsGranted':
      if (data.source === 'daily') row.last_daily_grant = utcDayOfDailyLot(data.lotId);
      if (data.source === 'signup') row.opened = true;
      row.lifetime_earned += data.amount;
      add(row, data.kind, data.amount, data.expiresAt);
      return row;
    case 'CreditsDeducted':
      row.lifetime_spent += data.amount;
      for (const { kind, amount, expiresAt } of data.allocations) add(row, kind, -amount, expiresAt);
      return row;
    case 'CreditsRefunded':
      row.lifetime_spent -= data.amount;
      for (const { kind, amount, expiresAt } of data.restorations) add(row, kind, amount, expiresAt);
      return row;
    case 'CreditsExpired':
      add(row, data.kind, -data.amount, data.expiresAt);
      return row;
    case 'CreditsPurchased':
      row.lifetime_earned += data.amount;
      row.paid += data.amount;
      return row;
    case 'PurchaseReversed':
      row.paid -= data.revoked;
      row.debt += data.debt;
      return row;
    case 'PurchaseReinstated':
      row.paid += data.amount;
      return row;
    case 'DebtRepaid':
      row.paid -= data.amount;
      row.debt -= data.amount;
      return row;
    case 'CreditsAdjusted':
    case 'CreditsWaived':
      for (const { kind, amount, expiresAt } of data.allocations) add(row, kind, -amount, expiresAt);
      return row;
    case 'ClockRepaired':
      row.last_daily_grant = data.lastDailyGrant;
      return row;
    case 'DeductionSettled':
    case 'DeductionVoided':
      return row;
  }
}

/** A plain literal: it is several times as fast as a spread, and every event makes one. */
function copyOf(row: BalanceRow, version: number): BalanceRow {
  return {
    user_id: row.user_id,
    version,
    opened: row.opened,
    daily: row.daily,
    daily_expires_at: row.daily_expires_at,
    bonus: row.bonus,
    paid: row.paid,
    debt: row.debt,
    lifetime_earned: row.lifetime_earned,
    lifetime_spent: row.lifetime_spent,
    last_daily_grant: row.last_daily_grant,
  };
}

function add(row: BalanceRow, kind: CreditKind, amount: number, expiresAt: string | null): void {
  row[kind] += amount;
  if (kind === 'daily') row.daily_expires_at = row.daily > 0 && expiresAt !== null ? new Date(expiresAt) : null;
}

/**
 * The transaction of an event; null for an event that changes no balance. A reversal always has a transaction, even
 * when all its credits become debt.
 */
export function transactionOf(before: BalanceRow, stored: StoredEvent, after: BalanceRow): TransactionRow | null {
  const amount = totalOf(after) - totalOf(before);
  if (amount === 0 && stored.type !== 'PurchaseReversed') return null;
  const event = readCreditEvent(stored);
  const { transaction_type, description } = describeEvent(event);
  return {
    user_id: after.user_id,
    version: stored.version,
    id: stored.id,
    created_at: occurredAt(stored),
    transaction_type,
    description,
    amount,
    balance_after: totalOf(after),
    reference_id: referenceOf(event),
    creator_id: 'creatorId' in event.data ? event.data.creatorId : null,
  };
}

/** Id of the generation or of the purchase. */
function referenceOf({ type, data }: CreditEvent): string | null {
  if ('deductionId' in data) return data.deductionId;
  const isPurchaseEvent = ['CreditsPurchased', 'PurchaseReversed', 'PurchaseReinstated', 'DebtRepaid'].includes(type);
  return isPurchaseEvent && 'lotId' in data ? data.lotId : null;
}

function totalOf({ daily, bonus, paid }: BalanceRow): number {
  return daily + bonus + paid;
}

function describeEvent({ type, data }: CreditEvent): Pick<TransactionRow, 'transaction_type' | 'description'> {
  switch (type) {
    case 'CreditsGranted':
      return GRANT_TEXTS[data.source];
    case 'CreditsDeducted':
      return { transaction_type: 'deduction', description: 'Image generation' };
    case 'CreditsRefunded':
      return { transaction_type: 'refund', description: `Refund: ${REFUND_TEXTS[data.reason]}` };
    case 'CreditsExpired':
      return { transaction_type: 'expiry', description: 'Daily credits expired' };
    case 'CreditsPurchased':
      return { transaction_type: 'purchase', description: `Purchased ${capitalised(data.bundleId)} package` };
    case 'PurchaseReversed':
      return { transaction_type: 'purchase_reversal', description: describeReversal(data) };
    case 'PurchaseReinstated':
      return { transaction_type: 'purchase_reinstatement', description: 'Purchase restored: credits given back' };
    case 'DebtRepaid':
      return { transaction_type: 'debt_repayment', description: 'Owed credits paid back' };
    case 'CreditsAdjusted':
      return { transaction_type: 'adjustment', description: 'Correction by Fanvas' };
    case 'CreditsWaived':
      return { transaction_type: 'waiver', description: 'Credits given up when the account was closed' };
    case 'DeductionSettled':
    case 'DeductionVoided':
    case 'ClockRepaired':
      throw new Error(`${type} does not change a balance.`);
  }
}

const GRANT_TEXTS = {
  signup: { transaction_type: 'signup_bonus', description: 'Sign-up bonus' },
  daily: { transaction_type: 'daily_grant', description: 'Daily credits' },
  admin: { transaction_type: 'bonus_grant', description: 'Bonus credits' },
} as const;

const REFUND_TEXTS: Readonly<Record<RefundReason, string>> = {
  api_failure: 'image service failed',
  generation_failed: 'generation failed',
  timeout: 'generation timed out',
  server_error: 'server error',
  user_cancelled: 'generation cancelled',
  fatal_error: 'generation failed',
};

function describeReversal({ cause, revoked, debt }: PurchaseReversed): string {
  const subject = cause === 'refund' ? 'Refund of a purchase' : 'Disputed payment';
  if (debt === 0) return revoked === 0 ? subject : `${subject}: credits taken back`;
  return revoked === 0 ? `${subject}: ${debt} credits owed` : `${subject}: credits taken back, ${debt} more owed`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
