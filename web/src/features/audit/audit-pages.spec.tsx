import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type { LedgerAccount, LedgerSeal } from '../../../../src/contract/audit.js';
import {
  accessibilityFaults,
  fakeServer,
  pass,
  refusal,
  renderPage,
  screenIs,
  type FakeServer,
  press,
  onPage,
} from '../../../test/page.js';
import { CONTINUOUS, endedRun } from '../../../test/verification.js';
import AccountsPage from './accounts/accounts-page.js';
import ExportPage from './export/export-page.js';
import FindPage from './find/find-page.js';
import { AuditLayout } from './shell/audit-layout.js';
import SealsPage from './seals/seals-page.js';
import VerificationPage from './verification/verification-page.js';

const ACCOUNT: LedgerAccount = {
  user_id: 'user_9',
  version: 25,
  head: 'ab'.repeat(32),
  last_event_at: '2026-11-20T21:15:40.000Z',
  balance: { daily: 0, bonus: 0, paid: 90, total: 90 },
  owed: 0,
  balance_version: 25,
};
/** Answers of the page of the verification. */
const VERIFICATION = {
  get_ledger_verification: CONTINUOUS,
  list_verification_runs: { runs: [endedRun()], next: null },
  list_ledger_seals: { seals: [], next: null },
};

let server: FakeServer;

onPage(() => screenIs(true));

const frame = (page: React.ReactNode): React.ReactNode => (
  <AuditLayout otherAreas={[{ to: '/', label: 'Fanvas' }]} account={null}>
    {page}
  </AuditLayout>
);

describe('AuditLayout', () => {
  it('marks the current place and goes to the page that looks for an ID', async () => {
    server = fakeServer(VERIFICATION);
    const router = await renderPage(frame(<VerificationPage />), '/audit/verification', '/audit/verification');
    expect(screen.getAllByRole('link', { current: 'page' })[0]?.textContent).toBe('Verification');
    const field = screen.getByRole('searchbox', { name: 'User, event or session ID' });
    fireEvent.change(field, { target: { value: ' cs_1 ' } });
    fireEvent.submit(field.closest('form')!);
    await pass(0);
    expect(router.state.location).toMatchObject({ pathname: '/audit/find', search: '?id=cs_1' });
  });

  it('keeps the page and shows the refusal when the role was taken away', async () => {
    server = fakeServer(VERIFICATION);
    await renderPage(frame(<VerificationPage />), '/audit/verification', '/audit/verification');
    server.answer({ get_ledger_verification: refusal(403, 'Auditor privileges required') });
    await pass(120_000);
    expect(screen.getByRole('alert').textContent).toContain('Auditor privileges required');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('No problems');
  });
});

describe('AccountsPage', () => {
  it('lists accounts with links, and turns the pages', async () => {
    server = fakeServer({ list_ledger_accounts: { accounts: [ACCOUNT], next: 'user_9' } });
    const router = await renderPage(frame(<AccountsPage />), '/audit', '/audit');
    await pass(0);
    expect(screen.getByRole('link', { name: 'user_9' }).getAttribute('href')).toBe('/audit/accounts/user_9');
    await press('Next', 0);
    expect(router.state.location.search).toBe('?after=user_9');
    expect(server.calls.at(-1)?.body).toEqual({ p_limit: 50, p_after: 'user_9' });
    await press('Previous', 0);
    expect(router.state.location.search).toBe('');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says when a balance is older than the last event', async () => {
    server = fakeServer({ list_ledger_accounts: { accounts: [{ ...ACCOUNT, balance_version: 20 }], next: null } });
    await renderPage(frame(<AccountsPage />), '/audit', '/audit');
    await pass(0);
    expect(screen.getByText('balance of 20')).toBeTruthy();
  });
});

describe('FindPage', () => {
  const event = {
    stream: 'creditAccount-user_9',
    version: 11,
    type: 'CreditsPurchased',
    at: '2026-11-18T19:30:19.000Z',
    event_id: 'e1',
    data: {},
    metadata: {},
  };

  it('links the account of a user and the events that mention the ID', async () => {
    server = fakeServer({
      get_account_balance_at: { user_id: 'user_9' },
      find_ledger_events: { events: [event], next: null, complete: true },
    });
    await renderPage(frame(<FindPage />), '/audit/find?id=user_9', '/audit/find');
    await pass(0);
    expect(screen.getByRole('link', { name: 'Open the account of this user' }).getAttribute('href')).toBe(
      '/audit/accounts/user_9',
    );
    expect(screen.getByRole('link', { name: 'user_9, version 11' }).getAttribute('href')).toBe(
      '/audit/accounts/user_9?v=11',
    );
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says when nothing was found, and when the search was not complete', async () => {
    server = fakeServer({
      get_account_balance_at: refusal(404, 'There is no account of this user.'),
      find_ledger_events: { events: [], next: null, complete: false },
    });
    await renderPage(frame(<FindPage />), '/audit/find?id=nothing', '/audit/find');
    await pass(0);
    expect(screen.getByText('No event mentions this ID')).toBeTruthy();
    expect(screen.getByText(/only the account that the id belongs to was searched/)).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Open the account of this user' })).toBeNull();
  });
});

describe('SealsPage', () => {
  const seal = (number: number, fields: Partial<LedgerSeal> = {}): LedgerSeal => ({
    number,
    sealed_at: '2026-11-22T00:00:07.000Z',
    published_at: '2026-11-22T00:00:10.000Z',
    line: JSON.stringify({
      manifest: {
        startedAt: '2026-11-22T00:00:07.000Z',
        endedAt: '2026-11-22T00:00:09.000Z',
        streams: 3206,
        events: 125_005,
        merkleRoot: '4b'.repeat(32),
        keyFingerprint: '87'.repeat(32),
      },
      signature: 'x',
    }),
    ...fields,
  });

  it('shows each seal with what it covers and its state', async () => {
    server = fakeServer({
      checkpoint: refusal(404, 'Not found'),
      list_ledger_seals: {
        seals: [
          seal(295),
          seal(294, { published_at: null }),
          seal(293, { published_at: '2026-11-22T04:12:00.000Z' }),
          seal(292, { line: 'not json' }),
        ],
        next: null,
      },
    });
    await renderPage(frame(<SealsPage />), '/audit/seals', '/audit/seals');
    await pass(0);
    const states = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell').at(-1)?.textContent);
    expect(states).toEqual([
      'Published',
      'Not published yet',
      'Published late, 22 Nov 2026, 04:12:00 UTC',
      'Not readable',
    ]);
    expect(screen.getAllByText('125,005').length).toBe(3);
    expect(screen.getByText('No checkpoint yet')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });
});

describe('ExportPage', () => {
  const saved: Blob[] = [];
  beforeEach(() => {
    saved.length = 0;
    URL.createObjectURL = jest.fn((blob: Blob) => {
      saved.push(blob);
      return 'blob:1';
    });
    URL.revokeObjectURL = jest.fn();
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const pageOf = (body: unknown): object => {
    const cursor = (body as { p_cursor?: string }).p_cursor;
    return cursor === undefined
      ? { lines: ['one', 'two'], next_cursor: 'c1', missing_accounts: [] }
      : { lines: ['three'], next_cursor: null, missing_accounts: [] };
  };

  it('saves the lines of all pages as one file, also when the rate limit asks to wait', async () => {
    let refused = false;
    server = fakeServer({
      export_ledger_events: (body: unknown) => {
        if (!refused && (body as { p_cursor?: string }).p_cursor === 'c1') {
          refused = true;
          return refusal(429, 'Too many requests', { 'retry-after': '30' });
        }
        return pageOf(body);
      },
    });
    await renderPage(frame(<ExportPage />), '/audit/export', '/audit/export');
    await press('Export all events', 0);
    expect(saved).toHaveLength(0);
    await pass(30_000);
    expect(screen.getByRole('status').textContent).toContain('Done: 3 lines');
    expect(saved[0]?.size).toBe('one\ntwo\nthree\n'.length);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('saves nothing when a page fails, and says why', async () => {
    server = fakeServer({
      export_ledger_events: (body: unknown) =>
        (body as { p_cursor?: string }).p_cursor === undefined ? pageOf(body) : refusal(410, 'Events were deleted.'),
    });
    await renderPage(frame(<ExportPage />), '/audit/export', '/audit/export');
    await press('Export all events', 0);
    expect(screen.getByRole('alert').textContent).toContain('Events were deleted. Nothing was saved.');
    expect(saved).toHaveLength(0);
  });

  it('saves nothing after a cancel', async () => {
    server = fakeServer({ export_ledger_events: () => refusal(429, 'Too many requests', { 'retry-after': '30' }) });
    await renderPage(frame(<ExportPage />), '/audit/export', '/audit/export');
    await press('Export all events', 0);
    await press('Cancel', 0);
    expect(screen.getByRole('button', { name: 'Export all events' })).toBeTruthy();
    expect(saved).toHaveLength(0);
  });
});
