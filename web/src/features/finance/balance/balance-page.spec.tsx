import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import {
  BALANCE,
  figures,
  openFinancePage,
  press,
  rowOf,
  saved,
  onFinancePage,
} from '../../../../test/finance-page.js';
import { accessibilityFaults, pass, refusal, click } from '../../../../test/page.js';
import BalancePage from './balance-page.js';

onFinancePage();

describe('BalancePage', () => {
  it('shows what only the processor knows as unknown, never as zero', async () => {
    await openFinancePage(<BalancePage />, '/finance/balance');
    expect(figures(rowOf(/transfers to the bank/))).toEqual(['unknown', 'unknown', '']);
    expect(figures(rowOf(/payments received/))).toEqual(['2,033.50', '0.00', '']);
    expect(figures(rowOf(/^Sum$/))).toEqual(['2,033.50', '2,033.50', '']);
    expect(screen.getByText('Debits equal credits')).toBeTruthy();
    expect(screen.getByText(/^Unknown and payouts only:/)).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('explains no unknown figure when all are known', async () => {
    const accounts = BALANCE.accounts.map((each) => ({
      ...each,
      debit_cents: each.debit_cents ?? 0,
      credit_cents: each.credit_cents ?? 0,
    }));
    await openFinancePage(<BalancePage />, '/finance/balance', {
      answers: { get_trial_balance: { ...BALANCE, accounts } },
    });
    expect(screen.getByText('Debits equal credits')).toBeTruthy();
    expect(screen.queryByText(/^Unknown and payouts only:/)).toBeNull();
  });

  it('shows pending, payable and debt beneath the creators’ share, with a link to the creators', async () => {
    await openFinancePage(<BalancePage />, '/finance/balance');
    const parts = within(rowOf(/Creator share/)).getByRole('link', {
      name: 'pending 1,072.50, payable 980.00, debt 19.00',
    });
    expect(parts.getAttribute('href')).toBe('/finance/creators?at=2026-11-22T09%3A40%3A02.000Z');
  });

  it('links to the entries up to the instant, and by rule 1 to the creators for what follows from the time', async () => {
    const payableByRule1 = {
      account: 2120,
      name: 'Creator share: payable',
      kind: 'liability',
      credits: null,
      debit_cents: 0,
      credit_cents: 203_350,
    };
    const [receipts] = BALANCE.accounts;
    const answer = { ...BALANCE, accounts: [receipts, payableByRule1], creator_share: null };
    await openFinancePage(<BalancePage />, '/finance/balance', { answers: { get_trial_balance: answer } });
    expect(
      screen
        .getByRole('link', { name: '1010 Processor cash: payments received, Debit: 2,033.50' })
        .getAttribute('href'),
    ).toBe('/finance/entries?account=1010&from=2026-02-03T10%3A00%3A00.000Z&to=2026-11-22T09%3A40%3A02.001Z');
    const payable = screen.getByRole('link', { name: '2120 Creator share: payable, Credit: 2,033.50' });
    expect(payable.getAttribute('href')).toBe('/finance/creators?at=2026-11-22T09%3A40%3A02.000Z');
  });

  it.each([
    ['in the future', '2030-01-01', 'The instant must not be in the future.'],
    ['before the first entry', '2020-01-01', 'The books begin at 2026-02-03T10:00:00.000Z.'],
    ['that is malformed', 'yesterday', 'p_at must be a day or an instant such as 2026-03-10T09:00:00Z'],
  ])('shows the server’s sentence at the field for an instant %s', async (_, at, sentence) => {
    const { router } = await openFinancePage(<BalancePage />, '/finance/balance', {
      answers: {
        get_trial_balance: (body: unknown) => ('p_at' in (body as object) ? refusal(400, sentence) : BALANCE),
      },
    });
    await press('t');
    const field = screen.getByRole('textbox', { name: 'As of, UTC' });
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: at } });
    fireEvent.submit(field.closest('form')!);
    await pass(0);
    expect(router.state.location.search).toBe(`?at=${at}`);
    const refused = screen.getByRole('textbox', { name: 'As of, UTC', description: sentence });
    expect(refused.getAttribute('aria-invalid')).toBe('true');
    expect(screen.queryByRole('table')).toBeNull();
    await click(screen.getByRole('button', { name: 'Now' }), 0);
    expect(screen.getByText('Debits equal credits')).toBeTruthy();
  });

  it('saves the balance of the instant that it shows', async () => {
    await openFinancePage(<BalancePage />, '/finance/balance', { answers: { 'trial-balance.csv': 'at\r\n' } });
    await press('e');
    expect(saved).toEqual(['fanvas-trial-balance.csv']);
  });
});
