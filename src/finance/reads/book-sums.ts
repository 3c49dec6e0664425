import { type Transaction } from 'kysely';
import { addToRows } from '../../platform/database/projected-table.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import {
  BOOK_CREATOR_SUM,
  BOOK_DEFERRED_MONTH,
  BOOK_SUM,
  type BookCreatorSumTable,
  type BookDeferredMonthTable,
  type BookEntryTable,
  type BookSumTable,
  type FinanceTables,
} from '../tables.js';

/** Sums of lines, as the tables have them. */
export interface BookSums {
  readonly accounts: readonly BookSumTable[];
  readonly creators: readonly BookCreatorSumTable[];
  readonly deferred: readonly BookDeferredMonthTable[];
}

type Unit = BookSumTable['unit'];

/** First instant of the UTC hour, day or month of an instant. */
export function startOf(unit: Unit, instant: Date): Date {
  const start = new Date(instant);
  if (unit === 'hour') start.setUTCMinutes(0, 0, 0);
  else start.setUTCHours(0, 0, 0, 0);
  if (unit === 'month') start.setUTCDate(1);
  return start;
}

/** A sum of the lines of one account in a UTC hour, day or month. */
interface AccountSum<Account> {
  account: Account;
  unit: Unit;
  starts_at: Date;
  cents: number;
}

/** Adds up lines by account and UTC hour, day and month. */
export function sumsByAccount<Account extends number>(
  lines: Iterable<{ readonly account: Account; readonly occurred_at: Date; readonly cents: number }>,
): AccountSum<Account>[] {
  const sums = new Map<string, AccountSum<Account>>();
  for (const { account, occurred_at: at, cents } of lines) {
    for (const unit of ['hour', 'day', 'month'] as const) {
      const starts_at = startOf(unit, at);
      const key = `${account} ${unit} ${starts_at.getTime()}`;
      const sum = sums.get(key) ?? { account, unit, starts_at, cents: 0 };
      sums.set(key, sum);
      sum.cents += cents;
    }
  }
  return [...sums.values()];
}

/** Adds up lines by account, by creator and by the month of the purchase. */
export function sumsOf(lines: Iterable<BookEntryTable>): BookSums {
  const accounts = new Map<string, BookSumTable>();
  const creators = new Map<string, BookCreatorSumTable>();
  const deferred = new Map<string, BookDeferredMonthTable>();
  const addToAccount = (account: BookSumTable['account'], at: Date, cents: number, credits: number): void => {
    for (const unit of ['hour', 'day', 'month'] as const) {
      const starts_at = startOf(unit, at);
      const key = `${account} ${unit} ${starts_at.getTime()}`;
      const sum = accounts.get(key) ?? { account, unit, starts_at, cents: 0, credits: 0 };
      accounts.set(key, sum);
      sum.cents += cents;
      sum.credits += credits;
    }
  };
  const addToCreator = (creator_id: string, account: BookSumTable['account'], at: Date, cents: number): void => {
    for (const unit of ['day', 'month'] as const) {
      const starts_at = startOf(unit, at);
      const key = `${account} ${unit} ${starts_at.getTime()} ${creator_id}`;
      const sum = creators.get(key) ?? { creator_id, account, unit, starts_at, cents: 0 };
      creators.set(key, sum);
      sum.cents += cents;
    }
  };
  for (const { account, occurred_at, cents, credits, creator_id, payable_at, bought_month } of lines) {
    addToAccount(account, occurred_at, cents, credits);
    if (account === ACCOUNT.creatorShare && creator_id !== null && payable_at !== null) {
      addToAccount(ACCOUNT.creatorPayable, payable_at, cents, 0);
      addToCreator(creator_id, ACCOUNT.creatorShare, occurred_at, cents);
      addToCreator(creator_id, ACCOUNT.creatorPayable, payable_at, cents);
    }
    if (bought_month !== null) {
      const month = occurred_at.toISOString().slice(0, 7);
      const sum = deferred.get(`${month} ${bought_month}`) ?? { month, bought_month, cents: 0, credits: 0 };
      deferred.set(`${month} ${bought_month}`, sum);
      sum.cents += cents;
      sum.credits += credits;
    }
  }
  return { accounts: [...accounts.values()], creators: [...creators.values()], deferred: [...deferred.values()] };
}

/** Adds new lines to the sums. */
export async function saveSums(lines: readonly BookEntryTable[], trx: Transaction<FinanceTables>): Promise<void> {
  const { accounts, creators, deferred } = sumsOf(lines);
  await addToRows(BOOK_SUM, accounts, trx);
  await addToRows(BOOK_CREATOR_SUM, creators, trx);
  await addToRows(BOOK_DEFERRED_MONTH, deferred, trx);
}
