import { describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { ACT_KINDS, type AdminAct } from '../../../../../src/contract/acts.js';
import {
  accessibilityFaults,
  asFan,
  fakeServer,
  messages,
  never,
  pass,
  refusal,
  renderPage,
  screenIs,
  type Answers,
  type FakeServer,
  type,
  click,
  onPage,
  nextPage,
  textsOf,
} from '../../../../test/page.js';
import { GRANT } from '../../../../test/rows.js';
import { useKeyListener } from '../../../components/work-area/keys.js';
import { AREAS } from './act-words.js';
import LogPage from './log-page.js';

const entry = (number: number, fields: Partial<AdminAct> = {}): AdminAct => ({
  ...GRANT,
  id: `act-${number}`,
  number,
  kind: 'application.approved',
  subject_kind: 'creator',
  subject_id: 'c-haruto',
  subject_name: 'Haruto Vale',
  user_id: null,
  user_name: null,
  before: {},
  after: {},
  reason: null,
  events: [],
  ...fields,
});
const ALL: readonly AdminAct[] = [GRANT, ...Array.from({ length: 50 }, (_, index) => entry(50 - index))];

let server: FakeServer;

function Page(): React.ReactNode {
  useKeyListener();
  return <LogPage />;
}

/** @param acts the whole log, the latest first */
async function open(acts: readonly AdminAct[], address = '/admin/log', answers: Answers = {}) {
  server = fakeServer({
    list_admin_acts: (body: unknown) => {
      const { p_before: before, p_limit: limit } = body as { p_before: number | null; p_limit: number };
      return acts.filter(({ number }) => before === null || number < before).slice(0, limit);
    },
    list_admin_actors: [
      { actor_id: 'admin_1', actor_name: 'Sol Brandt', acts: 40 },
      { actor_id: 'admin_2', actor_name: 'Rui Okafor', acts: 11 },
    ],
    ...answers,
  });
  const router = await renderPage(<Page />, address);
  await pass(50);
  return router;
}

onPage(() => {
  asFan({ id: 'admin_1' });
  screenIs(true);
});

const rows = (): HTMLElement[] =>
  screen.getAllByRole('button').filter((button) => button.hasAttribute('aria-expanded'));
const request = (): unknown => server.last('list_admin_acts');
const key = (name: string): void => void fireEvent.keyDown(document.activeElement ?? document.body, { key: name });
const press = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }));
const value = (term: string): string | null | undefined =>
  screen.getByText(term, { selector: 'dt' }).nextElementSibling?.textContent;

describe('LogPage', () => {
  it('shows time, person, act, subject and detail of each entry', async () => {
    await open([GRANT, entry(50, { actor_role: 'system', actor_name: null, at: '2025-01-02T00:00:00.000Z' })]);
    const [first, second] = within(screen.getByRole('table')).getAllByRole('row').slice(1);
    expect(Array.from(first!.children, ({ textContent }) => textContent)).toEqual([
      '22 Nov, 08:06:40',
      'Sol Brandt',
      'Granted credits',
      'Ines Falk',
      'balance 80 to 90, bonus credits 0 to 10: Image of 19 Nov timed out',
    ]);
    expect(second!.textContent).toContain('2 Jan 2025, 00:00:00');
    expect(second!.textContent).toContain('system');
    expect(screen.getByText(/^Entries cannot be changed or removed\./)).toBeTruthy();
    expect(screen.getByText('51 acts in all')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('names who proposed what another admin has approved', async () => {
    const after = {
      amount: 1500,
      proposal: '0197c1a2-7b00-7000-8000-000000000001',
      proposed_by: 'user_2aQkT8pLw0ZsNxyz',
    };
    await open([
      entry(51, { kind: 'credits.granted', after, proposer_name: 'Rui Okafor' }),
      entry(50, { kind: 'credits.granted', after, proposer_name: null }),
    ]);
    const [known, forgotten] = within(screen.getByRole('table')).getAllByRole('row').slice(1);
    expect(known!.textContent).toContain('amount 1,500, proposed by Rui Okafor');
    expect(forgotten!.textContent).toContain('proposed by user_2aQkT…Nxyz');
    await click(rows()[0]!, 0);
    expect(value('After')).toBe('amount 1,500');
    expect(value('By')).toBe('Sol Brandtadmin admin_1proposed by Rui Okafor');
  });

  it.each<[string, string, Partial<AdminAct>]>([
    [
      'Run 9',
      'step drafted to amounts fixed',
      {
        kind: 'payout.fixed',
        subject_kind: 'payout_run',
        subject_id: '0197c1a2-7b00-7000-8000-000000000001',
        run_number: 9,
        before: { step: 'draft' },
        after: { number: 9, step: 'fix' },
      },
    ],
    [
      'Payout of Juno Abara, run 9',
      'amount $19.00: AC04',
      {
        kind: 'payout.failed',
        subject_kind: 'payout',
        subject_id: '0197c1a2-7b00-7000-8000-000000000002',
        run_number: 9,
        creator_name: 'Juno Abara',
        after: { amount_cents: 1_900 },
        reason: 'AC04',
      },
    ],
    [
      'October 2026',
      '',
      { kind: 'books.month_closed', subject_kind: 'book_month', subject_id: '2026-10', after: { month: '2026-10' } },
    ],
    ['Verification 7', '', { kind: 'ledger.verified', subject_kind: 'verification', subject_id: '7' }],
    [
      'Proposal for Ines Falk',
      'as a grant, amount 1,500',
      {
        kind: 'credits.proposed',
        subject_kind: 'proposal',
        user_name: 'Ines Falk',
        after: { kind: 'grant', amount: 1_500 },
      },
    ],
    [
      'Proposal for Ines Falk',
      'proposed by Rui Okafor: Too much',
      {
        kind: 'credits.declined',
        subject_kind: 'proposal',
        user_name: 'Ines Falk',
        reason: 'Too much',
        proposer_name: 'Rui Okafor',
      },
    ],
    [
      'Haruto Vale',
      'status pending to active',
      { before: { creator_status: 'pending' }, after: { creator_status: 'active' }, subject_name: 'Haruto Vale' },
    ],
  ])('calls the subject %s, and says what has changed in words: %s', async (subject, detail, fields) => {
    await open([entry(1, { subject_name: null, ...fields })]);
    const cells = within(within(screen.getByRole('table')).getAllByRole('row')[1]!).getAllByRole('cell');
    expect(textsOf(cells.slice(-2))).toEqual([subject, detail]);
  });

  it('names the people and objects of an unfolded entry, and keeps their ids', async () => {
    await open([
      entry(1, {
        kind: 'payout.checked',
        subject_kind: 'payout_run',
        subject_id: 'run-9',
        subject_name: null,
        run_number: 9,
        creator_id: 'creator-1',
        creator_name: 'Juno Abara',
        events: [{ stream: 'creatorPayout-creator-1', version: 3, id: 'e1' }],
      }),
    ]);
    await click(rows()[0]!, 0);
    expect(value('On')).toBe('Run 9payout run run-9');
    expect(value('By')).toBe('Sol Brandtadmin admin_1');
    expect(value('Event')).toBe('Payouts of Juno Abara, event 3');
  });

  it('names the user that the log is limited to', async () => {
    await open([GRANT], '/admin/log?about=user_31kQvT8pLw0ZsN');
    expect(screen.getByText('Ines Falk', { selector: 'b' })).toBeTruthy();
  });

  it('unfolds one entry with everything that the log keeps', async () => {
    const router = await open([GRANT, entry(50)]);
    await click(rows()[0]!, 0);
    expect(value('Before')).toBe('balance 80, bonus credits 0');
    expect(value('After')).toBe('balance 90, bonus credits 10');
    expect(value('Event')).toBe('Credits of Ines Falk, event 34');
    expect(value('Request')).toBe('req_5d20c1');
    expect(value('Address')).toBe('198.51.100.24');
    expect(value('State')).toBe('Done');
    expect(value('Entry')).toBe('51, sealed');
    expect(value('Hash')).toBe(GRANT.hash);
    expect(value('Undone by')).toBe('none');
    expect(router.state.location.search).toBe('?open=act-51');
    expect(screen.getByRole('link', { name: 'All acts about this user' }).getAttribute('href')).toContain(
      'about=user_31kQvT8pLw0ZsN',
    );
    await click(rows()[1]!, 0);
    expect(screen.getAllByText('Before')).toHaveLength(1);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('marks entries that were undone, refused or are open, and says what was erased', async () => {
    await open([
      entry(3, { undone_by: 'act-9' }),
      entry(2, { state: 'refused' }),
      entry(1, { state: 'open', address: null, actor_name: null }),
    ]);
    expect(rows().map((row) => row.closest('tr')?.textContent)).toEqual([
      expect.stringContaining('Undone'),
      expect.stringContaining('Refused'),
      expect.stringContaining('Open'),
    ]);
    await click(rows()[0]!, 0);
    expect(screen.getByRole('link', { name: 'A later act' }).getAttribute('href')).toContain(
      'about=c-haruto&open=act-9',
    );
    await click(rows()[2]!, 0);
    expect(value('Address')).toBe('erased');
    expect(value('State')).toBe('Announced, its effect is not recorded yet');
  });

  it.each([
    ['', 1, '1 act in all'],
    ['?about=c-haruto', 1, '1 act matches'],
    ['?about=c-haruto', 2, '2 acts match'],
  ])('counts the acts of /admin/log%s when there are %i', async (search, total, text) => {
    await open([entry(1, { total_count: total })], `/admin/log${search}`);
    expect(screen.getByText(text)).toBeTruthy();
  });

  it('asks the server for the chosen person, act, day and subject', async () => {
    const router = await open(ALL, '/admin/log?about=c-haruto');
    // The first entry that matches gives the subject its name.
    expect(screen.getByText('c-haruto', { selector: 'b' })).toBeTruthy();
    type('Who', 'admin_2');
    await pass(0);
    type('Act', 'credits.');
    await pass(0);
    const look = (): string => screen.getByLabelText('From').className;
    const unset = look();
    type('From', '2026-11-01');
    await pass(0);
    expect(look()).not.toBe(unset);
    expect(request()).toEqual({
      p_actor_id: 'admin_2',
      p_kind: 'credits.',
      p_about: 'c-haruto',
      p_from: '2026-11-01T00:00:00.000Z',
      p_to: null,
      p_search: null,
      p_before: null,
      p_limit: 51,
    });
    expect(screen.getByText('51 acts match')).toBeTruthy();
    press('Show all subjects');
    await pass(0);
    expect(router.state.location.search).toBe('?who=admin_2&act=credits.&from=2026-11-01');
  });

  it('searches from three letters on', async () => {
    const router = await open(ALL);
    type('Search reasons and names', 'ti');
    await pass(300);
    expect(router.state.location.search).toBe('');
    expect(screen.getByText('Type 3 letters at least.').className).not.toContain('sr-only');
    type('Search reasons and names', ' timed ');
    await pass(300);
    expect(request()).toMatchObject({ p_search: 'timed' });
    expect(router.state.location.search).toBe('?q=timed');
    type('Search reasons and names', '');
    await pass(300);
    expect(router.state.location.search).toBe('');
  });

  it('takes the whole day to which the log is limited', async () => {
    const router = await open(ALL);
    type('To', '2026-10-31');
    await pass(0);
    expect(request()).toMatchObject({ p_from: null, p_to: '2026-11-01T00:00:00.000Z' });
    expect(router.state.location.search).toBe('?to=2026-10-31');
  });

  it('leaves out values of the address that the server would refuse', async () => {
    await open(ALL, '/admin/log?act=credits.stolen&from=2026-02-31&to=soon&q=ab&before=-1');
    expect(request()).toMatchObject({ p_kind: null, p_from: null, p_to: null, p_search: null, p_before: null });
  });

  it('turns to older entries and back', async () => {
    const router = await open(ALL);
    expect(rows()).toHaveLength(50);
    expect(screen.getByText('1 to 50 of 51')).toBeTruthy();
    press('Older');
    await pass(0);
    expect(router.state.location.search).toBe('?before=2');
    expect(rows()).toHaveLength(1);
    expect(screen.getByText('51 to 51 of 51')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Older' })).toHaveProperty('disabled', true);
    press('Newer');
    await pass(0);
    expect(router.state.location.search).toBe('');
    expect(screen.getByRole('button', { name: 'Newer' })).toHaveProperty('disabled', true);
  });

  it('moves, unfolds and copies a link to the entry by keys', async () => {
    const writeText = jest.fn((_text: string) => Promise.resolve());
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    const router = await open([GRANT, entry(50), entry(49)]);
    expect(rows().map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);
    key('j');
    key('j');
    expect(document.activeElement).toBe(rows()[1]);
    key('c');
    await pass(0);
    expect(writeText).toHaveBeenCalledWith(`${window.location.origin}/admin/log?before=51&open=act-50`);
    expect(messages()).toEqual(['Link copied to clipboard!']);
    key('k');
    (document.activeElement as HTMLElement).blur();
    key('Enter');
    await pass(0);
    expect(rows()[0]!.getAttribute('aria-expanded')).toBe('true');
    await act(() => router.navigate('/admin/log?before=51&open=act-50'));
    await pass(50);
    expect(rows()[0]!.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByText('2 of 51')).toBeTruthy();
  });

  it('downloads the entries that match as CSV by E, and says why a download failed', async () => {
    await open(ALL, '/admin/log?act=credits.', {
      'admin-acts.csv': refusal(429, 'Rate limit exceeded. Please try again in a moment.'),
    });
    const asked = jest.spyOn(globalThis, 'fetch');
    key('e');
    await pass(0);
    expect(asked.mock.calls[0]?.[0]).toBe('/exports/admin-acts.csv?p_kind=credits.');
    expect(asked.mock.calls[0]?.[1]?.headers).toEqual({ authorization: 'Bearer token' });
    expect(screen.getByRole('alert').textContent).toContain('The file could not be downloaded.');
    asked.mockRestore();
  });

  it('shows two-line rows on a phone', async () => {
    screenIs(false);
    await open([GRANT]);
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.getByRole('list', { name: 'Acts, the latest first' })).toBeTruthy();
    await click(rows()[0]!, 0);
    expect(value('After')).toBe('balance 90, bonus credits 10');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows that it loads, fails and is empty', async () => {
    await open([], '/admin/log', { list_admin_acts: never });
    expect(screen.getByText('Loading the log...')).toBeTruthy();
    nextPage();
    await open([], '/admin/log', { list_admin_acts: refusal(400, 'Bad') });
    expect(screen.getByText('Failed to load the log. Please try again.')).toBeTruthy();
    server.answer({ list_admin_acts: [] });
    press('Try Again');
    await pass(50);
    expect(screen.getByText('No acts yet')).toBeTruthy();
    type('Who', 'admin_2');
    await pass(0);
    expect(screen.getByText('No act matches')).toBeTruthy();
  });
});

it('The filter knows each kind of act', () => {
  expect(AREAS.flatMap(({ kinds }) => kinds)).toEqual(expect.arrayContaining([...ACT_KINDS]));
});
