import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import {
  bookMonth,
  LIABILITIES,
  figures,
  MONTHS,
  NOW,
  openFinancePage,
  press,
  saved,
  onFinancePage,
} from '../../../../test/finance-page.js';
import { accessibilityFaults, lost, never, pass, refusal, click, textsOf } from '../../../../test/page.js';
import { refreshRpc } from '../../../lib/use-rpc.js';
import OverviewPage from './overview-page.js';
// The charts are code of their own, which the tests do not wait for.
import '../../../components/month-chart.js';
import './deferred-line.js';

onFinancePage();

describe('OverviewPage', () => {
  it('shows each month from its opening to its closing, next to what was earned', async () => {
    await openFinancePage(<OverviewPage />, '/finance');
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
    expect(within(rows[0]!).getByRole('rowheader').textContent).toBe('Nov 2026* so farOpen, not ended');
    expect(screen.getByText('From opening to closing, every row adds up')).toBeTruthy();
  });

  it('names the day and the person of each close, and what an open month waits for', async () => {
    const september = { closed_at: '2026-10-02T08:10:00.000Z', closed_by: 'user_sol', closed_by_name: 'Sol Brandt' };
    const months = [
      ...[bookMonth({ month: '2026-11' }), bookMonth({}), bookMonth({ month: '2026-09' })],
      ...[bookMonth({ ...september, month: '2026-08' })],
      ...[bookMonth({ ...september, month: '2026-07', closed_by_name: null })],
    ];
    const answer = { ...MONTHS, months, month_count: 5, next_to_close: '2026-09' };
    const { server } = await openFinancePage(<OverviewPage />, '/finance', {
      answers: { list_revenue_months: answer },
    });
    const stateOf = (name: RegExp): string | null => {
      const table = screen.getByRole('table', { name: 'Revenue by month, the latest first' });
      return within(table).getByRole('rowheader', { name }).textContent;
    };
    expect(stateOf(/^Nov 2026/)).toBe('Nov 2026* so farOpen, not ended');
    expect(stateOf(/^Oct 2026/)).toBe('Oct 2026Open, after Sep');
    expect(stateOf(/^Sep 2026/)).toBe('Sep 2026Open, can be closed');
    expect(stateOf(/^Aug 2026/)).toBe('Aug 2026Closed 2 Octby Sol Brandt');
    expect(stateOf(/^Jul 2026/)).toBe('Jul 2026Closed 2 Octby user_sol');
    expect(screen.getByRole('button', { name: 'Close September 2026...' })).toBeTruthy();
    // The last month has just ended.
    server.answer({ list_revenue_months: { ...MONTHS, at: '2026-12-01T00:10:00.000Z', next_to_close: null } });
    await pass(60_000);
    expect(stateOf(/^Nov 2026/)).toBe('Nov 2026Open, not before 00:15 UTC');
    expect(screen.queryByRole('button', { name: /^Close / })).toBeNull();
  });

  it('has no fault of accessibility', async () => {
    await openFinancePage(<OverviewPage />, '/finance');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says when a month does not add up', async () => {
    const wrong = { ...MONTHS, months: [{ ...MONTHS.months[0]!, deferred_cents: 148_801 }] };
    await openFinancePage(<OverviewPage />, '/finance', { answers: { list_revenue_months: wrong } });
    expect(screen.getByText('A row does not add up from opening to closing')).toBeTruthy();
  });

  it('links each figure to its entries', async () => {
    await openFinancePage(<OverviewPage />, '/finance');
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
    await openFinancePage(<OverviewPage />, '/finance');
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

  it('keeps a tab stop when the row that had it is gone', async () => {
    const { server } = await openFinancePage(<OverviewPage />, '/finance');
    const stops = (): Element[] => [
      ...screen.getByRole('table', { name: /^Revenue by month/ }).querySelectorAll('a[tabindex="0"]'),
    ];
    await press('j');
    server.answer({ list_revenue_months: { ...MONTHS, months: MONTHS.months.slice(1) } });
    refreshRpc('list_revenue_months');
    await pass(100);
    expect(textsOf(stops())).toEqual(['3,080.00']);
  });

  it('says when what is owed could not be loaded, and loads it again', async () => {
    const { server } = await openFinancePage(<OverviewPage />, '/finance', {
      answers: { list_creator_liabilities: refusal(403, 'Not for you.') },
    });
    const owed = (): string | null | undefined => screen.getByText('Owed to creators').nextElementSibling?.textContent;
    expect(owed()).toBe('Failed to load. Try Again');
    server.answer({ list_creator_liabilities: LIABILITIES });
    await click(screen.getByRole('button', { name: 'Try Again' }));
    expect(owed()).toContain('$2,033.50');
  });

  it('gives the figures of the chart as a table, which screen readers always have', async () => {
    await openFinancePage(<OverviewPage />, '/finance');
    const table = screen.getByRole('table', { name: /^Delivered, bought and deferred a month/ });
    expect(figures(within(table).getAllByRole('row')[2]!)).toEqual(['1,644.00', '3,080.00', '1,396.00']);
    expect(table.parentElement?.className).toContain('sr-only');
    fireEvent.click(screen.getByRole('button', { name: 'Show as a table' }));
    expect(table.parentElement?.className).not.toContain('sr-only');
  });

  it('shows the last complete month first, and what is owed', async () => {
    await openFinancePage(<OverviewPage />, '/finance');
    expect(screen.getByText('Delivered in October').nextElementSibling?.textContent).toContain('$1,644.00');
    expect(screen.getByText('Owed to creators').nextElementSibling?.textContent).toBe(
      '$2,033.50$961.00 payable, $1,072.50 pending$2,033.50 earned, $0.00 paid',
    );
    const ages = screen.getByRole('region', { name: 'Deferred by age' });
    expect(ages.textContent).toContain('6 months before or earlier$60.00');
    expect(ages.textContent).toContain('All$1,488.00');
  });

  it('shows the debt that a chargeback left, so that what is owed is the sum of its parts', async () => {
    const money = {
      earned_cents: 2_550,
      pending_cents: 2_200,
      payable_cents: 1_250,
      under_way_cents: 0,
      paid_cents: 0,
      debt_cents: 900,
    };
    await openFinancePage(<OverviewPage />, '/finance', {
      answers: { list_creator_liabilities: { ...LIABILITIES, ...money } },
    });
    expect(screen.getByText('Owed to creators').nextElementSibling?.textContent).toBe(
      '$25.50$12.50 payable, $22.00 pending, −$9.00 debt$25.50 earned, $0.00 paid',
    );
  });

  it('chooses among windows of a year', async () => {
    const { router, server } = await openFinancePage(<OverviewPage />, '/finance', {
      answers: { list_revenue_months: { ...MONTHS, month_count: 14 } },
    });
    const select = screen.getByRole('combobox', { name: 'Months' });
    expect(textsOf(within(select).getAllByRole('option'))).toEqual(['Dec 2025 to Nov 2026', 'Oct 2025 to Nov 2025']);
    fireEvent.change(select, { target: { value: '2025-12' } });
    await pass(0);
    expect(router.state.location.search).toBe('?before=2025-12');
    expect(server.last('list_revenue_months')).toEqual({
      p_limit: 12,
      p_before: '2025-12',
    });
  });

  it('saves the months that it shows, also with the key E', async () => {
    const { server } = await openFinancePage(<OverviewPage />, '/finance?before=2026-12', {
      answers: { 'revenue-months.csv': 'month\r\n' },
    });
    await press('e');
    expect(server.count('revenue-months.csv')).toBe(1);
    await click(screen.getByRole('button', { name: 'CSV' }), 0);
    expect(saved).toEqual(['fanvas-revenue-months.csv', 'fanvas-revenue-months.csv']);
  });

  it('says why a file could not be saved', async () => {
    await openFinancePage(<OverviewPage />, '/finance', {
      answers: { 'revenue-months.csv': refusal(503, 'Too busy.') },
    });
    await press('e');
    expect(screen.getByText('The file could not be downloaded. Too busy.')).toBeTruthy();
  });

  it.each([
    [
      'empty',
      { list_revenue_months: { at: NOW, months: [], month_count: 0, next_to_close: null } },
      'The books are empty',
    ],
    ['loading', { list_revenue_months: never }, 'Loading revenue...'],
    ['not reached', { list_revenue_months: lost }, 'Failed to load revenue. Please try again.'],
    [
      'asked for no month',
      { list_revenue_months: refusal(400, 'Invalid.', {}, 'p_before must be a month such as 2026-10') },
      'p_before must be a month such as 2026-10',
    ],
  ])('has words while the books are %s', async (_, answers, words) => {
    await openFinancePage(<OverviewPage />, '/finance', { answers });
    await pass(10_000);
    expect(screen.getByText(words)).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('keeps the page, shows the refusal and offers no close when the role was taken away', async () => {
    const { server } = await openFinancePage(<OverviewPage />, '/finance');
    server.answer({ list_revenue_months: refusal(403, 'Finance privileges required') });
    await pass(60_000);
    expect(screen.getByText('Finance privileges required')).toBeTruthy();
    expect(screen.getByText('Revenue by month, US dollars')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Close / })).toBeNull();
  });
});
