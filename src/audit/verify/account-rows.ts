import { booksProjection } from '../../finance/index.js';
import { BOOK_ENTRY, type BookEntryTable, type BookPurchaseTable } from '../../finance/tables.js';
import { ACTIVITY_PROJECTION, REVENUE_PROJECTION } from '../../revenue/index.js';
import {
  CREATOR_ACTIVITY_IMAGE,
  CREATOR_EARNING,
  type ActivityImageRow,
  type ActivityPaymentTable,
  type EarningRow,
  type RevenuePurchaseTable,
} from '../../revenue/tables.js';
import { ActivityAudit } from './activity-audit.js';
import { BooksAudit } from './books-audit.js';
import { linesOf } from './line-texts.js';
import { type AccountRows } from './rows-check.js';

const ofPurchase = ({ lot_id: lot }: { readonly lot_id: string }): string => `purchase ${lot}`;

/** The earnings of creators. */
export const REVENUE_ROWS: AccountRows<EarningRow, RevenuePurchaseTable> = {
  projection: REVENUE_PROJECTION,
  lines: linesOf(
    CREATOR_EARNING,
    ({ kind, line, deduction_id: generation, creator_id: creator, lot_id: lot, month }) =>
      `line ${line}, ${kind} of generation ${generation} for creator ${creator} in ${month}, paid by ${lot}`,
  ),
  table: 'revenue_purchase',
  names: { about: ofPurchase },
  fold: (revenue) => ({ add: (stored) => revenue.rowsOf(stored), rows: () => revenue.purchases() }),
  unreadable: 'Revenue cannot be recomputed',
  unsummable: 'The months of creators',
};

/** Delivered images and payments. */
export const ACTIVITY_ROWS: AccountRows<ActivityImageRow, ActivityPaymentTable> = {
  projection: ACTIVITY_PROJECTION,
  lines: linesOf(
    CREATOR_ACTIVITY_IMAGE,
    ({ deduction_id: generation, creator_id: creator }) => `generation ${generation} of creator ${creator}`,
  ),
  table: 'creator_activity_payment',
  names: {
    about: ({ kind, payment_id: id }) => `${kind} ${id}`,
    extra: (name) => `has the ${name}, but no event makes this row`,
    missing: (name) => `lacks the ${name}`,
  },
  fromJson: (row) => ({
    ...row,
    occurred_at: new Date(row.occurred_at),
    undone_at: row.undone_at && new Date(row.undone_at),
  }),
  fold: ({ userId, cumulativeFrom }) => new ActivityAudit(userId, cumulativeFrom),
  unreadable: 'Images cannot be counted',
  unsummable: 'The images of creators',
};

/** The journal. */
export const BOOK_ROWS: AccountRows<BookEntryTable, BookPurchaseTable> = {
  projection: booksProjection,
  lines: linesOf(BOOK_ENTRY, ({ account, line, event_type: type }) => `line ${line} of ${type}, account ${account}`),
  table: 'book_purchase',
  names: { about: ofPurchase },
  fold(revenue) {
    const audit = new BooksAudit(revenue.userId);
    return { add: (stored) => audit.add(stored, revenue.rowsOf(stored)), rows: () => audit.purchases() };
  },
  unreadable: 'The books cannot be recomputed',
};
