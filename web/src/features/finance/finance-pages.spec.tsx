/** @jest-environment ./web/browser-environment.mjs */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type {
  BookEntries,
  BookEntry,
  BookMonth,
  CreatorLiabilities,
  DeferredRevenue,
  RevenueMonths,
  TrialBalance,
} from '../../../../src/contract/finance.js';
import {
  accessibilityFaults,
  type Answers,
  endPage,
  fakeServer,
  type FakeServer,
  lost,
  never,
  pass,
  refusal,
  renderPage,
  screenIs,
  startPage,
} from '../../../test/page.js';
import BalancePage from './balance/balance-page.js';
import CreatorsPage from './creators/creators-page.js';
import DeferredPage from './deferred/deferred-page.js';
import EntriesPage from './entries/entries-page.js';
import EventPage from './events/event-page.js';
import ExportsPage from './exports/exports-page.js';
import FindPage from './find/find-page.js';
import OverviewPage from './overview/overview-page.js';
import { FinanceLayout } from './shell/finance-layout.js';
// The charts are code of their own, which the tests do not wait for.
import '../../components/month-chart.js';
import './overview/deferred-line.js';

jest.setTimeout(120_000);

const NOW = '2026-11-22T09:40:02.000Z';

const month = (fields: Partial<BookMonth>): BookMonth => ({
  ...{ month: '2026-10', opening_cents: 0, sold_cents: 0, recognised_cents: 0, recognised_credits: 0 },
  ...{ creator_cents: 0, platform_cents: 0, refunded_cents: 0, charged_back_cents: 0, other_income_cents: 0 },
  ...{ loss_cents: 0, deferred_cents: 0, deferred_credits: 0 },
  ...fields,
});

const MONTHS: RevenueMonths = {
  at: NOW,
  month_count: 2,
  months: [
    month({
      ...{ month: '2026-11', opening_cents: 139_600, sold_cents: 139_500, recognised_cents: 130_400 },
      ...{ creator_cents: 65_200, platform_cents: 65_200, refunded_cents: -100, deferred_cents: 148_800 },
    }),
    month({
      ...{ sold_cents: 308_000, recognised_cents: 164_400, recognised_credits: 16_440, creator_cents: 82_200 },
      ...{ platform_cents: 82_200, refunded_cents: 3_500, charged_back_cents: 1_000, loss_cents: 500 },
      ...{ deferred_cents: 139_600, deferred_credits: 13_960 },
    }),
  ],
};
const DEFERRED: DeferredRevenue = {
  ...{ month: '2026-11', at: NOW, cents: 148_800, credits: 14_880 },
  ages: [
    { bought_month: '2026-05', age_months: 6, cents: 6_000, credits: 600 },
    { bought_month: '2026-11', age_months: 0, cents: 142_800, credits: 14_280 },
  ],
};
const LIABILITIES: CreatorLiabilities = {
  ...{ at: NOW, pending_cents: 107_250, payable_cents: 96_100, next: null },
  creators: [
    {
      ...{ creator_id: 'creator-1', name: 'Juno Abara', username: 'junoabara', pending_cents: 107_250 },
      ...{ payable_cents: 96_100, paid_cents: 0, debt_cents: 0 },
    },
  ],
};
const BALANCE: TrialBalance = {
  ...{ at: NOW, begins_at: '2026-02-03T10:00:00.000Z', debit_cents: 203_350, credit_cents: 203_350 },
  accounts: [
    {
      ...{ account: 1010, name: 'Processor cash: payments received', kind: 'asset', credits: null },
      ...{ debit_cents: 203_350, credit_cents: 0 },
    },
    { account: 1100, name: 'Bank', kind: 'asset', debit_cents: null, credit_cents: null, credits: null },
    {
      ...{ account: 2120, name: 'Creator share: payable', kind: 'liability', credits: null },
      ...{ debit_cents: 0, credit_cents: 203_350 },
    },
  ],
};
const entry = (fields: Partial<BookEntry>): BookEntry => ({
  ...{ id: 'e0', user_id: 'user_9', version: 11, line: 0, account: 2000, account_name: 'Customer credits' },
  ...{ event_type: 'DeductionSettled', occurred_at: '2026-10-22T09:31:12.000Z', debit_cents: 100, credit_cents: 0 },
  ...{ credits: 10, session_id: 'cs_1', bought_month: '2026-10', generation_id: 'gen-1', creator_id: 'creator-1' },
  ...{ reversal_id: null, payable_at: null },
  ...fields,
});
const LINES: BookEntry[] = [
  entry({}),
  entry({ ...{ line: 1, account: 4000, account_name: 'Platform revenue', debit_cents: 0, credit_cents: 50 } }),
  entry({
    ...{ line: 2, account: 2100, account_name: 'Creator share', debit_cents: 0, credit_cents: 50, credits: 0 },
    ...{ bought_month: null, payable_at: '2026-11-21T09:31:12.000Z' },
  }),
];
const ENTRIES: BookEntries = {
  ...{ cents: -164_400, credits: 0, next: 'e2' },
  accounts: [{ account: 4000, name: 'Platform revenue', kind: 'income' }],
  entries: [
    entry({ id: 'e1', account: 4000, account_name: 'Platform revenue', debit_cents: 0, credit_cents: 50 }),
    entry({ id: 'e2', version: 12, account: 4000, account_name: 'Platform revenue', debit_cents: 0, credit_cents: 70 }),
  ],
};

let server: FakeServer;
const saved: string[] = [];

beforeEach(() => {
  startPage();
  screenIs(true);
  saved.length = 0;
  URL.createObjectURL = jest.fn(() => 'blob:1');
  URL.revokeObjectURL = jest.fn();
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});
afterEach(() => {
  endPage();
  jest.restoreAllMocks();
});

const open = async (
  page: React.ReactNode,
  address: string,
  answers: Answers = {},
  audits = false,
  pattern?: string,
) => {
  server = fakeServer({
    list_revenue_months: MONTHS,
    get_deferred_revenue: DEFERRED,
    list_creator_liabilities: LIABILITIES,
    get_trial_balance: BALANCE,
    list_book_entries: ENTRIES,
    get_event_entries: LINES,
    ...answers,
  });
  const router = await renderPage(
    <FinanceLayout
      otherAreas={[{ to: '/', label: 'Fanvas' }]}
      auditPath={audits ? (userId, version) => `/audit/accounts/${userId}?v=${version}` : null}
      account={null}
    >
      {page}
    </FinanceLayout>,
    address,
    pattern,
  );
  // Some requests follow the answers to others.
  for (let answers = 0; answers < 4; answers += 1) await pass(50);
  return router;
};
const figures = (row: HTMLElement): (string | null)[] =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
const rowOf = (name: RegExp): HTMLElement => {
  const header = screen.getByRole('rowheader', { name });
  return header.closest('tr')!;
};
const press = async (key: string): Promise<void> => {
  fireEvent.keyDown(document.activeElement ?? document.body, { key });
  await pass(0);
};

describe('OverviewPage', () => {
  it('shows each month from its opening to its closing, next to what was earned', async () => {
    await open(<OverviewPage />, '/finance');
    const table = screen.getByRole('table', { name: 'Revenue by month, the latest first' });
    const rows = within(table).getAllByRole('row').slice(2);
    expect(rows.map(figures)).toEqual([
      ['1,396.00', '1,395.00', '+1.00', '0.00', '−1,304.00', '0.00', '1,488.00', '652.00', '652.00', '0.00', '0.00'],
      ['0.00', '3,080.00', '−35.00', '−10.00', '−1,644.00', '+5.00', '1,396.00', '822.00', '822.00', '0.00', '−5.00'],
      [
        '0.00',
        '4,475.00',
        '−34.00',
        '−10.00',
        '−2,948.00',
        '+5.00',
        '1,488.00',
        '1,474.00',
        '1,474.00',
        '0.00',
        '−5.00',
      ],
    ]);
    expect(within(rows[0]!).getByRole('rowheader').textContent).toBe('Nov 2026* so far');
    expect(screen.getByText('From opening to closing, every row adds up')).toBeTruthy();
  });

  it('has no fault of accessibility', async () => {
    await open(<OverviewPage />, '/finance');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says when a month does not add up', async () => {
    const wrong = { ...MONTHS, months: [{ ...MONTHS.months[0]!, deferred_cents: 148_801 }] };
    await open(<OverviewPage />, '/finance', { list_revenue_months: wrong });
    expect(screen.getByText('A row does not add up from opening to closing')).toBeTruthy();
  });

  it('links each figure to its entries', async () => {
    await open(<OverviewPage />, '/finance');
    const linkOf = (name: string): string | null => screen.getByRole('link', { name }).getAttribute('href');
    const october = 'from=2026-10-01T00%3A00%3A00.000Z&to=2026-11-01T00%3A00%3A00.000Z';
    expect(linkOf('October 2026, Deferred revenue, Bought: 3,080.00')).toBe(`/finance/entries?account=1010&${october}`);
    expect(linkOf('October 2026, Deferred revenue, Delivered: −1,644.00')).toBe(
      `/finance/entries?account=${encodeURIComponent('2100,4000')}&${october}`,
    );
    expect(linkOf('October 2026, Deferred revenue, Closing: 1,396.00')).toBe('/finance/deferred?month=2026-10');
    expect(linkOf('All of these months, Earned, Creators: 1,474.00')).toContain(
      'account=2100&from=2026-10-01T00%3A00%3A00.000Z&to=2026-12-01T00%3A00%3A00.000Z',
    );
  });

  it('has one tab stop in the table, and moves between the figures with keys', async () => {
    await open(<OverviewPage />, '/finance');
    const table = screen.getByRole('table', { name: 'Revenue by month, the latest first' });
    expect(table.querySelectorAll('a[tabindex="0"]')).toHaveLength(1);
    await press('j');
    expect(document.activeElement?.textContent).toBe('1,396.00');
    await press('ArrowRight');
    await press('j');
    expect(document.activeElement?.textContent).toBe('3,080.00');
    expect(table.querySelectorAll('a[tabindex="0"]')).toHaveLength(1);
    expect(document.activeElement?.getAttribute('tabindex')).toBe('0');
    await press('k');
    expect(document.activeElement?.textContent).toBe('1,395.00');
  });

  it('gives the figures of the chart as a table, which screen readers always have', async () => {
    await open(<OverviewPage />, '/finance');
    const table = screen.getByRole('table', { name: /^Delivered, bought and deferred a month/ });
    expect(figures(within(table).getAllByRole('row')[2]!)).toEqual(['1,644.00', '3,080.00', '1,396.00']);
    expect(table.parentElement?.className).toContain('sr-only');
    fireEvent.click(screen.getByRole('button', { name: 'Show as a table' }));
    expect(table.parentElement?.className).not.toContain('sr-only');
  });

  it('shows the last complete month first, and what is owed', async () => {
    await open(<OverviewPage />, '/finance');
    expect(screen.getByText('Delivered in October').nextElementSibling?.textContent).toContain('$1,644.00');
    expect(screen.getByText('Owed to creators').nextElementSibling?.textContent).toBe(
      '$2,033.50$961.00 payable, $1,072.50 pending',
    );
    const ages = screen.getByRole('region', { name: 'Deferred by age' });
    expect(ages.textContent).toContain('6 months before or earlier$60.00');
    expect(ages.textContent).toContain('All$1,488.00');
  });

  it('chooses among windows of a year', async () => {
    const router = await open(<OverviewPage />, '/finance', { list_revenue_months: { ...MONTHS, month_count: 14 } });
    const select = screen.getByRole('combobox', { name: 'Months' });
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Dec 2025 to Nov 2026', 'Oct 2025 to Nov 2025']);
    fireEvent.change(select, { target: { value: '2025-12' } });
    await pass(0);
    expect(router.state.location.search).toBe('?before=2025-12');
    expect(server.calls.findLast(({ name }) => name === 'list_revenue_months')?.body).toEqual({
      ...{ p_limit: 12, p_before: '2025-12' },
    });
  });

  it('saves the months that it shows, also with the key E', async () => {
    await open(<OverviewPage />, '/finance?before=2026-12', { 'revenue-months.csv': 'month\r\n' });
    await press('e');
    expect(server.count('revenue-months.csv')).toBe(1);
    fireEvent.click(screen.getByRole('button', { name: 'CSV' }));
    await pass(0);
    expect(saved).toEqual(['fanvas-revenue-months.csv', 'fanvas-revenue-months.csv']);
  });

  it('says why a file could not be saved', async () => {
    await open(<OverviewPage />, '/finance', { 'revenue-months.csv': refusal(503, 'Too busy.') });
    await press('e');
    expect(screen.getByText('The file could not be downloaded. Too busy.')).toBeTruthy();
  });

  it.each([
    ['empty', { list_revenue_months: { at: NOW, months: [], month_count: 0 } }, 'The books are empty'],
    ['loading', { list_revenue_months: never }, 'Loading revenue...'],
    ['not reached', { list_revenue_months: lost }, 'Failed to load revenue. Please try again.'],
    [
      'asked for no month',
      { list_revenue_months: refusal(400, 'Invalid.', {}, 'p_before must be a month such as 2026-10') },
      'p_before must be a month such as 2026-10',
    ],
  ])('has words while the books are %s', async (_, answers, words) => {
    await open(<OverviewPage />, '/finance', answers);
    await pass(10_000);
    expect(screen.getByText(words)).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });
});

describe('DeferredPage', () => {
  it('shows what is deferred now by the month of its purchase, with links to the entries', async () => {
    await open(<DeferredPage />, '/finance/deferred');
    expect(figures(rowOf(/May 2026/))).toEqual(['6', '600', '60.00']);
    expect(figures(rowOf(/^All$/))).toEqual(['', '14,880', '1,488.00']);
    const link = screen.getByRole('link', { name: 'Bought in May 2026, Deferred, USD: 60.00' });
    expect(link.getAttribute('href')).toBe(
      '/finance/entries?account=2000&from=2026-05-01T00%3A00%3A00.000Z&to=2026-12-01T00%3A00%3A00.000Z&bought_month=2026-05',
    );
    // From the beginning, because what was bought earlier may be spent in these months.
    const all = screen.getByRole('link', { name: 'All months, Deferred, USD: 1,488.00' });
    expect(all.getAttribute('href')).toBe(
      '/finance/entries?account=2000&from=2000-01-01T00%3A00%3A00.000Z&to=2026-12-01T00%3A00%3A00.000Z',
    );
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('chooses the end of a month, back to the first entry', async () => {
    const router = await open(<DeferredPage />, '/finance/deferred');
    const select = screen.getByRole('combobox', { name: 'As of' });
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['now', 'end of October 2026']);
    fireEvent.change(select, { target: { value: '2026-10' } });
    await pass(0);
    expect(router.state.location.search).toBe('?month=2026-10');
    expect(server.calls.findLast(({ name }) => name === 'get_deferred_revenue')?.body).toEqual({ p_month: '2026-10' });
  });

  it('shows the server’s sentence at the field', async () => {
    await open(<DeferredPage />, '/finance/deferred?month=2030-01', {
      get_deferred_revenue: refusal(400, 'The month must not be in the future.'),
    });
    const select = screen.getByRole('combobox', { name: 'As of', description: /must not be in the future/ });
    expect(select.getAttribute('aria-invalid')).toBe('true');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('has words for empty books', async () => {
    await open(<DeferredPage />, '/finance/deferred', {
      get_deferred_revenue: { ...DEFERRED, cents: 0, credits: 0, ages: [] },
    });
    expect(screen.getByText('Nothing is deferred')).toBeTruthy();
  });
});

describe('CreatorsPage', () => {
  it('lists what creators are owed, with links to the entries of their share', async () => {
    await open(<CreatorsPage />, '/finance/creators');
    expect(figures(rowOf(/Juno Abara/))).toEqual(['1,072.50', '961.00', '0.00', '0.00', '2,033.50']);
    expect(figures(rowOf(/^Sum$/))).toEqual(['1,072.50', '961.00', '', '', '2,033.50']);
    const link = screen.getByRole('link', { name: 'Juno Abara, Pending: 1,072.50' });
    expect(link.getAttribute('href')).toContain('account=2100&from=2000-01-01T00%3A00%3A00.000Z');
    expect(link.getAttribute('href')).toContain('to=2026-11-22T09%3A40%3A02.001Z&creator_id=creator-1');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('turns the pages, and begins with the first one at another instant', async () => {
    await open(<CreatorsPage />, '/finance/creators', {
      list_creator_liabilities: { ...LIABILITIES, next: 'creator-1' },
    });
    const asked = (): unknown => server.calls.findLast(({ name }) => name === 'list_creator_liabilities')?.body;
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    await pass(0);
    expect(asked()).toEqual({ p_after: 'creator-1' });
    fireEvent.change(screen.getByRole('textbox', { name: 'As of, UTC' }), { target: { value: ' 2026-10-31 ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Show' }));
    await pass(0);
    expect(asked()).toEqual({ p_at: '2026-10-31' });
  });

  it('names the figures below the creator on phones', async () => {
    screenIs(false);
    await open(<CreatorsPage />, '/finance/creators');
    expect(figures(rowOf(/Juno Abara/))).toEqual(['2,033.50']);
    expect(rowOf(/Juno Abara/).textContent).toContain('Pending 1,072.50');
    expect(await accessibilityFaults()).toEqual([]);
  });
});

describe('BalancePage', () => {
  it('shows what only the processor knows as unknown, never as zero', async () => {
    await open(<BalancePage />, '/finance/balance');
    expect(figures(rowOf(/Bank/))).toEqual(['unknown', 'unknown', '']);
    expect(figures(rowOf(/payments received/))).toEqual(['2,033.50', '0.00', '']);
    expect(figures(rowOf(/^Sum$/))).toEqual(['2,033.50', '2,033.50', '']);
    expect(screen.getByText('Debits equal credits')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('links to the entries up to the instant, and to the creators for what follows from the time', async () => {
    await open(<BalancePage />, '/finance/balance');
    expect(
      screen
        .getByRole('link', { name: '1010 Processor cash: payments received, Debit: 2,033.50' })
        .getAttribute('href'),
    ).toBe('/finance/entries?account=1010&from=2026-02-03T10%3A00%3A00.000Z&to=2026-11-22T09%3A40%3A02.001Z');
    const payable = screen.getByRole('link', { name: '2120 Creator share: payable, Credit: 2,033.50' });
    expect(payable.getAttribute('href')).toBe('/finance/creators?at=2026-11-22T09%3A40%3A02.000Z');
  });

  it.each([
    ['in the future', '2030-01-01', 'The instant must not be in the future.'],
    ['before the first entry', '2020-01-01', 'The books begin at 2026-02-03T10:00:00.000Z.'],
    ['that is malformed', 'yesterday', 'p_at must be a day or an instant such as 2026-03-10T09:00:00Z'],
  ])('shows the server’s sentence at the field for an instant %s', async (_, at, sentence) => {
    const router = await open(<BalancePage />, '/finance/balance', {
      get_trial_balance: (body: unknown) => ('p_at' in (body as object) ? refusal(400, sentence) : BALANCE),
    });
    await press('t');
    const field = screen.getByRole('textbox', { name: 'As of, UTC' });
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: at } });
    fireEvent.submit(field.closest('form')!);
    await pass(0);
    expect(router.state.location.search).toBe(`?at=${at}`);
    const refused = screen.getByRole('textbox', { name: 'As of, UTC', description: sentence });
    expect(refused.getAttribute('aria-invalid')).toBe('true');
    expect(screen.queryByRole('table')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Now' }));
    await pass(0);
    expect(screen.getByText('Debits equal credits')).toBeTruthy();
  });

  it('saves the balance of the instant that it shows', async () => {
    await open(<BalancePage />, '/finance/balance', { 'trial-balance.csv': 'at\r\n' });
    await press('e');
    expect(saved).toEqual(['fanvas-trial-balance.csv']);
  });

  it('keeps the page and shows the refusal when the role was taken away', async () => {
    await open(<OverviewPage />, '/finance');
    server.answer({ list_revenue_months: refusal(403, 'Finance privileges required') });
    await pass(60_000);
    expect(screen.getByText('Finance privileges required')).toBeTruthy();
    expect(screen.getByText('Revenue by month, US dollars')).toBeTruthy();
  });
});

describe('EntriesPage', () => {
  const ADDRESS = '/finance/entries?account=4000&from=2026-10-01T00:00:00.000Z&to=2026-11-01T00:00:00.000Z';

  it('shows the sum, the entries, and all lines of the event of one of them', async () => {
    const router = await open(<EntriesPage />, ADDRESS);
    expect(screen.getByText('$1,644.00').textContent).toBe('$1,644.00 credit');
    expect(server.calls.find(({ name }) => name === 'list_book_entries')?.body).toEqual({
      ...{ p_accounts: [4000], p_from: '2026-10-01T00:00:00.000Z', p_to: '2026-11-01T00:00:00.000Z' },
    });
    await press('j');
    expect(router.state.location.search).toContain('open=e2');
    const detail = screen.getByRole('region', { name: 'DeductionSettled, version 12' });
    expect(figures(within(detail).getAllByRole('row').at(-1)!)).toEqual(['1.00', '1.00']);
    expect(within(detail).getByRole('button', { name: 'Copy Image ID' })).toBeTruthy();
    expect(within(detail).getByText(/payable from 21 Nov 2026/)).toBeTruthy();
    expect(within(detail).queryByRole('link', { name: /audit area/ })).toBeNull();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('goes back with Escape', async () => {
    const router = await open(<EntriesPage />, ADDRESS);
    await press('Escape');
    expect(router.state.location.pathname).toBe('/finance');
  });

  it('turns the pages', async () => {
    const router = await open(<EntriesPage />, ADDRESS);
    fireEvent.click(screen.getByRole('button', { name: 'Next 100' }));
    await pass(0);
    expect(router.state.location.search).toContain('after=e2');
    fireEvent.click(screen.getByRole('button', { name: 'Previous' }));
    await pass(0);
    expect(router.state.location.search).not.toContain('after=');
  });

  it('redirects an address without an account to the list of all accounts', async () => {
    const router = await open(<EntriesPage />, '/finance/entries');
    expect(router.state.location.pathname).toBe('/finance/balance');
  });

  it('shows the server’s sentence for entries that do not exist', async () => {
    await open(<EntriesPage />, '/finance/entries?account=7&from=2026-10-01&to=2026-11-01', {
      list_book_entries: refusal(400, 'There is no account 7.'),
    });
    expect(screen.getByText('There is no account 7.')).toBeTruthy();
  });

  it('has words for a period without entries', async () => {
    await open(<EntriesPage />, ADDRESS, { list_book_entries: { ...ENTRIES, cents: 0, entries: [], next: null } });
    expect(screen.getByText('Nothing was posted to these accounts in the period.')).toBeTruthy();
  });
});

describe('EventPage', () => {
  const PATTERN = '/finance/events/:userId/:version';

  it('links to the event in the audit area for auditors', async () => {
    await open(<EventPage />, '/finance/events/user_9/11', {}, true, PATTERN);
    expect(screen.getByRole('link', { name: 'This event in the audit area' }).getAttribute('href')).toBe(
      '/audit/accounts/user_9?v=11',
    );
    expect(screen.getByText('user_9:11')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says that an event moves no value', async () => {
    await open(<EventPage />, '/finance/events/user_9/3', { get_event_entries: [] }, false, PATTERN);
    expect(screen.getByText('This event moves no value, or there is no such event.')).toBeTruthy();
  });
});

describe('FindPage', () => {
  it.each([
    ['creator', ['2120 Creator share: payable'], []],
    ['1010', ['1010 Processor cash: payments received'], ['Account']],
    ['juno', ['Juno Abara'], ['Creator']],
    ['user_9:11', ['user_9:11'], ['Entry']],
  ])('finds %s', async (wanted, names, kinds) => {
    await open(<FindPage />, `/finance/find?q=${wanted}`);
    if (kinds.length === 0) {
      // An account without entries of its own has no page.
      expect(screen.queryByText(names[0]!)).toBeNull();
      return;
    }
    const list = screen.getByRole('list', { name: 'Results' });
    expect(
      within(list)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(names);
    expect(within(list).getByText(kinds[0]!)).toBeTruthy();
  });

  it('goes to the results from the field of the header', async () => {
    const router = await open(<BalancePage />, '/finance/balance');
    await press('/');
    const field = screen.getByRole('searchbox', { name: 'Find an account, a creator or an entry' });
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: ' 4000 ' } });
    fireEvent.submit(field.closest('form')!);
    await pass(0);
    expect(router.state.location).toMatchObject({ pathname: '/finance/find', search: '?q=4000' });
  });
});

describe('ExportsPage', () => {
  it('saves the journal of the last complete month by default', async () => {
    await open(<ExportsPage />, '/finance/exports', { 'journal.csv': 'date\r\n' });
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'From, UTC' }).value).toBe('2026-10-01');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'To, UTC' }).value).toBe('2026-11-01');
    fireEvent.click(screen.getByRole('button', { name: 'Journal as CSV' }));
    await pass(0);
    expect(saved).toEqual(['fanvas-journal.csv']);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it.each([
    ['From, UTC', 'from must be a day or an instant such as 2026-03-10T09:00:00Z'],
    ['From, UTC', 'The period must not begin in the future.'],
    ['To, UTC', 'to must be a day or an instant such as 2026-03-10T09:00:00Z'],
    ['To, UTC', 'The period must not end before it begins.'],
  ])('shows at the field %s: %s', async (name, sentence) => {
    await open(<ExportsPage />, '/finance/exports', { 'journal.csv': refusal(400, sentence) });
    await press('e');
    expect(screen.getByRole('textbox', { name, description: sentence }).getAttribute('aria-invalid')).toBe('true');
  });
});
