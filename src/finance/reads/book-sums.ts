import { sql, type Transaction } from 'kysely';
import { rowsAs } from '../../platform/database/bulk-rows.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import {
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

const ACCOUNT_COLUMNS = {
  account: 'smallint',
  unit: 'text',
  starts_at: 'timestamptz',
  cents: 'bigint',
  credits: 'bigint',
} as const satisfies Record<keyof BookSumTable, string>;

const CREATOR_COLUMNS = {
  creator_id: 'text',
  account: 'smallint',
  unit: 'text',
  starts_at: 'timestamptz',
  cents: 'bigint',
} as const satisfies Record<keyof BookCreatorSumTable, string>;

const DEFERRED_COLUMNS = {
  month: 'text',
  bought_month: 'text',
  cents: 'bigint',
  credits: 'bigint',
} as const satisfies Record<keyof BookDeferredMonthTable, string>;

/** Adds new lines to the sums. */
export async function saveSums(lines: readonly BookEntryTable[], trx: Transaction<FinanceTables>): Promise<void> {
  const { accounts, creators, deferred } = sumsOf(lines);
  await sql`
    insert into book_sum (account, unit, starts_at, cents, credits) ${rowsAs(accounts, ACCOUNT_COLUMNS)}
    on conflict (unit, account, starts_at) do update
      set cents = book_sum.cents + excluded.cents, credits = book_sum.credits + excluded.credits`.execute(trx);
  if (creators.length > 0) {
    await sql`
      insert into book_creator_sum (creator_id, account, unit, starts_at, cents) ${rowsAs(creators, CREATOR_COLUMNS)}
      on conflict (unit, account, creator_id, starts_at) do update
        set cents = book_creator_sum.cents + excluded.cents`.execute(trx);
  }
  if (deferred.length > 0) {
    await sql`
      insert into book_deferred_month (month, bought_month, cents, credits) ${rowsAs(deferred, DEFERRED_COLUMNS)}
      on conflict (month, bought_month) do update
        set cents = book_deferred_month.cents + excluded.cents,
          credits = book_deferred_month.credits + excluded.credits`.execute(trx);
  }
}
