import { type Selectable, type Transaction } from 'kysely';
import type { StoredEvent } from '../platform/event-store/event-store.js';
import type { Projection } from '../platform/projections/projection.js';
import { occurredAt } from './account-store.js';
import type { CreditKind, RefundReason } from './commands.js';
import { ACCOUNT_STREAM_PREFIX, readCreditEvent, userOfStream, utcDayOfDailyLot, type CreditEvent } from './events.js';
import type { CreditBalanceTable, CreditTables, CreditTransactionTable } from './tables.js';

/** Rows of one insert: Postgres takes at most 65,535 parameters in a statement. */
const ROWS_PER_INSERT = 1000;

export type BalanceRow = Selectable<CreditBalanceTable>;
export type TransactionRow = Selectable<CreditTransactionTable>;

/**
 * Keeps `credit_balance` and `credit_transaction`. One projection for both, so that the balance shown and the last line of
 * the history never disagree.
 */
export const accountProjection: Projection<CreditTables> = {
  name: 'credit_account',
  version: 1,
  streamPrefix: ACCOUNT_STREAM_PREFIX,

  async apply(events: readonly StoredEvent[], trx: Transaction<CreditTables>): Promise<void> {
    const users = [...new Set(events.map(({ stream }) => userOfStream(stream)))];
    const known = await trx.selectFrom('credit_balance').selectAll().where('user_id', 'in', users).execute();
    const balances = new Map(known.map((row) => [row.user_id, row]));
    const transactions: TransactionRow[] = [];
    for (const event of events) {
      const userId = userOfStream(event.stream);
      const before = balances.get(userId) ?? emptyBalance(userId);
      const after = balanceAfter(before, event);
      balances.set(userId, after);
      const transaction = transactionOf(before, event, after);
      if (transaction) transactions.push(transaction);
    }
    for (const rows of chunksOf([...balances.values()])) await saveBalances(rows, trx);
    for (const rows of chunksOf(transactions)) await trx.insertInto('credit_transaction').values(rows).execute();
  },

  async reset(trx: Transaction<CreditTables>): Promise<void> {
    await trx.deleteFrom('credit_balance').execute();
    await trx.deleteFrom('credit_transaction').execute();
  },
};

async function saveBalances(rows: BalanceRow[], trx: Transaction<CreditTables>): Promise<void> {
  await trx
    .insertInto('credit_balance')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((row) => ({
        version: row.ref('excluded.version'),
        opened: row.ref('excluded.opened'),
        daily: row.ref('excluded.daily'),
        daily_expires_at: row.ref('excluded.daily_expires_at'),
        bonus: row.ref('excluded.bonus'),
        paid: row.ref('excluded.paid'),
        lifetime_earned: row.ref('excluded.lifetime_earned'),
        lifetime_spent: row.ref('excluded.lifetime_spent'),
        last_daily_grant: row.ref('excluded.last_daily_grant'),
      })),
    )
    .execute();
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
    lifetime_earned: 0,
    lifetime_spent: 0,
    last_daily_grant: null,
  };
}

/** The account's row after one more event of its stream. */
export function balanceAfter(before: BalanceRow, stored: StoredEvent): BalanceRow {
  const row = { ...before, version: stored.version };
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
    case 'DeductionSettled':
    case 'DeductionVoided':
      return row;
  }
}

function add(row: BalanceRow, kind: CreditKind, amount: number, expiresAt: string | null): void {
  row[kind] += amount;
  if (kind === 'daily') row.daily_expires_at = row.daily > 0 && expiresAt !== null ? new Date(expiresAt) : null;
}

/** The line of the history that an event makes; null when it leaves the balance as it was. */
export function transactionOf(before: BalanceRow, stored: StoredEvent, after: BalanceRow): TransactionRow | null {
  const amount = totalOf(after) - totalOf(before);
  if (amount === 0) return null;
  const event = readCreditEvent(stored);
  return {
    user_id: after.user_id,
    version: stored.version,
    id: stored.id,
    created_at: occurredAt(stored),
    ...wordsFor(event),
    amount,
    balance_after: totalOf(after),
    reference_id: 'deductionId' in event.data ? event.data.deductionId : null,
    creator_id: 'creatorId' in event.data ? event.data.creatorId : null,
  };
}

function totalOf({ daily, bonus, paid }: BalanceRow): number {
  return daily + bonus + paid;
}

function wordsFor({ type, data }: CreditEvent): Pick<TransactionRow, 'transaction_type' | 'description'> {
  switch (type) {
    case 'CreditsGranted':
      return GRANT_WORDS[data.source];
    case 'CreditsDeducted':
      return { transaction_type: 'deduction', description: 'Image generation' };
    case 'CreditsRefunded':
      return { transaction_type: 'refund', description: `Refund: ${REFUND_WORDS[data.reason]}` };
    case 'CreditsExpired':
      return { transaction_type: 'expiry', description: 'Daily credits expired' };
    case 'DeductionSettled':
    case 'DeductionVoided':
      throw new Error(`${type} does not change a balance.`);
  }
}

const GRANT_WORDS = {
  signup: { transaction_type: 'signup_bonus', description: 'Sign-up bonus' },
  daily: { transaction_type: 'daily_grant', description: 'Daily credits' },
  admin: { transaction_type: 'bonus_grant', description: 'Bonus credits' },
} as const;

const REFUND_WORDS: Readonly<Record<RefundReason, string>> = {
  api_failure: 'image service failed',
  generation_failed: 'generation failed',
  timeout: 'generation timed out',
  server_error: 'server error',
  user_cancelled: 'generation cancelled',
  fatal_error: 'generation failed',
};

function chunksOf<T>(rows: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    chunks.push(rows.slice(start, start + ROWS_PER_INSERT));
  }
  return chunks;
}
