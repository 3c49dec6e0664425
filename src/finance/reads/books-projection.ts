import { sql, type Transaction } from 'kysely';
import { ACCOUNT_STREAM_PREFIX, userOfStream } from '../../credits/index.js';
import { rowsAs } from '../../platform/database/bulk-rows.js';
import { insertRows, replaceRows } from '../../platform/database/projected-table.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { type Projection } from '../../platform/projections/projection.js';
import { postingsOf, REVENUE_PROJECTION } from '../../revenue/index.js';
import { AccountBooks, isBooked, lotsOf } from '../account-books.js';
import {
  BOOK_ENTRY,
  BOOK_PURCHASE,
  type BookEntryTable,
  type BookPurchaseTable,
  type FinanceTables,
} from '../tables.js';
import { saveSums } from './book-sums.js';

/** The events of accounts, and what revenue has posted for them, to the lines of `AccountBooks` and their sums. */
export const booksProjection: Projection<FinanceTables> = {
  name: 'books',
  version: 1,
  streamPrefix: ACCOUNT_STREAM_PREFIX,
  tables: ['book_entry', 'book_purchase', 'book_sum', 'book_creator_sum', 'book_deferred_month'],
  follows: REVENUE_PROJECTION,
  async apply(events, trx) {
    const booked = events.filter(isBooked);
    if (booked.length === 0) return;
    const postings = await postingsOf(booked, trx);
    const accounts = new Map(booked.map(({ stream }) => [stream, new AccountBooks(userOfStream(stream))]));
    for (const purchase of await purchasesBefore(booked, postings, trx)) {
      accounts.get(ACCOUNT_STREAM_PREFIX + purchase.user_id)?.restore(purchase);
    }
    const lines: BookEntryTable[] = [];
    for (const event of booked) {
      for (const line of accounts.get(event.stream)?.add(event, postings(event)) ?? []) lines.push(line);
    }
    const purchases = [...accounts.values()].flatMap((account) => [...account.purchases()]);
    await insertRows(BOOK_ENTRY, lines, trx);
    await saveSums(lines, trx);
    await replaceRows(BOOK_PURCHASE, purchases, trx);
  },
};

/** The purchases in a page of events, and all purchases of users whose reversals took back or gave back earnings. */
async function purchasesBefore(
  events: readonly StoredEvent[],
  postings: Awaited<ReturnType<typeof postingsOf>>,
  trx: Transaction<FinanceTables>,
): Promise<readonly BookPurchaseTable[]> {
  const lots = new Map<string, { user_id: string; lot_id: string }>();
  const reversed = new Set<string>();
  for (const event of events) {
    const user_id = userOfStream(event.stream);
    for (const lot_id of lotsOf(event)) lots.set(JSON.stringify([user_id, lot_id]), { user_id, lot_id });
    if (postings(event).some(({ reversal_id: reversal }) => reversal !== null)) reversed.add(user_id);
  }
  const others = [...lots.values()].filter(({ user_id }) => !reversed.has(user_id));
  const { rows } = await sql<BookPurchaseTable>`
    select * from book_purchase where user_id = any(${[...reversed]}::text[])
    union all
    select p.* from book_purchase p join (${rowsAs(others, { user_id: 'text', lot_id: 'text' })}) as k (user_id, lot_id)
      on p.user_id = k.user_id and p.lot_id = k.lot_id`.execute(trx);
  return rows;
}
