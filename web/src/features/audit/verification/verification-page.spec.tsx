import { describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { VerificationRun } from '../../../../../src/contract/audit.js';
import {
  accessibilityFaults,
  fakeServer,
  messages,
  pass,
  refusal,
  renderPage,
  screenIs,
  type Answers,
  type FakeServer,
  click,
  onPage,
  textsOf,
  pressKey,
} from '../../../../test/page.js';
import { CONTINUOUS, endedRun, runResult } from '../../../../test/verification.js';
import { queryClient } from '../../../lib/query.js';
import { AuditLayout } from '../shell/audit-layout.js';
import VerificationPage from './verification-page.js';

const KEY = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA0tbeB7GeOXzcEp6+UugfzRLD3P6N1HBmEWMXMkInd4s=
-----END PUBLIC KEY-----
`;
const FINGERPRINT = 'fdf914e09237c918e56522e55c7314522e88e65cb82eaa4bb7c94f320b43f3e0';
const sealLine = (keyFingerprint: string): string =>
  JSON.stringify({
    manifest: {
      startedAt: '2026-11-22T00:00:07.000Z',
      endedAt: '2026-11-22T00:00:09.000Z',
      streams: 3206,
      events: 125_005,
      merkleRoot: `4b1f90c7e2d85a36${'0'.repeat(44)}7e01`,
      keyFingerprint,
    },
    signature: 'x',
  });
const SEAL = {
  number: 295,
  sealed_at: '2026-11-22T00:00:07.000Z',
  published_at: null,
  line: sealLine('87'.repeat(32)),
};
const PROBLEM = {
  stream: 'creditAccount-user_9',
  version: 212,
  kind: 'projection',
  what: 'The row says 40 credits; the events come to 30.',
} as const;
const OPEN = { started_at: null, ended_at: null, result: null, events: 0 } as const;

let server: FakeServer;

onPage(() => screenIs(true));

const withRuns = (...runs: readonly VerificationRun[]): Answers => ({
  list_verification_runs: { runs, next: null },
});
const open = async (answers: Answers = {}): ReturnType<typeof renderPage> => {
  server = fakeServer({
    get_ledger_verification: CONTINUOUS,
    list_ledger_seals: { seals: [SEAL], next: null },
    ...withRuns(endedRun()),
    ...answers,
  });
  const page = (
    <AuditLayout otherAreas={[]} account={null}>
      <VerificationPage />
    </AuditLayout>
  );
  const router = await renderPage(page, '/audit/verification', '/audit/verification');
  await pass(0);
  return router;
};
const title = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;
/** Chooses the auditor's copy of the key. jsdom does not read files. */
const choose = async (text: string): Promise<void> => {
  const file = Object.assign(new File([text], 'key.pem'), { text: () => Promise.resolve(text) });
  fireEvent.change(screen.getByLabelText('Your copy of the key'), { target: { files: [file] } });
  await pass(0);
};
const press = (key: string): Promise<void> => pressKey(key, {}, 0);

describe('VerificationPage', () => {
  it('says in one line that there are no problems, with the seal, the checks and the newest seal', async () => {
    await open();
    expect(title()).toBe('No problems');
    expect(screen.getByText('Verified against seal 295')).toBeTruthy();
    expect(screen.getByText(/09:15:02 to 09:16:38 UTC, asked for by/).textContent).toContain('asked for by you');
    const checks = within(screen.getByRole('table', { name: /Checks/ })).getAllByRole('row');
    expect(checks).toHaveLength(8);
    expect(checks[1]?.textContent).toContain('125,214 events, 3,206 accounts');
    expect(screen.getByText('4b1f 90c7 e2d8 5a36 … 7e01')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('keeps the problems of the continuous verification at the top, with links to their events', async () => {
    const first = [{ ...PROBLEM, found_at: '2026-11-22T09:16:00.000Z' }];
    await open({ get_ledger_verification: { ...CONTINUOUS, problems: 3, first } });
    expect(title()).toBe('3 problems');
    expect(screen.getByRole('link', { name: /version 212/ }).getAttribute('href')).toBe('/audit/accounts/user_9?v=212');
    expect(screen.getByText('The first 1 of 3 are shown.')).toBeTruthy();
  });

  it('does not say that all is well before the first run of any verification', async () => {
    await open({
      get_ledger_verification: { ...CONTINUOUS, verified_until: null, succeeded_at: null, events: 0 },
      ...withRuns(),
    });
    expect(title()).toBe('Not verified yet');
    expect(screen.getByText('No full verification yet')).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('gives no verdict without the runs: the last one may have found problems', async () => {
    await open({ list_verification_runs: refusal(500, 'broken') });
    await pass(60_000);
    expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
    expect(screen.getByText('Failed to load the last full verification. Please try again.')).toBeTruthy();
  });

  it('unfolds a run to its problems with the keys, and says which run found them mended', async () => {
    const broken = endedRun({
      id: 9,
      requested_at: '2026-11-03T09:20:00.000Z',
      problems: 1,
      result: runResult({ first: [PROBLEM], problems_by_kind: [{ kind: 'projection', problems: 1 }] }),
    });
    await open(withRuns(endedRun(), broken));
    await press('j');
    await press('j');
    expect(document.activeElement?.textContent).toContain('3 Nov');
    await click(document.activeElement!, 0);
    expect(screen.getByText(PROBLEM.what)).toBeTruthy();
    expect(screen.getByText('1 problem, mended')).toBeTruthy();
    expect(screen.getByText('The run of 22 Nov 2026, 09:15:01 UTC found no problems.')).toBeTruthy();
    await press('Escape');
    expect(screen.queryByText(PROBLEM.what)).toBeNull();
    (document.activeElement as HTMLElement).blur();
    await press('Enter');
    expect(screen.getByText(PROBLEM.what)).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('starts a run with V, is busy until it has ended, and announces the end', async () => {
    await open();
    const waiting = endedRun({ ...OPEN, id: 13 });
    server.answer({ request_ledger_verification: waiting, ...withRuns(waiting, endedRun()) });
    await press('v');
    await press('v');
    expect(server.count('request_ledger_verification')).toBe(1);
    expect(screen.getByRole('button', { name: 'Verifying...' }).getAttribute('aria-busy')).toBe('true');
    expect(screen.getByRole('status').textContent).toContain('in progress');
    const going = { ...waiting, started_at: '2026-11-22T10:00:00.000Z', events: 45_000 };
    server.answer(withRuns(going, endedRun()));
    await pass(2_500);
    expect(screen.getAllByText('45,000 of about 108,300 events')).toHaveLength(2);
    server.answer(withRuns(endedRun({ id: 13, problems: 2 }), endedRun()));
    await pass(2_500);
    expect(messages()).toEqual(['The verification has ended: 2 problems.']);
    expect(title()).toBe('2 problems');
    expect(screen.getByRole('button', { name: 'Verify again' })).toBeTruthy();
  });

  it('compares the key of the newest seal with a copy that the auditor holds, and remembers the copy', async () => {
    await open({ list_ledger_seals: { seals: [{ ...SEAL, line: sealLine(FINGERPRINT) }], next: null } });
    expect(screen.queryByText('your copy')).toBeNull();
    await choose('no key');
    expect(screen.getByRole('alert').textContent).toBe('This file is not a public key in PEM.');
    await choose(KEY);
    expect(screen.getByText('your copy')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    cleanup();
    queryClient.clear();
    await open();
    expect(screen.getByText('not your copy')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows why a request was refused and why the newest run failed', async () => {
    const failed = endedRun({ id: 13, result: null, failure: 'The verification failed.' });
    await open({
      ...withRuns(failed, endedRun()),
      request_ledger_verification: refusal(503, 'The database does not answer.'),
    });
    expect(title()).toBe('No problems');
    expect(screen.getByText(/gave no result. The verification failed./)).toBeTruthy();
    await click(screen.getByRole('button', { name: 'Verify again' }), 0);
    expect(screen.getByText('The database does not answer.')).toBeTruthy();
  });

  it('goes to the export with E', async () => {
    const router = await open();
    await press('e');
    expect(router.state.location.pathname).toBe('/audit/export');
  });

  it('reads older runs', async () => {
    await open({
      list_verification_runs: (body: unknown) =>
        (body as { p_after?: number }).p_after === 12
          ? { runs: [endedRun({ id: 3, requested_at: '2026-10-01T08:00:00.000Z' })], next: null }
          : { runs: [endedRun()], next: 12 },
    });
    await click(screen.getByRole('button', { name: 'Older' }), 0);
    expect(screen.getByRole('button', { name: /1 Oct/ })).toBeTruthy();
    await click(screen.getByRole('button', { name: 'Newest' }), 0);
    expect(screen.getByRole('button', { name: /22 Nov/ })).toBeTruthy();
  });

  it('lists the checks on a phone', async () => {
    screenIs(false);
    await open();
    const checks = within(screen.getByRole('list', { name: 'Checks' })).getAllByRole('listitem');
    expect(textsOf(checks).at(-1)).toContain('Seal 295 with 3,206 heads');
    expect(await accessibilityFaults()).toEqual([]);
  });
});
