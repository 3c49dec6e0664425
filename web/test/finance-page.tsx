import { jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type {
  BookEntries,
  BookEntry,
  BookMonth,
  CreatorLiabilities,
  DeferredRevenue,
  MonthClosing,
  RevenueMonths,
  TrialBalance,
} from '../../src/contract/finance.js';
import { FinanceLayout } from '../src/features/finance/shell/finance-layout.js';
import {
  type Answers,
  fakeServer,
  type FakeServer,
  nextPage,
  onPage,
  pass,
  pressKey,
  renderPage,
  screenIs,
  textsOf,
} from './page.js';

export const NOW = '2026-11-22T09:40:02.000Z';

/** A month of the books. */
export const bookMonth = (fields: Partial<BookMonth>): BookMonth => ({
  month: '2026-10',
  opening_cents: 0,
  sold_cents: 0,
  recognised_cents: 0,
  recognised_credits: 0,
  creator_cents: 0,
  platform_cents: 0,
  refunded_cents: 0,
  charged_back_cents: 0,
  other_income_cents: 0,
  loss_cents: 0,
  deferred_cents: 0,
  deferred_credits: 0,
  closed_at: null,
  closed_by: null,
  closed_by_name: null,
  ...fields,
});

export const MONTHS: RevenueMonths = {
  at: NOW,
  month_count: 2,
  next_to_close: '2026-10',
  closing: null,
  months: [
    bookMonth({
      month: '2026-11',
      opening_cents: 139_600,
      sold_cents: 139_500,
      recognised_cents: 130_400,
      creator_cents: 65_200,
      platform_cents: 65_200,
      refunded_cents: -100,
      deferred_cents: 148_800,
    }),
    bookMonth({
      sold_cents: 308_000,
      recognised_cents: 164_400,
      recognised_credits: 16_440,
      creator_cents: 82_200,
      platform_cents: 82_200,
      refunded_cents: 3_500,
      charged_back_cents: 1_000,
      loss_cents: 500,
      deferred_cents: 139_600,
      deferred_credits: 13_960,
    }),
  ],
};
export const DEFERRED: DeferredRevenue = {
  month: '2026-11',
  at: NOW,
  cents: 148_800,
  credits: 14_880,
  ages: [
    { bought_month: '2026-05', age_months: 6, cents: 6_000, credits: 600 },
    { bought_month: '2026-11', age_months: 0, cents: 142_800, credits: 14_280 },
  ],
};
export const LIABILITIES: CreatorLiabilities = {
  at: NOW,
  pending_cents: 107_250,
  payable_cents: 96_100,
  next: null,
  earned_cents: 203_350,
  under_way_cents: 0,
  paid_cents: 0,
  debt_cents: 0,
  paid_account: 1100,
  creators: [
    {
      creator_id: 'creator-1',
      name: 'Juno Abara',
      username: 'junoabara',
      pending_cents: 107_250,
      earned_cents: 203_350,
      payable_cents: 96_100,
      under_way_cents: 0,
      paid_cents: 0,
      debt_cents: 0,
    },
  ],
};
export const BALANCE: TrialBalance = {
  at: NOW,
  begins_at: '2026-02-03T10:00:00.000Z',
  debit_cents: 203_350,
  credit_cents: 203_350,
  accounts: [
    {
      account: 1010,
      name: 'Processor cash: payments received',
      kind: 'asset',
      credits: null,
      debit_cents: 203_350,
      credit_cents: 0,
    },
    {
      account: 1050,
      name: 'Processor cash: transfers to the bank',
      kind: 'asset',
      credits: null,
      debit_cents: null,
      credit_cents: null,
    },
    {
      account: 2100,
      name: 'Creator share',
      kind: 'liability',
      credits: null,
      debit_cents: 0,
      credit_cents: 203_350,
    },
  ],
  creator_share: { pending_cents: 107_250, payable_cents: 98_000, debt_cents: 1_900 },
};
/** The figures that the close of October would fix. */
export const CLOSING: MonthClosing = {
  month: '2026-10',
  obstacle: null,
  processor_is_known: true,
  open_transactions: 0,
  open_cents: 0,
  debit_cents: 143_600,
  credit_cents: 143_600,
  creator_share: { pending_cents: 2_000, payable_cents: 0, debt_cents: 0 },
  figures: '1010:143600:0;2000:-139600:-13960',
  accounts: [
    {
      account: 1010,
      name: 'Processor cash: payments received',
      kind: 'asset',
      credits: null,
      debit_cents: 143_600,
      credit_cents: 0,
    },
    {
      account: 1030,
      name: 'Processor cash: chargebacks',
      kind: 'asset',
      credits: null,
      debit_cents: 0,
      credit_cents: 0,
    },
    {
      account: 2000,
      name: 'Customer credits',
      kind: 'liability',
      credits: 13_960,
      debit_cents: 0,
      credit_cents: 139_600,
    },
    {
      account: 2100,
      name: 'Creator share',
      kind: 'liability',
      credits: null,
      debit_cents: 0,
      credit_cents: 2_000,
    },
    {
      account: 4000,
      name: 'Platform revenue',
      kind: 'income',
      credits: null,
      debit_cents: 0,
      credit_cents: 2_000,
    },
  ],
};
const entry = (fields: Partial<BookEntry>): BookEntry => ({
  id: 'e0',
  user_id: 'user_9',
  version: 11,
  line: 0,
  account: 2000,
  account_name: 'Customer credits',
  event_type: 'DeductionSettled',
  occurred_at: '2026-10-22T09:31:12.000Z',
  debit_cents: 100,
  credit_cents: 0,
  credits: 10,
  session_id: 'cs_1',
  bought_month: '2026-10',
  generation_id: 'gen-1',
  creator_id: 'creator-1',
  reversal_id: null,
  payable_at: null,
  ...fields,
});
const LINES: BookEntry[] = [
  entry({}),
  entry({
    line: 1,
    account: 4000,
    account_name: 'Platform revenue',
    debit_cents: 0,
    credit_cents: 50,
  }),
  entry({
    line: 2,
    account: 2100,
    account_name: 'Creator share',
    debit_cents: 0,
    credit_cents: 50,
    credits: 0,
    bought_month: null,
    payable_at: '2026-11-21T09:31:12.000Z',
  }),
];
export const ENTRIES: BookEntries = {
  cents: -164_400,
  credits: 0,
  next: 'e2',
  accounts: [{ account: 4000, name: 'Platform revenue', kind: 'income' }],
  entries: [
    entry({ id: 'e1', account: 4000, account_name: 'Platform revenue', debit_cents: 0, credit_cents: 50 }),
    entry({ id: 'e2', version: 12, account: 4000, account_name: 'Platform revenue', debit_cents: 0, credit_cents: 70 }),
  ],
};

/** Names of the files that were saved. */
export const saved: string[] = [];

/** Gives each test a wide page of finance, without files. */
export function onFinancePage(): void {
  jest.setTimeout(120_000);
  onPage(watchFiles);
}

/** Ends the page of a test, and starts another. */
export function nextFinancePage(): void {
  nextPage();
  watchFiles();
}

function watchFiles(): void {
  screenIs(true);
  saved.length = 0;
  URL.createObjectURL = jest.fn(() => 'blob:1');
  URL.revokeObjectURL = jest.fn();
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
}

interface Opened {
  /** Replace those of the usual books. */
  readonly answers?: Answers;
  /** The person is also an auditor. */
  readonly audits?: boolean;
  /** The person is an admin. */
  readonly isAdmin?: boolean;
  /** The pattern of the address, if it has parameters. */
  readonly pattern?: string;
}

/** Renders a page in the frame of the area, with books of two months. */
export async function openFinancePage(
  page: React.ReactNode,
  address: string,
  { answers = {}, audits = false, isAdmin = false, pattern }: Opened = {},
): Promise<{ readonly router: Awaited<ReturnType<typeof renderPage>>; readonly server: FakeServer }> {
  const server = fakeServer({
    list_revenue_months: MONTHS,
    get_deferred_revenue: DEFERRED,
    list_creator_liabilities: LIABILITIES,
    get_trial_balance: BALANCE,
    get_month_closing: CLOSING,
    list_book_entries: ENTRIES,
    get_event_entries: LINES,
    get_open_difference_count: { open: 0 },
    ...answers,
  });
  const router = await renderPage(
    <FinanceLayout
      otherAreas={[{ to: '/', label: 'Fanvas' }]}
      auditPath={audits ? (userId, version) => `/audit/accounts/${userId}?v=${version}` : null}
      isAdmin={isAdmin}
      account={null}
    >
      {page}
    </FinanceLayout>,
    address,
    pattern,
  );
  // Some requests follow the answers to others.
  for (let round = 0; round < 4; round += 1) await pass(50);
  return { router, server };
}

/** The texts of the cells of a row. */
export const figures = (row: HTMLElement): (string | null)[] => textsOf(within(row).getAllByRole('cell'));

/** The row with this name. */
export function rowOf(name: RegExp): HTMLElement {
  return screen.getByRole('rowheader', { name }).closest('tr')!;
}

/** Presses a key where the focus is. */
export const press = (key: string): Promise<void> => pressKey(key, {}, 0);
