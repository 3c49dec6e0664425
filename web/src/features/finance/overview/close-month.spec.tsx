import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type { MonthClose } from '../../../../../src/contract/finance.js';
import { reportReverification } from '../../../lib/reverification.js';
import { CLOSING, figures, MONTHS, openFinancePage, onFinancePage } from '../../../../test/finance-page.js';
import {
  accessibilityFaults,
  lost,
  messages,
  never,
  pass,
  refusal,
  sentence,
  type Answers,
  verificationDemand,
  click,
  textsOf,
} from '../../../../test/page.js';
import OverviewPage from './overview-page.js';
// The charts are code of their own, which the tests do not wait for.
import '../../../components/month-chart.js';
import './deferred-line.js';

jest.setTimeout(120_000);

const WAITING: MonthClose = {
  month: '2026-10',
  state: 'waiting',
  asked_at: '2026-11-22T09:40:30.000Z',
  asked_by: 'user_1',
  asked_by_name: 'Ada Fan',
  obstacle: null,
  changes: [],
};
const CHANGED: MonthClose = {
  ...WAITING,
  state: 'changed',
  changes: [
    {
      account: 2000,
      name: 'Customer credits',
      seen_cents: -139_600,
      found_cents: -140_600,
      seen_credits: -13_960,
      found_credits: -14_060,
    },
    {
      account: 5300,
      name: 'Processor fees',
      seen_cents: null,
      found_cents: 1_000,
      seen_credits: 0,
      found_credits: 0,
    },
    {
      account: 2300,
      name: 'Unmatched receipts',
      seen_cents: 500,
      found_cents: 0,
      seen_credits: 0,
      found_credits: 0,
    },
  ],
};
const CLOSED = { month: '2026-10', closed_at: '2026-11-22T09:41:00.000Z', closed_by: 'user_1' };
const ALL_CLOSED = {
  ...MONTHS,
  next_to_close: null,
  months: MONTHS.months.map((each) =>
    each.month === CLOSED.month ? { ...each, ...CLOSED, closed_by_name: 'Ada Fan' } : each,
  ),
};

onFinancePage();

const opener = (): HTMLElement => screen.getByRole('button', { name: 'Close October 2026...' });
const dialog = (name = 'Close October 2026?') => within(screen.getByRole('alertdialog', { name }));
const texts = (elements: HTMLElement[]): (string | null)[] => textsOf(elements);
const isOpen = (): boolean => screen.queryByRole('alertdialog') !== null;
const confirm = (): HTMLButtonElement => dialog().getByRole('button', { name: 'Close October 2026' });

/** Opens the page, and the dialog from its button. */
async function ask(answers: Answers = {}) {
  const page = await openFinancePage(<OverviewPage />, '/finance', { answers });
  opener().focus();
  await click(opener(), 50);
  return page;
}

async function press(button: HTMLElement): Promise<void> {
  await click(button, 50);
}

describe('CloseMonth', () => {
  it('shows the trial balance that becomes final, and which accounts have none', async () => {
    await ask();
    expect(dialog().getByText(/These figures become final\..*cannot be opened again\./)).toBeTruthy();
    const table = dialog().getByRole('table', { name: 'Trial balance at the end of the month, US dollars' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => [within(row).getByRole('rowheader').textContent, ...figures(row)])).toEqual([
      ['1010 Processor cash: payments received', '1,436.00', ''],
      ['2000 Customer credits13,960 credits', '', '1,396.00'],
      ['2100 Creator sharepending 20.00, payable 0.00', '', '20.00'],
      ['4000 Platform revenue', '', '20.00'],
      ['Sum', '1,436.00', '1,436.00'],
    ]);
    expect(dialog().getByText('Zero: 1030 Processor cash: chargebacks.')).toBeTruthy();
    expect(dialog().queryByText(/^Unknown:/)).toBeNull();
    expect(dialog().queryByRole('list')).toBeNull();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says what the processor lacks, which does not prevent the close', async () => {
    const fees = { account: 1040, name: 'Processor cash: fees withheld', kind: 'asset', credits: null };
    await ask({
      get_month_closing: {
        ...CLOSING,
        processor_is_known: false,
        open_transactions: 2,
        open_cents: -1_250,
        accounts: [...CLOSING.accounts, { ...fees, debit_cents: null, credit_cents: null }],
      },
    });
    expect(texts(dialog().getAllByRole('listitem'))).toEqual([
      'Nothing was read from the payment processor for this month. Its accounts stay unknown, and its fees come later.',
      '2 transactions of the processor (−$12.50) match nothing in the ledger yet. The month can be closed all the same.',
    ]);
    expect(dialog().getByText('Unknown: 1040 Processor cash: fees withheld.')).toBeTruthy();
    expect(confirm().disabled).toBe(false);
  });

  it('follows the close, shows a message, and moves the focus to the title of the table', async () => {
    const { server } = await ask({
      close_book_month: () => {
        server.answer({ list_revenue_months: { ...MONTHS, closing: WAITING } });
        return WAITING;
      },
    });
    await press(confirm());
    expect(server.calls.find(({ name }) => name === 'close_book_month')?.body).toEqual({
      p_month: '2026-10',
      p_figures: CLOSING.figures,
    });
    expect(texts(dialog('Closing October 2026').getAllByRole('listitem'))).toEqual(['The close is on its way.']);
    expect(
      dialog('Closing October 2026').getByText(
        sentence(/^Ada Fan asked on 22 Nov 2026, 09:40:30 UTC\. The month is closed with/),
      ),
    ).toBeTruthy();
    expect(messages()).toEqual([]);
    const obstacle = 'The books do not have all events yet.';
    server.answer({ list_revenue_months: { ...MONTHS, closing: { ...WAITING, obstacle } } });
    await pass(2_000);
    expect(texts(dialog('Closing October 2026').getAllByRole('listitem'))).toEqual([obstacle]);
    server.answer({ list_revenue_months: ALL_CLOSED });
    await pass(2_000);
    expect(messages()).toEqual(['October 2026 is closed.']);
    expect(isOpen()).toBe(false);
    expect(screen.getByRole('rowheader', { name: /Oct 2026 ?Closed 22 Nov ?by Ada Fan/ })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Close October/ })).toBeNull();
    expect(document.activeElement?.textContent).toBe('Revenue by month, US dollars');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it.each([
    ['the button that keeps it open', () => fireEvent.click(dialog().getByRole('button', { name: 'Keep it open' }))],
    ['Escape', () => fireEvent.keyDown(document.activeElement!, { key: 'Escape' })],
  ])('changes nothing and returns the focus to its button after %s', async (_, end) => {
    const { server } = await ask();
    expect(document.activeElement).not.toBe(opener);
    end();
    await pass(50);
    expect(isOpen()).toBe(false);
    expect(server.count('close_book_month')).toBe(0);
    expect(document.activeElement).toBe(opener());
  });

  it('shows after a reload that the month is being closed, and says when it is', async () => {
    const { server } = await openFinancePage(<OverviewPage />, '/finance', {
      answers: { list_revenue_months: { ...MONTHS, closing: WAITING } },
    });
    expect(screen.getByRole('rowheader', { name: /Oct 2026 ?Being closed/ })).toBeTruthy();
    await press(screen.getByRole('button', { name: 'Closing October 2026...' }));
    expect(dialog('Closing October 2026').queryByRole('button', { name: /^Close October/ })).toBeNull();
    await press(dialog('Closing October 2026').getByRole('button', { name: 'Back to the page' }));
    server.answer({ list_revenue_months: ALL_CLOSED });
    await pass(2_000);
    expect(messages()).toEqual(['October 2026 is closed.']);
    expect(server.count('close_book_month')).toBe(0);
  });

  it('names each figure that changed, and does not close the month', async () => {
    const { server } = await ask({
      close_book_month: () => {
        server.answer({ list_revenue_months: { ...MONTHS, closing: CHANGED } });
        return WAITING;
      },
    });
    await press(confirm());
    const ended = dialog('October 2026 was not closed');
    const rows = within(ended.getByRole('table', { name: 'Figures that changed, US dollars' })).getAllByRole('row');
    expect(rows.slice(1).map((row) => [within(row).getByRole('rowheader').textContent, ...figures(row)])).toEqual([
      ['2000 Customer credits', '1,396.00 credit, 13,960 credits', '1,406.00 credit, 14,060 credits'],
      ['5300 Processor fees', 'unknown', '10.00 debit'],
      ['2300 Unmatched receipts', '5.00 debit', '0.00'],
    ]);
    expect(screen.getByRole('rowheader', { name: /Oct 2026 ?Open, its figures changed/, hidden: true })).toBeTruthy();
    expect(messages()).toEqual([]);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says after a reload why a close was refused, and closes with the figures of a person who looks again', async () => {
    const obstacle = 'The person who asked may not close months any more.';
    const { server } = await openFinancePage(<OverviewPage />, '/finance', {
      answers: { list_revenue_months: { ...MONTHS, closing: { ...WAITING, state: 'refused', obstacle } } },
    });
    await press(opener());
    expect(texts(dialog('October 2026 was not closed').getAllByRole('listitem'))).toEqual([obstacle]);
    server.answer({ get_month_closing: { ...CLOSING, figures: '1010:1:0' } });
    await press(dialog('October 2026 was not closed').getByRole('button', { name: 'Look again' }));
    await pass(1_000);
    expect(dialog().getByRole('table', { name: 'Trial balance at the end of the month, US dollars' })).toBeTruthy();
    await press(confirm());
    const sent = server.last('close_book_month');
    expect(sent).toMatchObject({ p_figures: '1010:1:0' });
  });

  it('names what prevents the close, and asks again until it is gone', async () => {
    const obstacle = 'The public log does not have all events of October 2026 yet. Please try again in a minute.';
    const { server } = await ask({ get_month_closing: { ...CLOSING, obstacle } });
    expect(dialog().getByText(obstacle)).toBeTruthy();
    expect(confirm().disabled).toBe(true);
    server.answer({ get_month_closing: CLOSING });
    await pass(11_000);
    expect(dialog().queryByText(obstacle)).toBeNull();
    expect(confirm().disabled).toBe(false);
  });

  it('says that another person has closed the month', async () => {
    await ask({ get_month_closing: { ...CLOSING, month: '2026-11', obstacle: 'November 2026 has not ended yet.' } });
    expect(dialog().getByRole('listitem').textContent).toBe('October 2026 was closed meanwhile.');
    expect(dialog().queryByRole('table')).toBeNull();
    expect(confirm().disabled).toBe(true);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('does not show the figures of the month before', async () => {
    const september = { ...MONTHS, next_to_close: '2026-09' };
    const answers = { list_revenue_months: september, get_month_closing: { ...CLOSING, month: '2026-09' } };
    const { server } = await openFinancePage(<OverviewPage />, '/finance', { answers: { ...answers } });
    await press(screen.getByRole('button', { name: 'Close September 2026...' }));
    await press(screen.getByRole('button', { name: 'Keep it open' }));
    server.answer({ list_revenue_months: MONTHS, get_month_closing: never });
    await pass(60_000);
    await press(opener());
    await pass(200);
    expect(dialog().getByText('Loading the figures...')).toBeTruthy();
    expect(dialog().queryByText(/closed meanwhile/)).toBeNull();
    expect(confirm().disabled).toBe(true);
  });

  it.each([
    ['loading', never, 'Loading the figures...'],
    ['not reached', lost, 'Failed to load the figures. Please try again.'],
  ])('has words while the figures are %s, and cannot close the month', async (_, answer, words) => {
    await ask({ get_month_closing: answer });
    await pass(10_000);
    expect(dialog().getByText(words)).toBeTruthy();
    expect(confirm().disabled).toBe(true);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('goes, as all acts of the page do, when the person has lost the role', async () => {
    await ask({ get_month_closing: refusal(403, 'Finance privileges required') });
    await pass(10_000);
    expect(isOpen()).toBe(false);
    expect(screen.queryByRole('button', { name: /^Close / })).toBeNull();
    expect(screen.getByText('Finance privileges required')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it.each([
    ['in the words of the server', refusal(409, 'October 2026 has not ended yet.'), 'October 2026 has not ended yet.'],
    ['in its own words without an answer', lost, 'Connection error. Please wait or try again later.'],
  ])('keeps the dialog and gives the reason of a failure %s', async (_, answer, words) => {
    await ask({ close_book_month: answer });
    await press(confirm());
    await pass(20_000);
    expect(dialog().getByRole('alert').textContent).toBe(words);
    expect(messages()).toEqual([]);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('asks for a verification before the close, and closes it with the same press', async () => {
    let demanded = 0;
    reportReverification(async (work) => {
      await work();
      return work();
    });
    const { server } = await ask({ close_book_month: () => ((demanded += 1) === 1 ? verificationDemand() : WAITING) });
    await press(confirm());
    expect(server.count('close_book_month')).toBe(2);
    expect(dialog('Closing October 2026').getByText('The close is on its way.')).toBeTruthy();
    reportReverification(null);
  });
});
