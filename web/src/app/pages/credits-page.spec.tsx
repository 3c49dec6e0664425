import { describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import {
  accessibilityFaults,
  fakeServer,
  never,
  pass,
  refusal,
  renderPage,
  click,
  onPage,
  textsOf,
} from '../../../test/page.js';
import { PURCHASE } from '../../../test/rows.js';
import { refreshRpc } from '../../lib/use-rpc.js';
import Page from './credits-page.js';

const BALANCE = 'get_user_credit_breakdown';
const ROWS = 'get_user_transactions_by_jwt';

describe('page of credits and purchases', () => {
  onPage();

  /** Opens the page with one answer to all calls of the fan, and another one for the balance. */
  const open = async (answer: unknown, balance = answer) => {
    const server = fakeServer({
      get_public_creators: [],
      [BALANCE]: balance,
      [ROWS]: answer,
      count_user_transactions_by_jwt: answer,
      get_user_purchases_by_jwt: answer,
    });
    await renderPage(<Page />, '/credits');
    return server;
  };

  it('has no accessibility faults while it loads', async () => {
    await open(never);
    expect(screen.getByText('Loading transactions')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[F2.64, F8.28] shows what could not be loaded, without accessibility faults', async () => {
    await open(refusal(400, 'Something went wrong on our side.'));
    const problems = textsOf(screen.getAllByRole('alert'));
    for (const words of ['Error loading credits', 'Error loading transactions', 'Error loading purchases']) {
      expect(problems).toContainEqual(expect.stringContaining(words));
    }
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[F2.61, F2.62, F2.64, F8.28, F9.07] shows the balance and the credits spent, or that they could not be loaded', async () => {
    const breakdown = { total_balance: 19, daily_credits: 9, bonus_credits: 10, paid_credits: 0, debt: 0 };
    // With Retry-After, only Refresh loads the balance again.
    const server = await open(refusal(403, 'No.', { 'retry-after': '600' }));
    const failure = (words: string): HTMLElement | undefined =>
      screen.queryAllByRole('alert').find(({ textContent }) => textContent?.includes(words));
    const refresh = async (words: string): Promise<void> => {
      await click(within(failure(words)!).getByRole('button', { name: 'Refresh' }), 10);
    };
    const balance = () => within(screen.getByRole('region', { name: 'Balance' }));
    // The server's words, or those of the specification.
    expect(failure('Error loading transactions')?.textContent).toContain('No.');
    server.answer({ [ROWS]: refusal(400, '') });
    await refresh('Error loading transactions');
    expect(failure('Error loading transactions')?.textContent).toContain('Failed to load transactions');

    server.answer({ [BALANCE]: { ...breakdown, lifetime_spent: 120 } });
    await refresh('Error loading credits');
    expect(failure('Error loading credits')).toBeUndefined();
    const figures = screen.getByRole('region', { name: 'Balance' }).textContent?.replace(/\s+/g, '');
    expect(figures).toBe('AvailableCredits19Lowoncredits?PurchasemoreDaily9Bonus10Purchased0LifetimeSpent120');
    expect(balance().getByRole('link').getAttribute('href')).toBe('/purchase-credits');

    server.answer({ [ROWS]: [] });
    await refresh('Error loading transactions');
    expect(failure('Error loading transactions')).toBeUndefined();
  });

  it('shows the purchases ten a page', async () => {
    const purchases = Array.from({ length: 11 }, (_, index) => ({ ...PURCHASE, id: `p${index}` }));
    const server = await open([], { total_balance: 20 });
    server.answer({ get_user_purchases_by_jwt: purchases });
    act(() => refreshRpc('get_user_purchases_by_jwt'));
    await pass(10);
    const section = within(screen.getByRole('region', { name: 'Purchases' }));
    expect(section.getAllByRole('listitem')).toHaveLength(10);
    server.answer({ get_user_purchases_by_jwt: purchases.slice(10) });
    await click(section.getByRole('button', { name: 'Next' }));
    expect(server.last('get_user_purchases_by_jwt')).toEqual({ p_limit: 11, p_offset: 10 });
    expect(section.getAllByRole('listitem')).toHaveLength(1);
    expect(section.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true);
  });

  it('[F2.62] shows no hint from 20 credits on, and still the way to buy more', async () => {
    await open([], { total_balance: 20 });
    const balance = within(screen.getByRole('region', { name: 'Balance' }));
    expect(balance.getByText('20')).toBeTruthy();
    expect(balance.queryByText('Low on credits?')).toBeNull();
    expect(balance.getByRole('link', { name: 'Purchase Credits' }).getAttribute('href')).toBe('/purchase-credits');
  });
});
