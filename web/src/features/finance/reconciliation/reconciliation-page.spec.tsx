import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type { Difference, Reconciliation } from '../../../../../src/contract/reconciliation.js';
import {
  figures,
  NOW,
  openFinancePage,
  press,
  rowOf,
  saved,
  onFinancePage,
  nextFinancePage,
} from '../../../../test/finance-page.js';
import { accessibilityFaults, type Answers, messages, pass, refusal, screenIs, click } from '../../../../test/page.js';
import ReconciliationPage from './reconciliation-page.js';
import { needText, verdictOf } from './reconciliation-text.js';

onFinancePage();

const sides = (theirs: number, cents: number, ours = theirs, ledger = cents) => ({
  processor_count: theirs,
  processor_cents: cents,
  ledger_count: ours,
  ledger_cents: ledger,
  difference_cents: cents - ledger,
});
const DAYS = Array.from({ length: 30 }, (_, index) => ({
  day: new Date(Date.parse('2026-10-24') + index * 86_400_000).toISOString().slice(0, 10),
  open: index === 0 ? null : index < 28 ? 0 : index - 27,
}));
const FOUND: Reconciliation = {
  at: NOW,
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-11-23T00:00:00.000Z',
  begins_at: '2026-10-25T10:00:00.000Z',
  ran_at: '2026-11-22T09:31:04.000Z',
  failed_at: null,
  again_at: '2026-11-22T10:31:04.000Z',
  compared_to: '2026-11-22T09:21:04.000Z',
  kinds: [
    { kind: 'payment', ...sides(85, 149_500, 83, 139_500) },
    { kind: 'refund', ...sides(0, 0) },
    { kind: 'dispute', ...sides(0, 0) },
    { kind: 'dispute_won', ...sides(1, 2_500) },
  ],
  processor_cents: 152_000,
  ledger_cents: 142_000,
  difference_cents: 10_000,
  walk: {
    opening_cents: 41_237,
    payments_cents: 149_500,
    refunds_cents: 0,
    disputes_cents: 2_500,
    fees_cents: -6_902,
    bank_cents: -148_000,
    other_cents: 0,
    other_shops_cents: 0,
    closing_cents: 38_335,
  },
  open: { count: 2, cents: 10_000, since: '2026-11-21T17:02:19.000Z' },
  open_in_period: { count: 2, cents: 10_000, since: '2026-11-21T17:02:19.000Z' },
  days: DAYS,
};
const difference = (fields: Partial<Difference>): Difference => ({
  id: 'd1',
  kind: 'theirs_only',
  movement: 'payment',
  since: '2026-11-22T09:29:51.000Z',
  processor_cents: 2_500,
  ledger_cents: 0,
  difference_cents: 2_500,
  need: 'retry',
  reason: null,
  next_try: 2,
  next_try_at: '2026-11-22T09:44:00.000Z',
  can_retry: true,
  session_id: 'cs_live_c7Hq2RvN',
  transaction_id: 'txn_1',
  payment_intent_id: 'pi_1',
  source_id: 'ch_1',
  reversal_id: null,
  event_stream: 'processor',
  event_version: 7,
  processor_url: 'https://dashboard.test/pi_1',
  ...fields,
});
const LIST = {
  differences: [
    difference({}),
    difference({
      id: 'd2',
      since: '2026-11-21T17:02:19.000Z',
      processor_cents: 7_500,
      difference_cents: 7_500,
      need: 'refund_there',
      reason: 'unknown_session',
      next_try: 1,
      next_try_at: null,
      can_retry: false,
      session_id: 'cs_live_x0TtLm81',
    }),
  ],
  next: null,
};
const ANSWERS: Answers = {
  get_reconciliation: FOUND,
  list_differences: LIST,
  get_open_difference_count: { open: 2 },
  run_reconciliation: { state: 'ran' },
};
const open = async (answers: Answers = {}, isAdmin = false) =>
  openFinancePage(<ReconciliationPage />, '/finance/reconciliation', { answers: { ...ANSWERS, ...answers }, isAdmin });

describe('ReconciliationPage', () => {
  it.each([
    [['ours_only'], 'It is in the ledger and not at the processor; it explains the whole difference.'],
    [['amounts', 'amounts', 'amounts'], 'All 3 are on both sides with different amounts; together they explain'],
    [['amounts', 'theirs_only'], 'Together they explain the whole difference.'],
  ] as const)('says on which side differences of the kinds %j are', (kinds, sentence) => {
    const open = { ...FOUND.open, count: kinds.length };
    const shown = kinds.map((kind) => difference({ kind }));
    expect(verdictOf({ ...FOUND, open, open_in_period: open }, shown).text).toMatch(new RegExp(`^${sentence}`));
  });

  it('shows both sides, the walk of the balance, the differences and the days', async () => {
    await open();
    expect(screen.getByText('2 differences, $100.00.').parentElement?.textContent).toContain(
      'Both are at the processor and not in the ledger; together they explain the whole difference. ' +
        "One ends by itself, one ends with a person's help.",
    );
    expect(screen.getByText(/^Ran 09:31 UTC, again 10:31$/)).toBeTruthy();
    expect(figures(rowOf(/^Payments/))).toEqual(['85', '1,495.00', '83', '1,395.00', '100.00']);
    expect(figures(rowOf(/^Refunds/)).at(-1)).toBe('0.00, equal');
    expect(figures(rowOf(/^Net/))).toEqual(['', '1,520.00', '', '1,420.00', '100.00']);
    expect(
      screen.getByRole('img', { name: /Balance on 1 Nov \$412.37, .*Fees −\$69.02, .*Balance now \$383.35/ }),
    ).toBeTruthy();
    expect(screen.queryByText('Other')).toBeNull();
    expect(screen.getByText('22 Nov 2026: 2 differences open')).toBeTruthy();
    expect(screen.getByText('24 Oct 2026: not known')).toBeTruthy();
    expect(screen.getAllByText(/: all agreed$/)).toHaveLength(27);
    const place = screen.getAllByRole('link', { name: /^Reconciliation/ })[0];
    expect(place?.textContent).toBe('Reconciliation2 open');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('moves through the differences with J and K, and shows both records side by side', async () => {
    await open();
    await press('j');
    await press('j');
    expect(document.activeElement?.closest('tr')?.textContent).toContain('Paid, and not made by us');
    await press('k');
    await press('k');
    expect(document.activeElement?.closest('tr')?.textContent).toContain('cs_live_c7Hq2RvN');
    fireEvent.click(document.activeElement!);
    const theirs = within(screen.getByRole('region', { name: 'At the processor' }));
    expect(theirs.getByText('txn_1')).toBeTruthy();
    expect(theirs.getByRole('link', { name: /Version 7/ }).getAttribute('href')).toBe('/finance/events/processor/7');
    expect(within(screen.getByRole('region', { name: 'In the ledger' })).getByText('Nothing')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('names who can credit a payment, links to the processor, and lets an admin do it', async () => {
    await open();
    expect(screen.queryByRole('button', { name: 'Credit now' })).toBeNull();
    expect(screen.getByText('An admin can do it now')).toBeTruthy();
    expect(screen.getByRole('link', { name: /^At the processor/ }).getAttribute('href')).toBe(
      'https://dashboard.test/pi_1',
    );
    nextFinancePage();
    const { server } = await open({ retry_checkout_admin: { success: true, status: 'credited' } }, true);
    await click(screen.getByRole('button', { name: 'Credit now' }), 50);
    expect(server.last('retry_checkout_admin')).toEqual({
      p_session_id: 'cs_live_c7Hq2RvN',
    });
    expect(messages()).toEqual(['The payment was settled. The next run compares it.']);
    server.answer({ retry_checkout_admin: { success: true, status: 'processing' } });
    await click(screen.getByRole('button', { name: 'Credit now' }), 50);
    expect(messages()[1]).toBe('Looked at again: Money on its way.');
  });

  it('runs now with R, says when a run is in progress, and why it failed', async () => {
    const { server } = await open();
    await press('r');
    await pass(50);
    expect(server.count('run_reconciliation')).toBe(1);
    server.answer({ run_reconciliation: { state: 'running' } });
    await click(screen.getByRole('button', { name: 'Run now' }), 50);
    expect(messages()).toContain('A run is in progress.');
    server.answer({ run_reconciliation: refusal(503, 'The processor does not answer.') });
    await click(screen.getByRole('button', { name: 'Run now' }), 50);
    expect(screen.getByText('The processor does not answer.')).toBeTruthy();
  });

  it('names what other shops on the same account earned', async () => {
    await open({ get_reconciliation: { ...FOUND, walk: { ...FOUND.walk!, other_shops_cents: 4_048 } } });
    expect(screen.getByRole('img', { name: /Other shops \$40.48, Balance now/ })).toBeTruthy();
  });

  it('asks for a whole month, and saves the same as CSV', async () => {
    const { server } = await open({ 'reconciliation.csv': 'part\r\n' });
    fireEvent.change(screen.getByRole('combobox', { name: 'Month' }), { target: { value: '2026-10' } });
    await pass(50);
    const wanted = { p_from: '2026-10-01', p_to: '2026-11-01' };
    for (const name of ['get_reconciliation', 'list_differences']) {
      expect(server.calls.findLast((call) => call.name === name)?.body).toEqual(wanted);
    }
    await click(screen.getByRole('button', { name: 'CSV' }), 50);
    expect(saved).toEqual(['fanvas-reconciliation.csv']);
  });

  it('shows the walk as a list on phones', async () => {
    screenIs(false);
    await open();
    expect(screen.queryByRole('img', { name: /^Balance/ })).toBeNull();
    expect(screen.getByText('+$1,495.00')).toBeTruthy();
    expect(screen.getByText('−$1,480.00')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says that the processor has said nothing, that nothing is open, and that the answer failed', async () => {
    const none = { count: 0, cents: 0, since: null };
    await open({ get_reconciliation: { ...FOUND, begins_at: null, walk: null, open: none, open_in_period: none } });
    expect(screen.getByText('The processor has said nothing yet')).toBeTruthy();
    nextFinancePage();
    await open({
      get_reconciliation: { ...FOUND, open: none, open_in_period: none },
      list_differences: { differences: [], next: null },
    });
    expect(screen.getByText('Both sides agree.').parentElement?.textContent).toContain(
      'Everything before 09:21:04 UTC',
    );
    expect(screen.getByText('None in this period')).toBeTruthy();
    nextFinancePage();
    await open({ get_reconciliation: refusal(403, 'Finance privileges required') });
    expect(screen.getByText('Failed to load the reconciliation. Please try again.')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('keeps both sides when the differences cannot be loaded, and loads them again', async () => {
    const { server } = await open({ list_differences: refusal(500, 'Internal error') });
    // The retries fail as well.
    await pass(60_000);
    expect(screen.getByText('Failed to load the differences. Please try again.')).toBeTruthy();
    expect(figures(rowOf(/^Payments/)).at(-1)).toBe('100.00');
    server.answer({ list_differences: LIST });
    await click(screen.getByRole('button', { name: 'Try Again' }), 50);
    expect(screen.getByText('Paid, and not made by us')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });
});

describe('words of the reconciliation', () => {
  it('counts the differences that began outside the period', () => {
    const found = { ...FOUND, open_in_period: { count: 1, cents: 2_500, since: null } };
    expect(verdictOf(found, LIST.differences.slice(0, 1)).text).toBe('1 of them began in this period.');
  });

  it.each([
    [{ need: 'nothing' }, 'Ended, nothing to do', false],
    [{ need: 'next_run' }, 'Both sides have it, ends with the next run', false],
    [{ need: 'retry' }, 'Credited by itself, try 2 at 09:44', false],
    [{ need: 'retry', next_try_at: null, movement: 'refund' }, 'Done by itself, within the hour', false],
    [{ need: 'admin_retry' }, 'Needs an admin: try again', true],
    [{ need: 'refund_there' }, 'Needs a person: refund it there', true],
    [{ need: 'look_there' }, 'Needs a person: look at it there', true],
  ] as const)('states what happens with %j', (fields, text, person) => {
    expect(needText(difference(fields), Date.parse(NOW))).toEqual({ text, person });
  });
});
