import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import type { CountedPayoutStatement, PayoutStatement } from '../../../../src/contract/payouts.js';
import {
  accessibilityFaults,
  fakeServer,
  pass,
  refusal,
  renderPage,
  type Answers,
  type FakeServer,
  press,
  onPage,
  textsOf,
} from '../../../test/page.js';
import { PayoutList } from './components/payout-list.js';
import PayoutStatementPage from './payout-statement-page.js';

const LIST = 'list_payout_statements';
const STATEMENT = 'get_payout_statement';

const LISTED: CountedPayoutStatement = {
  payout_id: 'p2',
  number: 'F02',
  run_number: 2,
  from: '2026-10-01T00:00:00.000Z',
  pictures: 160,
  cutoff: '2026-11-01T00:00:00.000Z',
  fixed_at: '2026-11-01T09:40:00.000Z',
  amount_cents: 6_000,
  state: 'paid',
  bank_reference: 'SEPA-77',
  paid_on: '2026-11-03',
};

const TOTAL = { payouts: 1, pictures: 160, amount_cents: 6_000 };

const SECOND: PayoutStatement = {
  ...LISTED,
  creator_id: 'c1',
  creator_name: 'Juno Abara',
  recipient: { legal_name: 'Juno Abara Studio', country: 'DE', account_ending: '3000' },
  previous_number: 'F01',
  opening_cents: 5_000,
  earnings: { count: 160, cents: 8_000 },
  corrections: { count: 1, cents: -2_050 },
  restorations: { count: 1, cents: 50 },
  paid_cents: 5_000,
};

describe('the payouts of the dashboard', () => {
  onPage();

  const open = async (answers: Answers): Promise<FakeServer> => {
    const server = fakeServer(answers);
    await renderPage(<PayoutList creatorId="c1" />, '/creator', '/creator');
    await pass(50);
    return server;
  };

  it('lists each payout with its period, pictures and statement, and adds up those that were not given up', async () => {
    const failed = { ...LISTED, payout_id: 'p1', state: 'failed', from: null, pictures: 1, paid_on: null };
    const total = { payouts: 1, pictures: 161, amount_cents: 6_000 };
    await open({ [LIST]: { statements: [LISTED, failed], total, next: null } });
    expect(screen.getByRole('table', { name: 'Payouts, the latest first' })).toBeTruthy();
    const heads = textsOf(screen.getAllByRole('columnheader'));
    expect(heads).toEqual(['Payout', 'Period', 'Pictures', 'Amount', 'Statement']);
    const rows = textsOf(screen.getAllByRole('row'));
    expect(rows.slice(1)).toEqual([
      '3 Nov 2026' +
        '1 Oct to 31 Oct 2026, 160 pictures' +
        '1 Oct to 31 Oct 2026160$60.00Open the statement up to 31 October 2026',
      'The transfer failed: the amount is payable again' +
        'To 31 Oct 2026, 1 picture' +
        'To 31 Oct 20261$60.00Open the statement up to 31 October 2026',
      '1 payoutPaid and on its way161$60.00',
    ]);
    expect(textsOf(document.querySelectorAll('s'))).toEqual(['$60.00']);
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(links).toEqual(['/creator/payouts/p2', '/creator/payouts/p1']);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('asks for the next page and the one before', async () => {
    const server = await open({ [LIST]: { statements: [LISTED], total: TOTAL, next: 'place' } });
    await press('Next', 50);
    await press('Previous', 50);
    const first = { p_creator_id: 'c1', p_limit: 6 };
    expect(server.calls.slice(0, 2).map(({ body }) => body)).toEqual([first, { ...first, p_before: 'place' }]);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous' }).disabled).toBe(true);
  });

  it('says when there is none, and tries again after a failure', async () => {
    const server = await open({ [LIST]: refusal(403, 'Not for you') });
    expect(screen.getByRole('alert').textContent).toContain('Not for you');
    server.answer({ [LIST]: { statements: [], total: TOTAL, next: null } });
    await press('Try Again', 50);
    expect(screen.getByText('No payouts yet')).toBeTruthy();
  });
});

describe('the statement of a payout', () => {
  onPage();

  const open = async (answers: Answers): Promise<FakeServer> => {
    const server = fakeServer(answers);
    await renderPage(<PayoutStatementPage />, '/creator/payouts/p2', '/creator/payouts/:payoutId');
    await pass(50);
    return server;
  };
  const texts = (role: 'term' | 'definition'): (string | null)[] => textsOf(screen.getAllByRole(role));

  it('shows how the amount is made and its recipient, and prints', async () => {
    const server = await open({ [STATEMENT]: SECOND });
    expect(server.calls[0]).toEqual({ name: STATEMENT, body: { p_payout_id: 'p2' } });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('$60.00');
    const terms = texts('term');
    const facts = new Map(texts('definition').map((text, index) => [terms[index], text]));
    expect(Object.fromEntries(facts)).toMatchObject({
      'Statement number': 'F02',
      Period: '1 October 2026 to 31 October 2026 (UTC)',
      'Issued to': 'Juno Abara StudioGermany. Account ending 3000',
      'Opening balance: the amount of the statement before': '$50.00',
      'Earnings that became payable, 160 pictures': '$80.00',
      'Taken back, 1 correction': '−$20.50',
      'Given back, 1 restoration': '$0.50',
      'Paid since the statement before': '−$50.00',
      'Amount of this payout': '$60.00',
      State: 'Paid on 3 November 2026',
      "The bank's reference": 'SEPA-77',
    });
    expect(screen.getByText(/^No tax is computed here/)).toBeTruthy();
    expect(screen.getByText(/^Self-billing/)).toBeTruthy();
    const print = jest.spyOn(window, 'print').mockImplementation(() => undefined);
    fireEvent.click(screen.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledTimes(1);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows finance the public name, and no link to a dashboard of their own', async () => {
    const first = { recipient: null, previous_number: null, from: null, opening_cents: 0, bank_reference: null };
    await open({ [STATEMENT]: { ...SECOND, ...first, state: 'checked', paid_on: null } });
    expect(texts('definition')).toContain('Juno Abara');
    expect(texts('definition')).toContain('From the first earning to 31 October 2026 (UTC)');
    expect(screen.queryByRole('link', { name: 'Dashboard' })).toBeNull();
    expect(screen.queryByText('Germany')).toBeNull();
    expect(screen.getByText('Checked, on its way to the bank')).toBeTruthy();
  });

  it('says that there is no such statement to others', async () => {
    await open({ [STATEMENT]: refusal(403, 'Statement not found or access denied') });
    expect(screen.getByText('There is no such statement')).toBeTruthy();
  });

  it('shows why the statement or its file cannot be loaded', async () => {
    const server = await open({ [STATEMENT]: refusal(409, 'Not now') });
    expect(screen.getByRole('alert').textContent).toContain('Not now');
    server.answer({ [STATEMENT]: SECOND, 'payout-statement.csv': refusal(429, 'Too many downloads') });
    await press('Try Again', 50);
    await press('CSV', 50);
    expect(screen.getByText('The file could not be downloaded. Too many downloads')).toBeTruthy();
  });
});
