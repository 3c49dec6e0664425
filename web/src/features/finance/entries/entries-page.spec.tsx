import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { ENTRIES, figures, openFinancePage, press, onFinancePage } from '../../../../test/finance-page.js';
import { accessibilityFaults, refusal, click } from '../../../../test/page.js';
import EntriesPage from './entries-page.js';

onFinancePage();

describe('EntriesPage', () => {
  const ADDRESS = '/finance/entries?account=4000&from=2026-10-01T00:00:00.000Z&to=2026-11-01T00:00:00.000Z';

  it('shows the sum, the entries, and all lines of the event of one of them', async () => {
    const { router, server } = await openFinancePage(<EntriesPage />, ADDRESS);
    expect(screen.getByText('$1,644.00').parentElement?.textContent).toBe('$1,644.00 credit');
    expect(server.calls.find(({ name }) => name === 'list_book_entries')?.body).toEqual({
      p_accounts: [4000],
      p_from: '2026-10-01T00:00:00.000Z',
      p_to: '2026-11-01T00:00:00.000Z',
    });
    await press('j');
    expect(router.state.location.search).toContain('open=e2');
    const detail = screen.getByRole('region', { name: 'DeductionSettled, version 12' });
    expect(figures(within(detail).getAllByRole('row').at(-1)!)).toEqual(['1.00', '1.00']);
    expect(within(detail).getByRole('button', { name: 'Copy Image ID' })).toBeTruthy();
    expect(within(detail).getByText(/payable from 21 Nov 2026/)).toBeTruthy();
    expect(within(detail).queryByRole('link', { name: /audit area/ })).toBeNull();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('goes back with Escape', async () => {
    const { router } = await openFinancePage(<EntriesPage />, ADDRESS);
    await press('Escape');
    expect(router.state.location.pathname).toBe('/finance');
  });

  it('turns the pages', async () => {
    const { router } = await openFinancePage(<EntriesPage />, ADDRESS);
    await click(screen.getByRole('button', { name: 'Next 100' }), 0);
    expect(router.state.location.search).toContain('after=e2');
    await click(screen.getByRole('button', { name: 'Previous' }), 0);
    expect(router.state.location.search).not.toContain('after=');
  });

  it.each(['', '?account=', '?account=cash'])(
    'redirects an address without an account to the list: %s',
    async (query) => {
      const { router } = await openFinancePage(<EntriesPage />, `/finance/entries${query}`);
      expect(router.state.location.pathname).toBe('/finance/balance');
    },
  );

  it.each(['', '&from=&to=', '&from=yesterday&to=2026-99-01'])(
    'has all entries up to the end of this month when the address has no period: %s',
    async (period) => {
      const { server } = await openFinancePage(<EntriesPage />, `/finance/entries?account=4000${period}`);
      const now = new Date();
      const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
      expect(server.calls.find(({ name }) => name === 'list_book_entries')?.body).toEqual({
        p_accounts: [4000],
        p_from: '2000-01-01T00:00:00.000Z',
        p_to: end,
      });
      expect(screen.getByText(`Up to ${end.slice(0, 10)}`)).toBeTruthy();
    },
  );

  it('shows the server’s sentence for entries that do not exist', async () => {
    await openFinancePage(<EntriesPage />, '/finance/entries?account=7&from=2026-10-01&to=2026-11-01', {
      answers: {
        list_book_entries: refusal(400, 'There is no account 7.'),
      },
    });
    expect(screen.getByText('There is no account 7.')).toBeTruthy();
  });

  it('has words for a period without entries', async () => {
    await openFinancePage(<EntriesPage />, ADDRESS, {
      answers: { list_book_entries: { ...ENTRIES, cents: 0, entries: [], next: null } },
    });
    expect(screen.getByText('Nothing was posted to these accounts in the period.')).toBeTruthy();
  });
});
