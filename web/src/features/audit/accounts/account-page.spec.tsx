import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type {
  AccountBalanceAt,
  AccountEvent,
  AccountStatement,
  LedgerSeal,
  StatementEntry,
} from '../../../../../src/contract/audit.js';
import {
  accessibilityFaults,
  fakeServer,
  pass,
  refusal,
  renderPage,
  screenIs,
  type Answers,
  type FakeServer,
  click,
  onPage,
  textsOf,
} from '../../../../test/page.js';
import { useKeyListener } from '../../../components/work-area/keys.js';
import AccountPage from './account-page.js';

const BALANCE: AccountBalanceAt = {
  user_id: 'user_9',
  at: '2026-11-22T09:40:00.000Z',
  balance: { daily: 10, bonus: 20, paid: 90, total: 120 },
  open: 10,
  owed: 0,
  version: 2,
  head: 'cd'.repeat(32),
  problems: [],
};
const line = (
  at: string,
  type: string,
  reference: string,
  amount: number,
  balance: number,
  version: number | null,
): StatementEntry => ({
  at,
  what: type,
  reference,
  amount,
  balance,
  version,
  hash: version === null ? null : `${version}`.repeat(64),
  // The newest seal was made at the beginning of 21 November.
  seal: version === null || at >= '2026-11-21' ? null : at < '2026-11-19' ? 8 : 9,
});
const seal = (number: number, startedAt: string, publishedAt: string | null): LedgerSeal => ({
  number,
  sealed_at: startedAt,
  published_at: publishedAt,
  line: JSON.stringify({
    manifest: { startedAt, endedAt: startedAt, streams: 3, events: 9, merkleRoot: 'ab', keyFingerprint: 'cd' },
  }),
});
const SEALS = {
  seals: [
    seal(9, '2026-11-21T00:00:02.000Z', '2026-11-21T00:00:05.000Z'),
    seal(8, '2026-11-20T00:00:02.000Z', '2026-11-20T04:12:00.000Z'),
  ],
  next: null,
};
const STATEMENT: AccountStatement = {
  user_id: 'user_9',
  from: '1970-01-01T00:00:00.000Z',
  to: BALANCE.at,
  opening: { daily: 0, bonus: 0, paid: 0, total: 0 },
  closing: BALANCE.balance,
  lines: [
    line('2026-11-21T09:00:00.000Z', 'DeductionSettled', 'd1', 0, 120, 2),
    line('2026-11-20T09:00:00.000Z', 'CreditsDeducted', 'd1', -10, 120, 1),
    line('2026-11-19T00:00:00.000Z', 'lapsed', 'daily:1', -10, 130, null),
    line('2026-11-18T09:00:00.000Z', 'CreditsGranted', 'g1', 140, 140, 0),
  ],
  total_lines: 4,
  problems: [],
};
const EVENT: AccountEvent = {
  event: {
    stream: 'creditAccount-user_9',
    version: 1,
    type: 'CreditsDeducted',
    at: '2026-11-20T09:00:00.000Z',
    event_id: 'e1',
    data: { deductionId: 'd1', generationId: 'gen-1', amount: 10 },
    metadata: { actorId: 'user_9', causationId: 'cause-1' },
  },
  recorded_at: '2026-11-20T09:00:00.100Z',
  hash: 'ab'.repeat(32),
  previous_hash: '12'.repeat(32),
  next_hash: 'cd'.repeat(32),
  intact: true,
  seal: { number: 9, started_at: '2026-11-21T00:00:02.000Z' },
  leaf: { index: 41, covered: true, checkpoint_size: 1200 },
  picture: null,
  earned: [],
  platform_cents: 0,
};

let server: FakeServer;

function Page(): React.ReactNode {
  useKeyListener();
  return <AccountPage />;
}

describe('AccountPage', () => {
  onPage(() => screenIs(true));

  const open = async (search = '', answers: Answers = {}) => {
    server = fakeServer({
      get_account_balance_at: BALANCE,
      get_account_statement: STATEMENT,
      get_account_event: EVENT,
      list_ledger_seals: SEALS,
      ...answers,
    });
    const router = await renderPage(<Page />, `/audit/accounts/user_9${search}`, '/audit/accounts/:userId');
    await pass(0);
    await pass(0);
    // The seals are fetched after the lines.
    await pass(10);
    return router;
  };

  it('shows the balances and the events with the newest first', async () => {
    await open();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('user_9');
    expect(screen.getByText('Chain, rules')).toBeTruthy();
    const rows = screen.getAllByRole('row').slice(1);
    expect(rows).toHaveLength(4);
    expect(within(rows[0]!).getByRole('button', { name: 'DeductionSettled' })).toBeTruthy();
    expect(rows[1]!.textContent).toContain('−10');
    expect(within(rows[2]!).queryByRole('button')).toBeNull();
    expect(rows[2]!.textContent).toContain('Lapsed');
    expect(server.calls.find(({ name }) => name === 'get_account_statement')?.body).toMatchObject({
      p_user_id: 'user_9',
      p_newest_first: true,
      p_limit: 200,
    });
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('opens an event with its hashes, its place in the public log and its content', async () => {
    const router = await open();
    await click(screen.getByRole('button', { name: 'CreditsDeducted' }), 0);
    expect(router.state.location.search).toBe('?v=1');
    const detail = screen.getByRole('region', { name: 'Event 1' });
    expect(detail.textContent).toContain('recomputed');
    expect(detail.textContent).toMatch(/Seal9, 21 Nov 2026, 00:00:02 UTC\s+covers it/);
    expect(detail.textContent).toContain('checkpoint of 1,200 covers it');
    expect(within(detail).getByRole('link', { name: 'gen-1' }).getAttribute('href')).toBe('/audit/find?id=gen-1');
    fireEvent.click(within(detail).getByRole('button', { name: 'JSON' }));
    expect(within(detail).getByLabelText('JSON of the event').textContent).toContain('"deductionId": "d1"');
    await click(within(detail).getByRole('button', { name: 'Older event' }), 0);
    expect(router.state.location.search).toBe('?v=0');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows the public picture of an event, its creator, and the cents that both sides earned', async () => {
    const picture = {
      id: 'd1',
      status: 'completed',
      creator_name: 'Juno Abara',
      path: '/juno/generate/d1',
      prompt: 'a lighthouse at night',
      image: null,
    } as const;
    const earned = [
      { creator_id: 'c1', creator_name: 'Juno Abara', cents: 50, payable_at: '2026-12-20T09:00:00.000Z' },
    ];
    await open('?v=1', { get_account_event: { ...EVENT, picture, earned, platform_cents: 50 } });
    const detail = within(screen.getByRole('region', { name: 'Event 1' }));
    expect(detail.getByRole('heading', { name: 'a lighthouse at night' })).toBeTruthy();
    expect(detail.getByRole('link', { name: 'Open the picture' }).getAttribute('href')).toBe('/juno/generate/d1');
    const rows = within(detail.getByRole('table', { name: 'Earned' })).getAllByRole('row');
    expect(textsOf(rows)).toEqual(['Juno Abara, payable from 20 Dec 2026$0.50', 'Fanvas$0.50']);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('names the state of a picture that is not public, and links to nothing', async () => {
    const picture = {
      id: 'd1',
      status: 'completed',
      creator_name: null,
      path: null,
      prompt: null,
      image: null,
    } as const;
    await open('?v=1', { get_account_event: { ...EVENT, picture } });
    const detail = within(screen.getByRole('region', { name: 'Event 1' }));
    expect(detail.getByRole('heading', { name: 'A picture that is not public' })).toBeTruthy();
    expect(detail.queryByRole('link', { name: 'Open the picture' })).toBeNull();
  });

  it('shows the chain from the credits of a deduction to its end, with the lots and their prices', async () => {
    const allocations = [
      { lotId: 'g1', kind: 'bonus', amount: 4, unitPriceCents: 0, expiresAt: null },
      { lotId: 'cs_9', kind: 'paid', amount: 6, unitPriceCents: 10, expiresAt: null },
    ];
    const router = await open('?v=1', {
      get_account_event: { ...EVENT, event: { ...EVENT.event, data: { deductionId: 'd1', amount: 10, allocations } } },
    });
    const detail = within(screen.getByRole('region', { name: 'Event 1' }));
    const chain = within(detail.getByRole('list', { name: 'Chain of the credits' }));
    expect(textsOf(chain.getAllByRole('listitem'))).toEqual([
      'Credits of before, not loadedcs_9',
      'CreditsGranted v018 Nov 2026, 09:00:00 UTC. +140 credits',
      'CreditsDeducted v120 Nov 2026, 09:00:00 UTC. −10 credits',
      'DeductionSettled v221 Nov 2026, 09:00:00 UTC. 0 credits',
    ]);
    expect(chain.getByRole('button', { current: 'step' }).textContent).toBe('CreditsDeducted v1');
    expect(textsOf(detail.getAllByRole('row'))).toEqual(['LotCreditsPrice of one', 'g1 bonus4free', 'cs_9 paid610¢']);
    await click(chain.getByRole('button', { name: 'DeductionSettled v2' }), 0);
    expect(router.state.location.search).toBe('?v=2');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says when the content of an event does not give its hash, and when no checkpoint covers it', async () => {
    await open('?v=1', { get_account_event: { ...EVENT, intact: false, leaf: null } });
    const detail = screen.getByRole('region', { name: 'Event 1' });
    expect(detail.textContent).toContain('does not match the content');
    expect(detail.textContent).toContain('not covered by a checkpoint yet');
  });

  it('asks for the balances as of the instant of the address, and marks where it is among the events', async () => {
    await open('?at=2026-11-20T12:00:00.000Z');
    expect(server.calls.find(({ name }) => name === 'get_account_balance_at')?.body).toEqual({
      p_user_id: 'user_9',
      p_at: '2026-11-20T12:00:00.000Z',
    });
    expect(screen.getByText('Balance then')).toBeTruthy();
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent ?? '');
    const rule = rows.findIndex((text) => text.startsWith('As of 20 Nov 2026, 12:00:00 UTC: balance 120'));
    expect(rows[rule - 1]).toContain('DeductionSettled');
    expect(rows[rule + 1]).toContain('CreditsDeducted');
  });

  it('takes a new instant in UTC on Enter, and goes back to now', async () => {
    const router = await open();
    const field = screen.getByLabelText('As of, UTC');
    fireEvent.change(field, { target: { value: '2026-11-19T08:30:15' } });
    // Not by a submission of the form, which Firefox does not send from this field.
    fireEvent.keyDown(field, { key: 'Enter' });
    await pass(0);
    expect(new URLSearchParams(router.state.location.search).get('at')).toBe('2026-11-19T08:30:15.000Z');
    await click(screen.getByRole('button', { name: 'Now' }), 0);
    expect(router.state.location.search).toBe('');
  });

  it('keeps the instant when its field only loses the focus', async () => {
    const router = await open('?at=2026-11-20T12:00:00.417Z');
    fireEvent.blur(screen.getByLabelText('As of, UTC'));
    await pass(0);
    expect(router.state.location.search).toBe('?at=2026-11-20T12:00:00.417Z');
  });

  it('goes to now by the button, also while a typed instant does not apply yet', async () => {
    const router = await open();
    const field = screen.getByLabelText<HTMLInputElement>('As of, UTC');
    fireEvent.change(field, { target: { value: '2026-11-19T08:30:15' } });
    const now = screen.getByRole('button', { name: 'Now' });
    fireEvent.blur(field);
    await pass(0);
    expect(screen.getByRole('button', { name: 'Now' })).toBe(now);
    await click(now, 0);
    expect([router.state.location.search, field.value]).toEqual(['', '']);
  });

  it('shows the account as of now when the address has no instant', async () => {
    await open('?at=yesterday');
    expect(server.last('get_account_balance_at')).toEqual({ p_user_id: 'user_9' });
    expect(screen.queryByText('Balance then')).toBeNull();
  });

  it('steps from an event and from an instant that are not loaded', async () => {
    const many = { ...STATEMENT, total_lines: 500, lines: STATEMENT.lines.slice(0, 1) };
    const newest = { ...many.lines[0]!, version: 400 };
    const answers = { get_account_statement: { ...many, lines: [newest] } };
    const router = await open('?v=7&at=2026-11-01T00:00:00.000Z', answers);
    const after = async (key: string): Promise<string> => {
      fireEvent.keyDown(document.body, { key });
      await pass(0);
      return router.state.location.search;
    };
    expect(await after('j')).toBe('?v=6&at=2026-11-01T00%3A00%3A00.000Z');
    expect(await after('k')).toBe('?v=7&at=2026-11-01T00%3A00%3A00.000Z');
    expect(await after('[')).toBe('?v=7&at=2026-11-01T00%3A00%3A00.000Z');
    expect(await after(']')).toBe('?v=7&at=2026-11-01T00%3A00%3A00.000Z');
  });

  it('steps through events with J and K, and through instants with the brackets', async () => {
    const router = await open();
    const press = async (key: string): Promise<void> => {
      fireEvent.keyDown(document.body, { key });
      await pass(0);
    };
    await press('j');
    expect(router.state.location.search).toBe('?v=2');
    await press('j');
    expect(router.state.location.search).toBe('?v=1');
    await press('k');
    await press('Escape');
    expect(router.state.location.search).toBe('');
    await press('[');
    expect(new URLSearchParams(router.state.location.search).get('at')).toBe('2026-11-20T09:00:00.000Z');
    await press(']');
    expect(new URLSearchParams(router.state.location.search).get('at')).toBe('2026-11-21T09:00:00.000Z');
    await press(']');
    expect(router.state.location.search).toBe('');
  });

  it('shows an open event in place of the list on phones, with a way back', async () => {
    screenIs(false);
    const router = await open('?v=1');
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.getByRole('region', { name: 'Event 1' })).toBeTruthy();
    await click(screen.getByRole('button', { name: 'Back to the list' }), 0);
    expect(router.state.location.search).toBe('');
    expect(screen.getByRole('table')).toBeTruthy();
  });

  it('draws and loads only the lines of a long account that are in view', async () => {
    const lineAt = (place: number): StatementEntry => {
      const version = 99_999 - place;
      const at = new Date(Date.UTC(2026, 10, 21) - place * 60_000).toISOString();
      return line(at, 'CreditsGranted', `g${version}`, 1, version, version);
    };
    await open('', {
      get_account_statement: ({ p_offset: offset = 0, p_limit: limit }: { p_offset?: number; p_limit: number }) => ({
        ...STATEMENT,
        lines: Array.from({ length: limit }, (_, index) => lineAt(offset + index)),
        total_lines: 100_000,
      }),
    });
    const table = screen.getByRole('table', { name: /Events of the account/ });
    expect(table.getAttribute('aria-rowcount')).toBe('100001');
    expect(within(table).getAllByRole('row').length).toBeLessThan(100);
    expect(screen.getByText('100,000 lines')).toBeTruthy();
    const list = screen.getByRole('region', { name: 'Events' });
    list.scrollTop = 36 * 50_000;
    fireEvent.scroll(list);
    await pass(0);
    const offsets = server.calls.flatMap(({ name, body }) => {
      const { p_offset: offset, p_to: to } = body as { p_offset?: number; p_to?: string };
      return name === 'get_account_statement' && offset !== undefined ? [[offset, to]] : [];
    });
    // Later pages end where the first one ends, so that new events do not move their lines.
    expect(offsets).toEqual([
      [49_800, STATEMENT.to],
      [50_000, STATEMENT.to],
    ]);
    const rows = within(table).getAllByRole('row');
    expect(rows.length).toBeLessThan(100);
    const row = rows.find((one) => one.getAttribute('aria-rowindex') === '50002');
    expect(row?.textContent).toContain('49999');
    await click(within(row!).getByRole('button'), 0);
    fireEvent.keyDown(document.body, { key: 'j' });
    await pass(0);
    expect(screen.getByRole('region', { name: 'Event 49998' })).toBeTruthy();
  });

  it('shows each seal with the events of the account that it covers, and what none covers yet', async () => {
    await open('?at=2026-11-20T12:00:00.000Z');
    const seals = within(screen.getByRole('region', { name: 'Seals' }));
    expect(seals.getAllByRole('listitem').map(({ title }) => title)).toEqual([
      'Seal 8, 20 Nov 2026, 00:00:02 UTC, published late, 1 event of this account',
      'Seal 9, 21 Nov 2026, 00:00:02 UTC, published, 1 event of this account',
    ]);
    expect(seals.getByText(/covers this account to version 1$/)).toBeTruthy();
    expect(seals.getByText(/Version 2 came after the newest seal: it is not sealed yet/)).toBeTruthy();
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent ?? '');
    expect(rows.find((text) => text.includes('DeductionSettled'))).toMatch(/22222222not sealed yet$/);
    expect(rows.find((text) => text.includes('CreditsDeducted'))).toMatch(/111111119$/);
  });

  it('draws the balance of the days around the instant, with the days and the seals below', async () => {
    await open('?at=2026-11-20T12:00:00.000Z');
    const chart = screen.getByRole('img', { name: /Balance from 14 Nov 2026.*: 120 credits at the instant/ });
    const figure = chart.closest('figure')!;
    expect(figure.textContent).toContain('120 credits at 20 Nov 2026, 12:00:00 UTC');
    expect(figure.textContent).toMatch(/14 Nov15 Nov16 Nov17 Nov18 Nov19 Nov20 Nov21 Nov/);
    expect(figure.textContent).toContain('Dashed: after the instant.');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('draws no balance before the oldest line that is loaded, and names how many are drawn', async () => {
    const lines = STATEMENT.lines.slice(0, 1);
    await open('', { get_account_statement: { ...STATEMENT, lines, total_lines: 300 } });
    const chart = screen.getByRole('img', { name: /^Balance from 21 Nov 2026, 09:00:00 UTC/ });
    expect(chart.closest('figure')!.textContent).toContain('These days have 300 lines: only the newest 1 are drawn.');
  });

  it('names the problems of a stream that proves nothing', async () => {
    const problems = [{ version: 1, kind: 'chain', what: 'The hash does not match.' }];
    await open('', {
      get_account_statement: { ...STATEMENT, problems },
      get_account_balance_at: { ...BALANCE, problems },
    });
    expect(screen.getByRole('alert').textContent).toContain('chain, version 1: The hash does not match.');
    expect(screen.getByText('1 problem')).toBeTruthy();
  });

  it('says when there is no account', async () => {
    const none = refusal(404, 'There is no account of this user.');
    await open('', { get_account_balance_at: none, get_account_statement: none });
    await pass(60_000);
    expect(screen.getByText('Failed to load the account. Please try again.')).toBeTruthy();
  });
});
