import { AccountBooks } from '../../src/finance/account-books.js';
import { type BookEntryTable } from '../../src/finance/tables.js';
import { AccountRevenue, type EarningRow, type LedgerEvent, type RevenueRules } from '../../src/revenue/index.js';

/** All lines of the books of an account. @param events all events of the account, in order */
export function* entriesOf(
  userId: string,
  events: Iterable<LedgerEvent>,
  rules: RevenueRules,
): Generator<BookEntryTable> {
  const revenue = new AccountRevenue(userId, rules);
  const books = new AccountBooks(userId);
  for (const event of events) yield* books.add(event, revenue.add(event));
}

/** All earnings of an account. @param events all events of the account, in order */
export function* revenueOf(userId: string, events: Iterable<LedgerEvent>, rules: RevenueRules): Generator<EarningRow> {
  const revenue = new AccountRevenue(userId, rules);
  for (const event of events) yield* revenue.add(event);
}
