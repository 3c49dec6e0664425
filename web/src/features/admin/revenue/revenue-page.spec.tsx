import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import { type RevenueCreatorRow } from '../../../../../src/contract/applications.js';
import {
  accessibilityFaults,
  fakeServer,
  never,
  OWN_CREATOR,
  pass,
  refusal,
  renderPage,
  type Answers,
  click,
  press,
  onPage,
  nextPage,
} from '../../../../test/page.js';
import RevenuePage from './revenue-page.js';

const LIST = 'list_revenue_creators_admin';
const TOTALS = 'get_platform_revenue_admin';
const ANALYTICS = 'get_creator_dashboard_analytics';

const row = (fields: Partial<RevenueCreatorRow> = {}): RevenueCreatorRow => ({
  ...OWN_CREATOR,
  profile: null,
  months: [0, 1_200, 5_000, 2_000],
  taken_back_cents: 400,
  restored_cents: 400,
  total_count: 1,
  ...fields,
});
const figures = {
  revenue: { all_time_earnings: 1_633, this_month_earnings: 106.5 },
  stats: { paid_generations: 3_266, total_generations: 7_244, unique_users: 1_129 },
};
const totals = {
  platform_cents: 817_050,
  earned_cents: 817_050,
  pending_cents: 107_250,
  payable_cents: 96_100,
  under_way_cents: 1_750,
  paid_cents: 612_850,
  debt_cents: 900,
  corrections_cents: 250,
  this_month_cents: 65_600,
  active_creators: 8,
  paid_generations: 16_346,
};

async function open(answers: Answers = {}, address = '/admin/revenue-management') {
  const server = fakeServer({ [LIST]: [row()], [TOTALS]: totals, [ANALYTICS]: figures, ...answers });
  await renderPage(<RevenuePage />, address);
  // The list, then the figures of its cards.
  await pass(20);
  await pass(20);
  return server;
}
const region = (name: string) => within(screen.getByRole('region', { name }));

describe('revenue management', () => {
  onPage(() => jest.spyOn(console, 'warn').mockReturnValue(undefined));

  it('[C2.51] [C2.52] [C2.53] [C9.16] shows the totals of the platform and of the creators', async () => {
    await open();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Revenue Management');
    expect(screen.getByRole('link', { name: 'Back to Admin Dashboard' }).getAttribute('href')).toBe('/admin');
    const platform = region('Fanvas Revenue');
    expect(platform.getByText('$8,170.50')).toBeTruthy();
    expect(platform.getByText('50% share')).toBeTruthy();
    const creators = region('Creator Revenue');
    creators.getByText('$6,128.50 paid, $17.50 on its way, $961.00 payable, $1,072.50 pending, −$9.00 debt');
    for (const text of ['Active Creators', '8', 'This Month Revenue', '$656.00', 'Total Paid Generations', '16,346']) {
      expect(creators.getByText(text)).toBeTruthy();
    }
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[C2.55] shows every field of a creator', async () => {
    await open();
    const article = screen.getByRole('article', { name: 'Juno Abara' });
    const card = within(article);
    expect(article.querySelector('[data-initials=J]')).not.toBeNull();
    for (const text of [
      '@junoabara',
      '$1,633.00',
      '$106.50',
      '3,266',
      '7,244',
      '−$4.00, +$4.00',
      'fanvas/juno-abara-ge...',
      'active',
      '1 Mar 2026',
    ]) {
      expect(card.getAllByText(text).length).toBeGreaterThan(0);
    }
    const link = card.getByRole('link', { name: /^View Dashboard/ });
    expect(link.getAttribute('href')).toBe('/admin/revenue-management/c1');
  });

  it('[C2.54] [C9.15] asks the server for the chosen order, the all-time revenue first', async () => {
    const { calls } = await open();
    expect(screen.getByRole('heading', { level: 2, name: 'Creators (1)' })).toBeTruthy();
    const sorts = (): unknown[] =>
      calls.filter(({ name }) => name === LIST).map(({ body }) => (body as { p_sort: string }).p_sort);
    expect(sorts()).toEqual(['all_time_revenue']);
    const select = screen.getByRole('combobox', { name: 'Sort' });
    expect(
      within(select)
        .getAllByRole('option')
        .map((option) => option.getAttribute('value')),
    ).toEqual(['all_time_revenue', 'month_revenue', 'paid_generations', 'total_generations', 'name', 'newest']);
    fireEvent.change(select, { target: { value: 'name' } });
    await pass(0);
    expect(sorts()).toEqual(['all_time_revenue', 'name']);
  });

  it('[C2.56] says that the list loads, is empty or failed', async () => {
    const { answer } = await open({ [LIST]: never });
    expect(screen.getByText('Loading active creators...')).toBeTruthy();
    answer({ [LIST]: [] });
    nextPage();
    await open({ [LIST]: [] });
    expect(screen.getByText('No Active Creators')).toBeTruthy();
    expect(screen.getByText('There are currently no active creators to display.')).toBeTruthy();
    nextPage();
    await open({ [LIST]: refusal(403, 'Admin privileges required'), [TOTALS]: never });
    expect(screen.getByText('Loading creators and analytics...')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('Admin privileges required');
    expect(screen.getByRole('heading', { level: 2, name: 'Creators' })).toBeTruthy();
  });

  it('[C2.57] [C8.17] keeps the other cards when the analytics of one creator fail', async () => {
    const second = row({ id: 'c2', name: 'Teo Lumen', username: 'teolumen' });
    const { answer } = await open({
      [LIST]: [row(), second],
      [ANALYTICS]: (body: { p_creator_id: string }) => (body.p_creator_id === 'c2' ? refusal(400, 'Broken') : figures),
    });
    const failed = within(screen.getByRole('article', { name: 'Teo Lumen' }));
    expect(failed.getByRole('alert').textContent).toBe('Analytics unavailable --');
    expect(within(screen.getByRole('article', { name: 'Juno Abara' })).getByText('$1,633.00')).toBeTruthy();
    answer({ [ANALYTICS]: figures });
    await click(failed.getByRole('button', { name: 'Retry' }), 20);
    await pass(20);
    expect(failed.getByText('$1,633.00')).toBeTruthy();
  });

  it('[C2.57] says that the analytics of a creator load', async () => {
    await open({ [ANALYTICS]: never });
    expect(screen.getByRole('article').textContent).toContain('Loading analytics...');
  });

  it('shows more creators than fit on one page in pages', async () => {
    const { calls } = await open({ [LIST]: [row({ total_count: 30 })] });
    expect(screen.getByText('Page 1 of 2')).toBeTruthy();
    await press('Next', 0);
    expect(calls.filter(({ name }) => name === LIST).at(-1)?.body).toMatchObject({ p_limit: 24, p_offset: 24 });
  });
});
