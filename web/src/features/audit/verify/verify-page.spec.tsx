import { Blob } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { accessibilityFaults, fakeServer, renderPage, screenIs, onPage, textsOf } from '../../../../test/page.js';
import type { Verdict, VerifierMessage, VerifyRequest } from './verifier-messages.js';
import VerifyPage from './verify-page.js';

const SUMS = { events: 3, streams: 1, newer: 0, later: 0, accounts: 1, credits: 90 };
const TRIAL_BALANCE = [
  { account: 1010, name: 'Processor cash: payments received', cents: 123_456 },
  { account: 1040, name: 'Processor cash: fees withheld', cents: null },
  { account: 2000, name: 'Customer credits (deferred revenue)', cents: -120_000 },
  { account: 2100, name: 'Creator share', cents: -1_350 },
  { account: 4000, name: 'Platform revenue', cents: -2_106 },
];
const PARTS = { pendingCents: 2_200, payableCents: 50, debtCents: 900 };
const EXPORT = {
  kind: 'export',
  ...SUMS,
  until: Date.parse('2026-11-20T21:15:40Z'),
  creators: [],
  trialBalance: TRIAL_BALANCE,
  creatorShare: PARTS,
} as const;
const HELD: Verdict = { problems: [], problemCount: 0, sums: EXPORT };

let verdict: Verdict;
let requests: VerifyRequest[];

/** Answers in place of the worker of the page. */
class Verifier {
  onmessage: ((event: { readonly data: VerifierMessage }) => void) | null = null;
  postMessage(request: VerifyRequest): void {
    requests.push(request);
    queueMicrotask(() => this.onmessage?.({ data: { kind: 'verdict', verdict } }));
  }
  terminate(): void {
    this.onmessage = null;
  }
}

onPage(() => {
  screenIs(true);
  requests = [];
  fakeServer({ 'public-key.pem': 'PEM', key: 'KEY', 'key-rotations.ndjson': '', checkpoint: 'NOTE' });
  Object.assign(window, { Worker: Verifier });
});

/** Chooses a file, and waits for the result. */
async function choose(text: string): Promise<HTMLElement> {
  await renderPage(<VerifyPage />, '/audit/verify', '/audit/verify');
  const file = Object.assign(new Blob([text]), { name: 'ledger.ndjson' });
  fireEvent.change(screen.getByLabelText('Statement or export'), { target: { files: [file] } });
  return waitFor(() => screen.getByRole('region', { name: 'Result' }));
}
const cellsOf = (row: HTMLElement): (string | null)[] => textsOf(row.querySelectorAll('th, td'));

describe('VerifyPage', () => {
  it('shows the trial balance of an export with the total of both sides', async () => {
    verdict = HELD;
    const result = await choose('{"event":');
    expect(requests).toMatchObject([{ kind: 'export', keys: [expect.stringContaining('PEM')] }]);
    expect(within(result).getByRole('heading', { name: 'All holds' })).toBeTruthy();
    const table = within(result).getByRole('table', { name: 'Trial balance' });
    expect(within(table).getAllByRole('row').map(cellsOf)).toEqual([
      ['Account', 'Debit', 'Credit'],
      ['1010 Processor cash: payments received', '1,234.56', '0.00'],
      ['1040 Processor cash: fees withheld', 'unknown', 'unknown'],
      ['2000 Customer credits (deferred revenue)', '0.00', '1,200.00'],
      ['2100 Creator sharepending 22.00, payable 0.50, debt 9.00', '0.00', '13.50'],
      ['4000 Platform revenue', '0.00', '21.06'],
      ['Total', '1,234.56', '1,234.56'],
    ]);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('states how many events the log has after the export', async () => {
    verdict = HELD;
    expect((await choose('{"event":')).textContent).not.toContain('later events');
    cleanup();
    verdict = { ...HELD, sums: { ...EXPORT, later: 3 } };
    expect((await choose('{"event":')).textContent).toContain('The log has 3 later events.');
  });

  it('does not claim that all holds when there was no checkpoint to compare the log with', async () => {
    verdict = { ...HELD, sums: { ...EXPORT, newer: null } };
    const result = await choose('{"event":');
    expect(within(result).getByRole('heading', { level: 2 }).textContent).toBe('The file holds');
    expect(within(result).getByText(/^The public log was not compared/)).toBeTruthy();
  });

  it('shows the recomputed balance along with the problems of an export that does not hold', async () => {
    verdict = { ...HELD, problems: ['creatorPayout-ada @ 3: The hash is not that.'], problemCount: 1 };
    const result = await choose('{"event":');
    expect(within(result).getByRole('heading', { name: '1 problem' })).toBeTruthy();
    expect(within(result).getByRole('listitem').textContent).toContain('creatorPayout-ada @ 3');
    expect(within(result).getByRole('table', { name: 'Trial balance' })).toBeTruthy();
  });

  it('shows no trial balance of a statement, or of a file that could not be read to its end', async () => {
    verdict = { problems: ['The file does not end with a manifest.'], problemCount: 1, sums: null };
    const result = await choose('{"statement":');
    expect(requests).toMatchObject([{ kind: 'statement', keys: [expect.stringContaining('KEY')] }]);
    expect(within(result).queryByRole('table')).toBeNull();
  });
});
