import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accountCommands, accountHistory } from '../../../test/support/account-histories.js';
import { AccountBooks } from '../../finance/account-books.js';
import { AccountRevenue } from '../../revenue/index.js';
import type { BookPurchaseTable } from '../../finance/tables.js';
import { BooksAudit } from './books-audit.js';
import { RevenueAudit } from './revenue-audit.js';

const START = Date.parse('2026-03-10T09:00:00Z');
const DAY_MS = 86_400_000;

const inOrder = (rows: Iterable<BookPurchaseTable>): BookPurchaseTable[] =>
  [...rows].sort((a, b) => (a.lot_id < b.lot_id ? -1 : 1));

describe('BooksAudit', () => {
  it('recomputes the lines and purchases of the projection over any history, and they sum to zero', () => {
    const rules = fc.option(fc.integer({ min: 0, max: 240 }), { nil: null });
    fc.assert(
      fc.property(accountCommands, rules, (commands, days) => {
        const cumulativeFrom = days === null ? null : new Date(START + days * DAY_MS);
        const earned = new RevenueAudit('user_1', cumulativeFrom);
        const audit = new BooksAudit('user_1');
        const revenue = new AccountRevenue('user_1', { cumulativeFrom });
        const books = new AccountBooks('user_1');
        for (const event of accountHistory(commands)) {
          const rows = audit.add(event, earned.rowsOf(event));
          expect(rows).toEqual(books.add(event, revenue.add(event)));
          expect(rows.reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
        }
        expect(inOrder(audit.purchases())).toEqual(inOrder(books.purchases()));
      }),
      { numRuns: 200 },
    );
  });

  it('stops at an event without a time', () => {
    const event = { version: 0, type: 'CreditsGranted', data: { schemaVersion: 1 }, metadata: {} };
    expect(() => new BooksAudit('user_1').add(event, [])).toThrow('it has no valid time.');
  });
});
