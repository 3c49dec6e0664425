import { sql, type Transaction } from 'kysely';
import { ACCOUNT_STREAM_PREFIX, userOfStream } from '../../credits/index.js';
import { rowsAs } from '../../platform/database/bulk-rows.js';
import { insertRows, replaceRows } from '../../platform/database/projected-table.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type Projection } from '../../platform/projections/projection.js';
import { type RevenueRules } from '../../revenue/index.js';
import { AccountBooks, isBooked, lotsOf } from '../account-books.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import {
  BOOK_ENTRY,
  BOOK_PURCHASE,
  type BookEntryTable,
  type BookPurchaseTable,
  type FinanceTables,
} from '../tables.js';
import { saveSums } from './book-sums.js';

/** Identifies a purchase. */
interface LotKey {
  readonly user_id: string;
  readonly lot_id: string;
}

/** Identity of the projection of the events of accounts to the lines of `AccountBooks` and their sums. */
export const BOOKS_PROJECTION = {
  name: 'books',
  version: 1,
  streamPrefix: ACCOUNT_STREAM_PREFIX,
  tables: ['book_entry', 'book_purchase', 'book_sum', 'book_creator_sum', 'book_deferred_month'],
} as const satisfies Omit<Projection<FinanceTables>, 'apply'>;

/** The projection under the rules of the policy. @param rules is called for each page */
export function booksProjection(rules: () => Promise<RevenueRules>): Projection<FinanceTables> {
  return {
    ...BOOKS_PROJECTION,
    async apply(events, trx) {
      const booked = events.filter(isBooked);
      if (booked.length > 0) await applyBooked(booked, await rules(), trx);
    },
  };
}

async function applyBooked(
  events: readonly StoredEvent[],
  rules: RevenueRules,
  trx: Transaction<FinanceTables>,
): Promise<void> {
  const accounts = await accountsBefore(events, rules, trx);
  const lines: BookEntryTable[] = [];
  for (const event of events) {
    for (const line of accounts.get(userOfStream(event.stream))?.add(event) ?? []) lines.push(line);
  }
  const purchases = [...accounts.values()].flatMap((account) => [...account.purchases()]);
  await insertRows(BOOK_ENTRY, lines, trx);
  await saveSums(lines, trx);
  await replaceRows(BOOK_PURCHASE, purchases, trx);
}

/** The purchases in a page of events, and the users whose debt changes. */
function lotsIn(events: readonly StoredEvent[]): {
  readonly all: ReadonlyMap<string, LotKey>;
  readonly owing: ReadonlySet<string>;
} {
  const all = new Map<string, LotKey>();
  const owing = new Set<string>();
  for (const stored of events) {
    const user_id = userOfStream(stored.stream);
    for (const lot_id of lotsOf(stored)) all.set(keyOf({ user_id, lot_id }), { user_id, lot_id });
    if (stored.type === 'PurchaseReversed' || stored.type === 'DebtRepaid') owing.add(user_id);
  }
  return { all, owing };
}

/**
 * The accounts of a page with its purchases. New lines of an account with debt, now or by this page, depend on all of
 * its purchases and what they earned.
 */
async function accountsBefore(
  events: readonly StoredEvent[],
  rules: RevenueRules,
  trx: Transaction<FinanceTables>,
): Promise<Map<string, AccountBooks>> {
  const users = new Set(events.map(({ stream }) => userOfStream(stream)));
  const accounts = new Map([...users].map((userId) => [userId, new AccountBooks(userId, rules)]));
  const { all, owing } = lotsIn(events);
  const indebted = await usersInDebt([...users], trx);
  for (const userId of owing) indebted.add(userId);
  const others = [...all.values()].filter(({ user_id: userId }) => !indebted.has(userId));
  const owed = await purchasesOfUsers([...indebted], trx);
  const earned = await earningLines([...indebted], trx);
  for (const purchase of [...owed, ...(await purchasesOf(others, trx))]) {
    accounts.get(purchase.user_id)?.restore(purchase, earned.get(keyOf(purchase)) ?? []);
  }
  return accounts;
}

async function usersInDebt(users: readonly string[], trx: Transaction<FinanceTables>): Promise<Set<string>> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id from book_purchase where user_id = any(${users}::text[]) and debt > 0`.execute(trx);
  return new Set(rows.map(({ user_id: userId }) => userId));
}

async function purchasesOfUsers(
  users: readonly string[],
  trx: Transaction<FinanceTables>,
): Promise<readonly BookPurchaseTable[]> {
  if (users.length === 0) return [];
  return trx.selectFrom('book_purchase').selectAll().where('user_id', 'in', users).execute();
}

async function purchasesOf(
  lots: readonly LotKey[],
  trx: Transaction<FinanceTables>,
): Promise<readonly BookPurchaseTable[]> {
  if (lots.length === 0) return [];
  const { rows } = await sql<BookPurchaseTable>`
    select p.* from book_purchase p join (${rowsAs(lots, { user_id: 'text', lot_id: 'text' })}) as k (user_id, lot_id)
      on p.user_id = k.user_id and p.lot_id = k.lot_id`.execute(trx);
  return rows;
}

/** All lines of earnings of some users, in order, by purchase. */
async function earningLines(
  users: readonly string[],
  trx: Transaction<FinanceTables>,
): Promise<ReadonlyMap<string, BookEntryTable[]>> {
  const byLot = new Map<string, BookEntryTable[]>();
  if (users.length === 0) return byLot;
  const lines = await trx
    .selectFrom('book_entry')
    .selectAll()
    .where('user_id', 'in', users)
    .where('account', 'in', [ACCOUNT.platformRevenue, ACCOUNT.creatorShare])
    .orderBy('user_id')
    .orderBy('version')
    .orderBy('line')
    .execute();
  for (const line of lines) {
    const key = keyOf({ user_id: line.user_id, lot_id: line.lot_id ?? '' });
    const known = byLot.get(key);
    if (known) known.push(line);
    else byLot.set(key, [line]);
  }
  return byLot;
}

function keyOf({ user_id, lot_id }: LotKey): string {
  return JSON.stringify([user_id, lot_id]);
}
