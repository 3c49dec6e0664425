import { type Transaction } from 'kysely';
import { addToRows, summedRows } from '../../platform/database/projected-table.js';
import { monthOf } from '../../revenue/index.js';
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

type Unit = BookSumTable['unit'];

/** First instant of the UTC hour, day or month of an instant. */
export function startOf(unit: Unit, instant: Date): Date {
  const start = new Date(instant);
  if (unit === 'hour') start.setUTCMinutes(0, 0, 0);
  else start.setUTCHours(0, 0, 0, 0);
  if (unit === 'month') start.setUTCDate(1);
  return start;
}

const UNITS = ['hour', 'day', 'month'] as const;
const CREATOR_UNITS = ['day', 'month'] as const;

/** Each sum again for every unit. None is shorter than the unit of the sum. */
function inUnits<Sum extends { readonly starts_at: Date }, Each extends Unit>(
  sums: readonly Sum[],
  units: readonly Each[],
) {
  return sums.flatMap((sum) => units.map((unit) => ({ ...sum, unit, starts_at: startOf(unit, sum.starts_at) })));
}

/** Rows of sums by account and UTC hour, day and month: those of each line. */
export function sumsByAccount<Account extends number>(
  lines: readonly { readonly account: Account; readonly occurred_at: Date; readonly cents: number }[],
) {
  return inUnits(
    lines.map(({ account, occurred_at, cents }) => ({ account, starts_at: occurred_at, cents })),
    UNITS,
  );
}

/**
 * Rows of sums by account, by creator and by the month of the purchase; several may be of the same sum.
 * Lines are added up in the shortest unit first: a page has many lines, but few hours.
 */
export function sumsOf(lines: Iterable<BookEntryTable>) {
  const hours: BookSumTable[] = [];
  const creatorDays: BookCreatorSumTable[] = [];
  const deferred: BookDeferredMonthTable[] = [];
  const addToAccount = (account: BookSumTable['account'], at: Date, cents: number, credits: number): void => {
    hours.push({ account, unit: 'hour', starts_at: startOf('hour', at), cents, credits });
  };
  const addToCreator = (creator_id: string, account: BookSumTable['account'], at: Date, cents: number): void => {
    creatorDays.push({ creator_id, account, unit: 'day', starts_at: startOf('day', at), cents });
  };
  for (const { account, occurred_at, cents, credits, creator_id, payable_at, bought_month } of lines) {
    addToAccount(account, occurred_at, cents, credits);
    if (account === ACCOUNT.creatorShare && creator_id !== null && payable_at !== null) {
      addToAccount(ACCOUNT.creatorPayable, payable_at, cents, 0);
      addToCreator(creator_id, ACCOUNT.creatorShare, occurred_at, cents);
      addToCreator(creator_id, ACCOUNT.creatorPayable, payable_at, cents);
    }
    if (bought_month !== null) deferred.push({ month: monthOf(occurred_at), bought_month, cents, credits });
  }
  return {
    accounts: inUnits(summedRows(BOOK_SUM, hours), UNITS),
    creators: inUnits(summedRows(BOOK_CREATOR_SUM, creatorDays), CREATOR_UNITS),
    deferred,
  };
}

/** Adds new lines to the sums. */
export async function saveSums(lines: readonly BookEntryTable[], trx: Transaction<FinanceTables>): Promise<void> {
  const { accounts, creators, deferred } = sumsOf(lines);
  await addToRows(BOOK_SUM, accounts, trx);
  await addToRows(BOOK_CREATOR_SUM, creators, trx);
  await addToRows(BOOK_DEFERRED_MONTH, deferred, trx);
}
