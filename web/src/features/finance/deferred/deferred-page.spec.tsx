import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import { DEFERRED, figures, openFinancePage, rowOf, onFinancePage } from '../../../../test/finance-page.js';
import { accessibilityFaults, pass, refusal, textsOf } from '../../../../test/page.js';
import DeferredPage from './deferred-page.js';

onFinancePage();

describe('DeferredPage', () => {
  it('shows what is deferred now by the month of its purchase, with links to the entries', async () => {
    await openFinancePage(<DeferredPage />, '/finance/deferred');
    expect(figures(rowOf(/May 2026/))).toEqual(['6', '600', '60.00']);
    expect(figures(rowOf(/^All$/))).toEqual(['', '14,880', '1,488.00']);
    const link = screen.getByRole('link', { name: 'Bought in May 2026, Deferred, USD: 60.00' });
    expect(link.getAttribute('href')).toBe(
      '/finance/entries?account=2000&from=2026-05-01T00%3A00%3A00.000Z&to=2026-12-01T00%3A00%3A00.000Z&bought_month=2026-05',
    );
    // From the beginning, because what was bought earlier may be spent in these months.
    const all = screen.getByRole('link', { name: 'All months, Deferred, USD: 1,488.00' });
    expect(all.getAttribute('href')).toBe(
      '/finance/entries?account=2000&from=2000-01-01T00%3A00%3A00.000Z&to=2026-12-01T00%3A00%3A00.000Z',
    );
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('chooses the end of a month, back to the first entry', async () => {
    const { router, server } = await openFinancePage(<DeferredPage />, '/finance/deferred');
    const select = screen.getByRole('combobox', { name: 'As of' });
    expect(textsOf(within(select).getAllByRole('option'))).toEqual(['now', 'end of October 2026']);
    fireEvent.change(select, { target: { value: '2026-10' } });
    await pass(0);
    expect(router.state.location.search).toBe('?month=2026-10');
    expect(server.last('get_deferred_revenue')).toEqual({ p_month: '2026-10' });
  });

  it('shows the server’s sentence at the field', async () => {
    await openFinancePage(<DeferredPage />, '/finance/deferred?month=2030-01', {
      answers: {
        get_deferred_revenue: refusal(400, 'The month must not be in the future.'),
      },
    });
    const select = screen.getByRole('combobox', { name: 'As of', description: /must not be in the future/ });
    expect(select.getAttribute('aria-invalid')).toBe('true');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('has words for empty books', async () => {
    await openFinancePage(<DeferredPage />, '/finance/deferred', {
      answers: {
        get_deferred_revenue: { ...DEFERRED, cents: 0, credits: 0, ages: [] },
      },
    });
    expect(screen.getByText('Nothing is deferred')).toBeTruthy();
  });
});
