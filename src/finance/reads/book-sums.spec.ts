import { expect, it } from '@jest/globals';
import { summedRows } from '../../platform/database/projected-table.js';
import { ACCOUNT } from '../chart-of-accounts.js';
import { BOOK_CREATOR_SUM, BOOK_DEFERRED_MONTH, BOOK_SUM, type BookEntryTable } from '../tables.js';
import { sumsByAccount, sumsOf } from './book-sums.js';

const line = (change: Partial<BookEntryTable>): BookEntryTable => ({
  user_id: 'user_1',
  version: 0,
  line: 0,
  account: ACCOUNT.receipts,
  event_type: 'CreditsPurchased',
  occurred_at: new Date('2026-03-31T23:15:00Z'),
  cents: 0,
  credits: 0,
  lot_id: null,
  bought_month: null,
  deduction_id: null,
  creator_id: null,
  reversal_id: null,
  payable_at: null,
  ...change,
});
const HOUR = '2026-03-31T23:00:00.000Z';
const DAY = '2026-03-31T00:00:00.000Z';
const MONTH = '2026-03-01T00:00:00.000Z';
const APRIL = '2026-04-01T00:00:00.000Z';

it('adds up lines by account and by UTC hour, day and month', () => {
  const lines = [
    line({ cents: 5, credits: 1 }),
    line({ cents: 7, occurred_at: new Date('2026-03-31T23:59:59.999Z') }),
    line({ cents: 11, occurred_at: new Date('2026-03-31T09:00:00Z') }),
    line({ cents: 13, occurred_at: new Date('2026-04-01T00:00:00Z') }),
    line({ cents: -5, account: ACCOUNT.bank }),
  ];
  const due = [
    [ACCOUNT.receipts, 'hour', HOUR, 12, 1],
    [ACCOUNT.receipts, 'day', DAY, 23, 1],
    [ACCOUNT.receipts, 'month', MONTH, 23, 1],
    [ACCOUNT.receipts, 'hour', '2026-03-31T09:00:00.000Z', 11, 0],
    [ACCOUNT.receipts, 'hour', APRIL, 13, 0],
    [ACCOUNT.receipts, 'day', APRIL, 13, 0],
    [ACCOUNT.receipts, 'month', APRIL, 13, 0],
    [ACCOUNT.bank, 'hour', HOUR, -5, 0],
    [ACCOUNT.bank, 'day', DAY, -5, 0],
    [ACCOUNT.bank, 'month', MONTH, -5, 0],
  ];
  const sums = summedRows(BOOK_SUM, sumsOf(lines).accounts);
  expect(sums.map((sum) => [sum.account, sum.unit, sum.starts_at.toISOString(), sum.cents, sum.credits])).toEqual(due);
  const cents = summedRows(
    BOOK_SUM,
    sumsByAccount(lines).map((sum) => ({ ...sum, credits: 0 })),
  );
  expect(cents.map((sum) => [sum.account, sum.unit, sum.starts_at.toISOString(), sum.cents])).toEqual(
    due.map((sum) => sum.slice(0, 4)),
  );
});

it('adds a share of a creator when it was earned, and as payable when it can be paid', () => {
  const share = {
    account: ACCOUNT.creatorShare,
    creator_id: 'ada',
    payable_at: new Date('2026-04-30T23:15:00Z'),
  };
  const { accounts, creators } = sumsOf([line({ ...share, cents: -40 }), line({ ...share, cents: -2 })]);
  expect(
    summedRows(BOOK_CREATOR_SUM, creators).map((sum) => [
      sum.creator_id,
      sum.account,
      sum.unit,
      sum.starts_at.toISOString(),
      sum.cents,
    ]),
  ).toEqual([
    ['ada', ACCOUNT.creatorShare, 'day', DAY, -42],
    ['ada', ACCOUNT.creatorShare, 'month', MONTH, -42],
    ['ada', ACCOUNT.creatorPayable, 'day', '2026-04-30T00:00:00.000Z', -42],
    ['ada', ACCOUNT.creatorPayable, 'month', APRIL, -42],
  ]);
  const payable = summedRows(BOOK_SUM, accounts).filter(({ account }) => account === ACCOUNT.creatorPayable);
  expect(payable.map(({ unit, cents }) => [unit, cents])).toEqual([
    ['hour', -42],
    ['day', -42],
    ['month', -42],
  ]);
});

it('adds up what customers are owed by month and by the month of the purchase', () => {
  const owed = { account: ACCOUNT.customerCredits, cents: -10, credits: -1 };
  const { deferred } = sumsOf([
    line({ ...owed, bought_month: '2026-02' }),
    line({ ...owed, bought_month: '2026-02' }),
    line({ ...owed, bought_month: '2026-03' }),
  ]);
  expect(summedRows(BOOK_DEFERRED_MONTH, deferred)).toEqual([
    { month: '2026-03', bought_month: '2026-02', cents: -20, credits: -2 },
    { month: '2026-03', bought_month: '2026-03', cents: -10, credits: -1 },
  ]);
});
