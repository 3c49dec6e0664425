import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import type { AdminHealth, AdminOverview } from '../../../../../src/contract/admin.js';
import {
  accessibilityFaults,
  asFan,
  fakeServer,
  lost,
  never,
  pass,
  refusal,
  renderPage,
  sentence,
  type Answers,
  press,
  onPage,
  textsOf,
} from '../../../../test/page.js';
import { AdminLayout } from '../shell/admin-layout.js';
import DashboardPage from './dashboard-page.js';

const HEALTH: AdminHealth = {
  at: '2026-11-22T09:40:00Z',
  lines: [
    { name: 'Seals', state: 'well', what: 'The last seal is 4 minutes old.', todo: null },
    { name: 'Payments', state: 'bad', what: '3 checkouts wait.', todo: 'Look at the stuck checkouts.' },
  ],
};

const OVERVIEW: AdminOverview = {
  queues: [
    { kind: 'urgent_reports', count: 1, oldest_at: '2026-11-22T07:40:00Z', overdue: 0, names: [] },
    {
      kind: 'applications',
      count: 4,
      oldest_at: '2026-11-19T09:40:00Z',
      overdue: 0,
      names: ['Nadia Voss', 'Emeka Rowe'],
    },
  ],
  creators: { active: 8, featured: 7, archived: 1 },
  portraits: [],
  revenue: {
    earned_cents: 817_050,
    pending_cents: 107_250,
    payable_cents: 96_100,
    under_way_cents: 1_750,
    paid_cents: 612_850,
    debt_cents: 900,
    months: [
      { month: '2026-10', paid: 2900, free: 3000 },
      { month: '2026-11', paid: 1300, free: 1450 },
    ],
  },
  now: {
    users: 3206,
    users_this_week: 41,
    drawing: 3,
    credits_held: 30,
    delivered_today: 94,
    refunded_today: 2,
    last_seal: { number: 295, at: '2026-11-22T00:00:07Z' },
  },
  acts: [],
};

const GOOD: Answers = {
  get_admin_counts: { applications: 4, reports: 6, urgent: 1 },
  get_admin_overview: OVERVIEW,
  get_admin_health: HEALTH,
};

describe('/admin', () => {
  onPage(() => asFan({ fullName: 'Sol Brandt' }));

  const open = async (answers: Answers) => {
    const server = fakeServer({ ...GOOD, ...answers });
    await renderPage(
      <AdminLayout otherAreas={[{ to: '/', label: 'Fanvas' }]} account={null}>
        <DashboardPage />
      </AdminLayout>,
      '/admin',
    );
    await pass(1000);
    return server;
  };

  it('[C2.34] shows the card that links to the galleries', async () => {
    await open({});
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Admin Dashboard');
    expect(screen.getByRole('link', { name: 'Gallery Management' }).getAttribute('href')).toBe('/admin/gallery');
    expect(screen.getByText('Manage galleries, featured creators, archive creators')).toBeTruthy();
  });

  it('[C2.35] shows the card that links to the revenue', async () => {
    await open({});
    expect(screen.getByRole('link', { name: 'Revenue Management' }).getAttribute('href')).toBe(
      '/admin/revenue-management',
    );
    expect(screen.getByText('View creator dashboards, track revenue, manage payouts')).toBeTruthy();
    expect(screen.getByText('$8,170.50')).toBeTruthy();
    screen.getByText('The rest: $6,128.50 paid, $17.50 on its way, −$9.00 debt');
  });

  it('links each queue to the list where it is worked off', async () => {
    await open({});
    expect(screen.getByText(sentence('Nadia Voss, Emeka Rowe and 2 more'))).toBeTruthy();
    const queue = screen.getByRole('link', { name: /^Open queue: .*Nadia Voss/ });
    expect(queue.getAttribute('href')).toBe('/admin/applications');
    expect(screen.getByRole('link', { name: /^Review: A report/ }).getAttribute('href')).toBe('/admin/reports');
  });

  it('shows counts of the places and what waits, and reads both again after 30 seconds', async () => {
    const server = await open({});
    expect(screen.getAllByRole('link', { name: /^Reports/ })[0]?.textContent).toBe('Reports6 waiting, some urgent');
    server.answer({
      get_admin_counts: { applications: 4, reports: 0, urgent: 0 },
      get_admin_overview: { ...OVERVIEW, queues: [] },
    });
    await pass(30_000);
    expect(screen.getAllByRole('link', { name: /^Reports/ })[0]?.textContent).toBe('Reports');
    expect(screen.getByText('Nothing waits')).toBeTruthy();
  });

  it('names the worst line of the health first, with the next step', async () => {
    await open({});
    const lines = screen.getByRole('heading', { name: 'Health' }).closest('section')?.querySelectorAll('li');
    expect(lines?.[0]?.textContent).toBe('Payments3 checkouts wait.Look at the stuck checkouts.Bad');
  });

  it('moves through the queues by J and K, with one tab stop', async () => {
    await open({});
    fireEvent.keyDown(document.body, { key: 'j' });
    fireEvent.keyDown(document.body, { key: 'j' });
    expect(document.activeElement?.getAttribute('aria-label')).toContain('Nadia Voss');
    const stops = screen.getAllByRole('link', { name: /^(Review|Open queue):/ }).map((link) => link.tabIndex);
    expect(stops).toEqual([-1, 0]);
  });

  it('announces the loading and shows no figures before they are there', async () => {
    await open({ get_admin_overview: never });
    expect(textsOf(screen.getAllByRole('status'))).toContain('Loading...');
    expect(screen.queryByText('Right now')).toBeNull();
  });

  it('offers another try after a failure, and loads again', async () => {
    const server = await open({ get_admin_overview: refusal(500, 'broken') });
    await pass(60_000);
    expect(screen.getByText('Failed to load the dashboard. Please try again.')).toBeTruthy();
    server.answer({ get_admin_overview: OVERVIEW });
    await press('Try Again', 1000);
    expect(screen.getByText('Needs a person')).toBeTruthy();
  });

  it('keeps the rows with their age when they cannot be read again', async () => {
    const server = await open({});
    server.answer({ get_admin_overview: lost });
    await pass(90_000);
    expect(screen.getByText(/^This is from/)).toBeTruthy();
    expect(screen.getByText(sentence('Nadia Voss, Emeka Rowe and 2 more'))).toBeTruthy();
  });

  it('counts down after too many requests', async () => {
    await open({ get_admin_overview: refusal(429, 'Rate limit exceeded.', { 'retry-after': '14' }) });
    expect(screen.getByText('Rate limit exceeded.').closest('div')?.textContent).toMatch(/Again in 0:1[34]\./);
  });

  it('says that the role was taken away, and keeps what is shown', async () => {
    const server = await open({});
    server.answer({ get_admin_overview: refusal(403, 'Admin privileges required') });
    await pass(31_000);
    expect(screen.getByText('Admin privileges required')).toBeTruthy();
    expect(screen.getByText('Right now')).toBeTruthy();
  });

  it('says when the browser is offline', async () => {
    await open({});
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
    fireEvent(window, new Event('offline'));
    expect(screen.getByText('You are offline.')).toBeTruthy();
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: true });
    fireEvent(window, new Event('online'));
    expect(screen.queryByText('You are offline.')).toBeNull();
  });

  it('has no accessibility faults', async () => {
    await open({});
    expect(await accessibilityFaults()).toEqual([]);
  });
});
