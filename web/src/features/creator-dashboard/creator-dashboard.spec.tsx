import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import type { OwnCreator } from '../../../../src/contract/creators.js';
import type { CreatorAnalytics, CreatorEarning, CreatorStatement } from '../../../../src/contract/revenue.js';
import {
  accessibilityFaults,
  fakeServer,
  never,
  pass,
  refusal,
  renderPage,
  screenIs,
  sentence,
  type Answers,
  type FakeServer,
  click,
  press,
  onPage,
  nextPage,
  textsOf,
} from '../../../test/page.js';
import { ANALYTICS as FIGURES, creatorMonth, EARNING, OWN_CREATOR } from '../../../test/rows.js';
import { refreshRpc } from '../../lib/use-rpc.js';
import { CreatorDashboard } from './creator-dashboard.js';
import StatementPage from './statement-page.js';

const ANALYTICS = 'get_creator_dashboard_analytics';
const HISTORY = 'get_creator_monthly_history';
const EARNINGS = 'get_creator_earnings';
const PAYOUT = 'get_own_payout_details_by_jwt';
const PAYOUTS = 'list_payout_statements';
const STATEMENT = 'get_creator_statement';

const JUNO: OwnCreator = { ...OWN_CREATOR, deployment_name: 'fanvas/juno' };

const MONTHS = [
  creatorMonth('2026-10', 'October 2026'),
  creatorMonth('2026-09', 'September 2026', { creator_earnings: 220.5, paid_generations: 1441, corrections: -0.5 }),
  creatorMonth('2026-08', 'August 2026'),
  creatorMonth('2026-07', 'July 2026'),
  creatorMonth('2026-06', 'June 2026'),
  creatorMonth('2026-05', 'May 2026'),
  creatorMonth('2026-04', 'April 2026', { creator_earnings: 0, paid_generations: 0 }),
];

const MIXED: CreatorEarning = {
  ...EARNING,
  id: 'e2',
  prompt: 'winter sale at the museum',
  paid: [{ credits: 4, unit_price_cents: 10, cents: 43, creator_cents: 21, bought_at: null }],
  free_credits: 6,
  creator_cents: 21,
};
const FREE: CreatorEarning = {
  ...EARNING,
  id: 'e3',
  kind: 'free',
  prompt: 'fire drill at the opera',
  paid: [],
  free_credits: 10,
  creator_cents: 0,
  payable_at: null,
};
const CORRECTION: CreatorEarning = {
  ...EARNING,
  id: 'e4',
  kind: 'correction',
  prompt: null,
  paid: [{ credits: -10, unit_price_cents: 10, cents: -100, creator_cents: -50, bought_at: null }],
  creator_cents: -50,
  occurred_at: '2026-11-22T08:00:00.000Z',
  payable_at: '2026-11-22T08:00:00.000Z',
  cause: 'dispute',
};

const NO_PAYOUTS = { statements: [], total: { payouts: 0, pictures: 0, amount_cents: 0 }, next: null };

const SOME: Answers = {
  [ANALYTICS]: FIGURES,
  [HISTORY]: { monthly_breakdown: MONTHS },
  [EARNINGS]: [EARNING, MIXED, FREE, CORRECTION],
  [PAYOUT]: [],
  [PAYOUTS]: NO_PAYOUTS,
};
const NONE: Answers = {
  [ANALYTICS]: {
    revenue: {
      all_time_earnings: 0,
      earned_cents: 0,
      this_month_earnings: 0,
      pending_cents: 0,
      payable_cents: 0,
      under_way_cents: 0,
      paid_cents: 0,
      debt_cents: 0,
      payable_by_next_month_cents: 0,
      payout_minimum_cents: 2_500,
      held_until: null,
      paid_until: null,
      under_way_until: null,
    },
    stats: { paid_generations: 0, total_generations: 0, unique_users: 0, free_generations: 0 },
    this_month: creatorMonth('2026-11', 'November 2026', {
      creator_earnings: 0,
      paid_generations: 0,
      free_generations: 0,
    }),
  } satisfies CreatorAnalytics,
  [HISTORY]: { monthly_breakdown: [] },
  [EARNINGS]: [],
  [PAYOUT]: [],
  [PAYOUTS]: NO_PAYOUTS,
};

const rowsOf = (name: string): string[] =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => textsOf(row.children).join(' | '));

/** Code that the dashboard loads later: under fake timers a test cannot wait for its load. */
beforeAll(async () => {
  await import('./revenue-tab.js');
  await import('../../components/month-chart.js');
  await import('./profile-tab.js');
  await import('./controls/controls-tab.js');
  await import('./test-model/test-model-tab.js');
});

describe('creator dashboard', () => {
  onPage(() => {
    screenIs(true);
    jest.setSystemTime(new Date('2026-11-22T09:40:00.000Z'));
  });

  async function open(answers: Answers, address = '/creator', creator: Partial<OwnCreator> = {}, embedded = false) {
    const server = fakeServer(answers);
    const router = await renderPage(
      <CreatorDashboard creator={{ ...JUNO, ...creator }} embedded={embedded} />,
      address,
    );
    // The tabs and the chart are rendered in several steps. A later request for code ends after those of the page.
    for (let wait = 0; wait < 8; wait += 1) {
      await act(async () => void (await import('./revenue-tab.js')));
      await pass(20);
    }
    return { server, router };
  }

  describe('shell', () => {
    it('[C2.16] welcomes the creator, shows that the model is ready and links to the main site', async () => {
      await open(SOME);
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome back, Juno Abara');
      expect(screen.getByText('Model Ready')).toBeTruthy();
      expect(screen.getByRole('link', { name: 'Back to main site' }).getAttribute('href')).toBe('/');
    });

    it('shows no ready model to a creator whose model was deleted, and that a new one comes', async () => {
      await open(NONE, '/creator', { deployment_name: null });
      expect(screen.queryByText('Model Ready')).toBeNull();
      screen.getByText(/Your earlier model was deleted/);
    });

    it('[C2.17, C9.07] opens Revenue first and keeps the chosen tab in the address', async () => {
      const { router } = await open(SOME);
      const tabs = screen.getAllByRole('tab');
      expect(textsOf(tabs)).toEqual(['Revenue', 'Test Model', 'Profile', 'Controls']);
      expect(tabs[0]?.getAttribute('aria-selected')).toBe('true');
      fireEvent.mouseDown(screen.getByRole('tab', { name: 'Profile' }), { button: 0 });
      await pass(100);
      expect(router.state.location.search).toBe('?tab=profile');
      fireEvent.mouseDown(screen.getByRole('tab', { name: 'Revenue' }), { button: 0 });
      expect(router.state.location.search).toBe('');
    });

    it('shows an admin neither the welcome nor the controls and account of the creator', async () => {
      const { server } = await open(SOME, '/creator?tab=controls', { withdrawn_at: '2026-11-20T10:00:00.000Z' }, true);
      expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
      const tabs = textsOf(screen.getAllByRole('tab'));
      expect(tabs).toEqual(['Revenue', 'Test Model', 'Profile']);
      expect(screen.getByRole('tab', { name: 'Revenue' }).getAttribute('aria-selected')).toBe('true');
      expect(screen.getByText(sentence(/Juno Abara withdrew the consent on 20 November 2026/))).toBeTruthy();
      expect(screen.queryByRole('link', { name: 'Accept again' })).toBeNull();
      expect(server.count(PAYOUT)).toBe(0);
      expect(screen.getByRole('link', { name: 'Statement of October 2026' }).getAttribute('href')).toBe(
        '/creator/statement/2026-10?creator=c1',
      );
    });

    it('shows a withdrawn creator what stays, and how to accept again', async () => {
      const { router } = await open(SOME, '/creator', { withdrawn_at: '2026-11-20T10:00:00.000Z' });
      expect(screen.getByText(/You withdrew your consent on 20 November 2026/)).toBeTruthy();
      await click(screen.getByRole('link', { name: 'Accept again' }), 0);
      expect(router.state.location.pathname).toBe('/creator/terms-acceptance');
      expect(router.state.location.state).toEqual({ flowType: 'existing_creator' });
    });

    it.each([
      ['paused', { paused_at: '2026-11-20T10:00:00.000Z' }, /You have paused new images since 20 November 2026/],
      ['archived', { is_visible: false }, /Your page is archived/],
    ])('explains to a creator that the page is %s', async (_state, creator, text) => {
      await open(SOME, '/creator', creator);
      expect(screen.getByText(text)).toBeTruthy();
    });

    it('names the pause once on the Controls tab, so that its switch does not move', async () => {
      await open(SOME, '/creator?tab=controls', { paused_at: '2026-11-20T10:00:00.000Z' });
      expect(screen.queryByText(/You have paused new images/)).toBeNull();
    });

    it('[C2.24] shows the profile read-only, as active', async () => {
      await open(SOME, '/creator?tab=profile', { creator_status: 'pending' });
      const panel = screen.getByRole('tabpanel', { name: 'Profile' });
      const fields = within(panel)
        .getAllByRole('term')
        .map((term) => {
          return [term.textContent, term.nextElementSibling?.textContent.trim()];
        });
      expect(fields).toEqual([
        ['Creator Name', 'Juno Abara'],
        ['Instagram Handle', '@junoabara'],
        ['Email', 'juno@fanvas.example'],
        ['Creator Status', 'Active'],
      ]);
      expect(within(panel).queryByRole('textbox')).toBeNull();
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('[C2.25, C2.03] links support and, in a new tab, the creator terms', async () => {
      await open(SOME);
      expect(screen.getByRole('link', { name: /@/ }).getAttribute('href')).toMatch(/^mailto:/);
      const terms = screen.getByRole('link', { name: /Creator Terms of Use/ });
      expect([terms.getAttribute('href'), terms.getAttribute('target')]).toEqual(['/creator-terms', '_blank']);
    });
  });

  describe('Revenue', () => {
    it('[C2.18, C2.19, C3.05] shows the sums, the figures and where the money is', async () => {
      const { server } = await open(SOME);
      const text = screen.getByRole('tabpanel', { name: 'Revenue' }).textContent;
      for (const part of [
        'All-Time Earnings$1,633.00From paid credit generations',
        'This Month$106.001 to 22 November',
        'Paid Generations3,266',
        'Paid$1,296.00',
        'Payable$160.50',
        'Pending$176.50',
        'Total Generations7,244Delivered to fans: 3,266 paid, 3,978 free',
        'Unique Users1,129',
        'Payable today$160.50',
        'Becomes payable by 1 December$75.50',
        'Next payout on1 Dec 2026',
        'pictures delivered until 1 November 2026',
      ]) {
        expect(text).toContain(part);
      }
      expect(server.calls.find(({ name }) => name === HISTORY)?.body).toEqual({
        p_creator_id: 'c1',
        p_months_back: 24,
      });
    });

    it('divides all earnings by where the money is, so that the parts add up after a chargeback', async () => {
      const revenue = {
        ...FIGURES.revenue,
        all_time_earnings: 65,
        earned_cents: 6500,
        paid_cents: 4350,
        under_way_cents: 1850,
        payable_cents: 50,
        pending_cents: 800,
        debt_cents: 550,
      };
      await open({ ...SOME, [ANALYTICS]: { ...FIGURES, revenue } });
      const parts = [...document.querySelectorAll<HTMLElement>('[data-part]')];
      expect(parts.map(({ dataset, style }) => [dataset['part'], style.flexGrow])).toEqual([
        ['paid', '4350'],
        ['under_way', '1850'],
        ['payable', '50'],
        ['pending', '800'],
      ]);
      const stands = within(screen.getByRole('region', { name: 'Where your earnings stand' }));
      expect(
        stands
          .getAllByRole('term')
          .map(({ textContent, nextElementSibling }) => [textContent, nextElementSibling?.textContent]),
      ).toEqual([
        ['Paid', '$43.50'],
        ['On its way', '$18.50'],
        ['Payable', '$0.50'],
        ['Pending', '$8.00'],
        ['Debt', '−$5.50'],
      ]);
    });

    it('shows what was taken back and must be covered first', async () => {
      const revenue = { ...FIGURES.revenue, payable_cents: 0, debt_cents: 150 };
      await open({ ...SOME, [ANALYTICS]: { ...FIGURES, revenue } });
      expect(screen.getByText('Debt, taken back after a payout').nextElementSibling?.textContent).toBe('−$1.50');
    });

    it('says that Fanvas holds the payouts, and that a small one waits', async () => {
      await open(SOME);
      const next = () => screen.getByRole('region', { name: 'Next payout' }).textContent;
      expect(next()).not.toMatch(/Held|waits/);
      const small = { payable_cents: 100, payable_by_next_month_cents: 550, held_until: '2027-03-01T00:00:00.000Z' };
      nextPage();
      await open({ ...SOME, [ANALYTICS]: { ...FIGURES, revenue: { ...FIGURES.revenue, ...small } } });
      expect(next()).toContain('Held by Fanvas until1 March 2027');
      expect(next()).toContain('A payout below $25.00 waits for the next one.');
    });

    it('shows the end of the account number, or that there is none', async () => {
      await open(SOME);
      expect(screen.getByText('To the account').nextElementSibling?.textContent).toBe('Not given yet. Enter it');
      expect(screen.getByRole('link', { name: 'Enter it' }).getAttribute('href')).toBe('/creator?tab=controls#payouts');
    });

    it('[C2.20, C3.06, C9.07] lists the complete months, six on a page, with their statements', async () => {
      await open(SOME);
      expect(rowsOf('Monthly Revenue History')).toEqual([
        'October 2026Statement of October 2026 | $243.00 | 486',
        'September 2026Statement of September 2026 | $220.50−$0.50 taken back | 1,441',
        'August 2026Statement of August 2026 | $243.00 | 486',
        'July 2026Statement of July 2026 | $243.00 | 486',
        'June 2026Statement of June 2026 | $243.00 | 486',
        'May 2026Statement of May 2026 | $243.00 | 486',
      ]);
      const history = screen.getByRole('region', { name: 'Monthly Revenue History' });
      expect(within(history).getByText('Page 1 of 2')).toBeTruthy();
      fireEvent.click(within(history).getByRole('button', { name: 'Next' }));
      expect(rowsOf('Monthly Revenue History')).toEqual(['April 2026Statement of April 2026 | $0.00 | 0']);
    });

    it('stays on a page of the months when newer figures arrive', async () => {
      const { server } = await open(SOME);
      const history = screen.getByRole('region', { name: 'Monthly Revenue History' });
      fireEvent.click(within(history).getByRole('button', { name: 'Next' }));
      server.answer({ [ANALYTICS]: { ...FIGURES, revenue: { ...FIGURES.revenue, all_time_earnings: 1634 } } });
      act(() => refreshRpc(ANALYTICS));
      await pass(50);
      expect(screen.getByText('$1,634.00')).toBeTruthy();
      expect(within(history).getByText('Page 2 of 2')).toBeTruthy();
    });

    it('gives the figures of the chart as a table, which screen readers always have', async () => {
      await open(SOME);
      const caption = 'Paid and free images a month, the latest first';
      expect(rowsOf(caption).slice(0, 3)).toEqual([
        'November 2026 so far | 212 | 530 | $106.00',
        'October 2026 | 486 | 530 | $243.00',
        'September 2026 | 1,441 | 530 | $220.50−$0.50 taken back',
      ]);
      const holder = screen.getByRole('table', { name: caption }).parentElement;
      expect(holder?.className).toContain('sr-only');
      fireEvent.click(screen.getByRole('button', { name: 'Show as a table' }));
      expect(holder?.className).not.toContain('sr-only');
    });

    it('[C2.21] has words for a creator without images', async () => {
      await open(NONE);
      expect(screen.getByText('No Previous Months')).toBeTruthy();
      expect(screen.getByText('No revenue history available yet')).toBeTruthy();
      expect(screen.getByText('No earnings yet')).toBeTruthy();
      expect(screen.getByText('No images yet')).toBeTruthy();
      expect(screen.getByText('November so far: $0.00')).toBeTruthy();
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('announces that it loads', async () => {
      await open({ [ANALYTICS]: never, [HISTORY]: never, [EARNINGS]: never });
      const loading = textsOf(screen.getAllByRole('status'));
      expect(loading).toEqual(['Loading revenue...', 'Loading earnings...']);
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('shows why the figures are missing, and tries again', async () => {
      const { server } = await open({ ...SOME, [ANALYTICS]: refusal(403, 'Not your creator') });
      expect(screen.getByRole('alert').textContent).toContain('Not your creator');
      server.answer({ [ANALYTICS]: FIGURES });
      await press('Try Again');
      expect(screen.getByText('$1,633.00')).toBeTruthy();
    });

    it('keeps the figures when only the months or the earnings fail', async () => {
      await open({ ...SOME, [HISTORY]: refusal(400, 'No months'), [EARNINGS]: refusal(400, 'No rows') });
      const alerts = textsOf(screen.getAllByRole('alert'));
      expect(alerts.filter((text) => text !== '')).toEqual([
        'Error loading your monthsNo monthsTry AgainTrying...',
        'Error loading earningsNo rowsTry AgainTrying...',
      ]);
      expect(screen.getByText('$1,633.00')).toBeTruthy();
    });
  });

  describe('Latest Earnings', () => {
    const unfold = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));

    it('lists each row with its state and the half of the creator', async () => {
      await open(SOME);
      expect(rowsOf('Latest Earnings')).toEqual([
        '21 Nov, 21:56 | ocean radio, late | Purchased | Pending to 21 Dec | $0.50 | ',
        '21 Nov, 21:56 | winter sale at the museum | Purchased and free | Pending to 21 Dec | $0.21 | ',
        '21 Nov, 21:56 | fire drill at the opera | Free credits | Free: earns nothing | $0.00 | ',
        '22 Nov, 08:00 | Picture deleted or private | Chargeback | Taken back | −$0.50 | ',
      ]);
    });

    it('unfolds an earning into its sum and its life', async () => {
      await open(SOME);
      unfold('ocean radio, late');
      expect(screen.getByText('what each had cost').closest('p')?.textContent.replaceAll(' ', '')).toBe(
        '10paidcredits×10¢whateachhadcost=$1.00paidbythefan÷2=50¢yours',
      );
      const life = screen.getByRole('list', { name: 'Life of this earning' });
      expect(textsOf(within(life).getAllByRole('listitem'))).toEqual([
        '18 Nov, 19:30 The fan bought credits',
        '21 Nov, 21:55 Picture ordered, 10 credits held',
        '21 Nov, 21:56 Delivered: 50¢ earned',
        '21 Dec, 21:56 Payable. A chargeback after this comes off later earnings',
      ]);
      unfold('ocean radio, late');
      expect(screen.queryByRole('list', { name: 'Life of this earning' })).toBeNull();
    });

    it('names the free part of a mixed image, and rounding', async () => {
      await open(SOME);
      unfold('winter sale at the museum');
      expect(screen.getByText('about what each had cost').previousElementSibling?.textContent).toBe('10.75¢');
      expect(screen.getByText(/6 more credits of this picture were free/)).toBeTruthy();
      expect(screen.getByText(/Parts of a cent/)).toBeTruthy();
    });

    it('says why a correction was made', async () => {
      await open(SOME);
      unfold('Picture deleted or private');
      expect(screen.getByText(/a chargeback/).textContent).toContain('The earning was payable already');
      expect(await accessibilityFaults()).toEqual([]);
      expect(screen.getByText('returned to the fan')).toBeTruthy();
    });

    it('has nothing to unfold for a free image', async () => {
      await open(SOME);
      expect(screen.queryByRole('button', { name: 'fire drill at the opera' })).toBeNull();
    });

    it('unfolds on a phone as well', async () => {
      screenIs(false);
      await open(SOME);
      expect(screen.getByRole('list', { name: 'Latest Earnings' })).toBeTruthy();
      unfold('ocean radio, late');
      expect(screen.getByRole('list', { name: 'Life of this earning' })).toBeTruthy();
      expect(await accessibilityFaults()).toEqual([]);
    });

    it('asks for the next page, and for one month from its first page', async () => {
      const { server } = await open(SOME);
      const section = screen.getByRole('region', { name: 'Latest Earnings' });
      expect(within(section).getByText('Page 1 of 2')).toBeTruthy();
      await click(within(section).getByRole('button', { name: 'Next' }), 50);
      fireEvent.change(within(section).getByRole('combobox', { name: 'Month' }), { target: { value: '2026-10' } });
      await pass(50);
      expect(askedFor(server)).toEqual([
        { p_creator_id: 'c1', p_month: null, p_limit: 6, p_offset: 0 },
        { p_creator_id: 'c1', p_month: null, p_limit: 6, p_offset: 6 },
        { p_creator_id: 'c1', p_month: '2026-10', p_limit: 6, p_offset: 0 },
      ]);
      expect(screen.getByRole('button', { name: 'October 2026 as CSV' })).toBeTruthy();
    });

    it('says why the CSV could not be downloaded', async () => {
      const { server } = await open(SOME);
      server.answer({ 'creator-earnings.csv': refusal(429, 'Too many downloads') });
      await press('All earnings as CSV', 50);
      expect(screen.getByText('The file could not be downloaded. Too many downloads')).toBeTruthy();
    });
  });
});

const askedFor = (server: FakeServer): unknown[] => server.bodies(EARNINGS);

const OCTOBER: CreatorStatement = {
  creator_id: 'c1',
  creator_name: 'Juno Abara',
  month: '2026-10',
  month_name: 'October 2026',
  complete: true,
  paid_generations: 3,
  free_generations: 2,
  earnings_cents: 150,
  corrections_cents: -50,
  restorations_cents: 0,
  total_cents: 100,
  days: [
    { day: '2026-10-02', paid_generations: 2, earnings_cents: 100, corrections_cents: 0, restorations_cents: 0 },
    { day: '2026-10-09', paid_generations: 1, earnings_cents: 50, corrections_cents: -50, restorations_cents: 0 },
  ],
  made_at: '2026-11-22T09:40:00.000Z',
};

describe('earnings statement', () => {
  onPage();

  const open = async (answers: Answers, address = '/creator/statement/2026-10'): Promise<FakeServer> => {
    const server = fakeServer(answers);
    await renderPage(<StatementPage />, address, '/creator/statement/:month');
    await pass(50);
    return server;
  };
  const OWN = { get_creator_by_jwt: [JUNO] };

  it('shows the sums of the month and its days, and prints', async () => {
    await open({ ...OWN, [STATEMENT]: OCTOBER });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('October 2026');
    expect(rowsOf('Earnings by day')).toEqual([
      '2 October 2026 | 2 | $1.00 | $0.00 | $0.00 | $1.00',
      '9 October 2026$0.50 earned, −$0.50 taken back | 1 | $0.50 | −$0.50 | $0.00 | $0.00',
      'Total | 3 | $1.50 | −$0.50 | $0.00 | $1.00',
    ]);
    expect(screen.getByText('A chargeback after this comes off later earnings.')).toBeTruthy();
    const print = jest.spyOn(window, 'print').mockImplementation(() => undefined);
    fireEvent.click(screen.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledTimes(1);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says that a month in progress still changes', async () => {
    await open({ ...OWN, [STATEMENT]: { ...OCTOBER, complete: false, days: [] } });
    expect(screen.getByText(/The month is not over/)).toBeTruthy();
  });

  it('asks for the creator that an admin names', async () => {
    const server = await open({ [STATEMENT]: OCTOBER }, '/creator/statement/2026-10?creator=c7');
    expect(server.calls).toEqual([{ name: STATEMENT, body: { p_creator_id: 'c7', p_month: '2026-10' } }]);
  });

  it.each([
    ['does not exist', '/creator/statement/2026-13', OWN],
    ['has not begun', '/creator/statement/2026-12', { ...OWN, [STATEMENT]: { ...OCTOBER, month: '2026-12' } }],
    ['is unknown to the server', '/creator/statement/1999-01', { ...OWN, [STATEMENT]: refusal(400, 'No such month') }],
  ])('shows that there is no statement when the month %s', async (_case, address, answers) => {
    await open(answers, address);
    expect(screen.getByText('There is no statement for this month')).toBeTruthy();
  });

  it('sends a person without a creator page to the portal', async () => {
    await open({ get_creator_by_jwt: [] });
    expect(screen.getByRole('link', { name: 'Become a creator' }).getAttribute('href')).toBe('/creator');
  });

  it('tries again after a failure', async () => {
    const server = await open({ ...OWN, [STATEMENT]: refusal(403, 'Not for you') });
    expect(screen.getByRole('alert').textContent).toContain('Not for you');
    server.answer({ [STATEMENT]: OCTOBER });
    await press('Try Again', 50);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('October 2026');
  });
});
