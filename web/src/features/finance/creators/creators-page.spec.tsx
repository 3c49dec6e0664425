import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { figures, LIABILITIES, openFinancePage, rowOf, onFinancePage } from '../../../../test/finance-page.js';
import { accessibilityFaults, screenIs, press } from '../../../../test/page.js';
import CreatorsPage from './creators-page.js';

onFinancePage();

describe('CreatorsPage', () => {
  it('lists what creators are owed, with links to the entries of their share', async () => {
    await openFinancePage(<CreatorsPage />, '/finance/creators');
    expect(figures(rowOf(/Juno Abara/))).toEqual([
      '2,033.50',
      '1,072.50',
      '961.00',
      '0.00',
      '0.00',
      '0.00',
      '2,033.50',
    ]);
    expect(figures(rowOf(/^Sum$/))).toEqual(['2,033.50', '1,072.50', '961.00', '0.00', '0.00', '0.00', '2,033.50']);
    const link = screen.getByRole('link', { name: 'Juno Abara, Pending: 1,072.50' });
    expect(link.getAttribute('href')).toContain('account=2100&from=2000-01-01T00%3A00%3A00.000Z');
    expect(link.getAttribute('href')).toContain('to=2026-11-22T09%3A40%3A02.001Z&creator_id=creator-1');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('counts a payout on its way as owed, and links it to its entries', async () => {
    const owed = {
      earned_cents: 5_600,
      pending_cents: 1_000,
      payable_cents: 200,
      under_way_cents: 4_000,
      paid_cents: 500,
      debt_cents: 100,
    };
    const [creator] = LIABILITIES.creators;
    const creators = creator ? [{ ...creator, ...owed }] : [];
    await openFinancePage(<CreatorsPage />, '/finance/creators', {
      answers: { list_creator_liabilities: { ...LIABILITIES, ...owed, creators } },
    });
    for (const row of [/Juno Abara/, /^Sum$/])
      expect(figures(rowOf(row))).toEqual(['56.00', '10.00', '2.00', '40.00', '5.00', '1.00', '51.00']);
    const link = screen.getByRole('link', { name: 'Juno Abara, On its way: 40.00' });
    expect(link.getAttribute('href')).toContain('account=2130');
    const paid = screen.getByRole('link', { name: 'Juno Abara, Paid: 5.00' });
    expect(paid.getAttribute('href')).toMatch(/account=1100&.*creator_id=creator-1/);
    expect(screen.getByRole('link', { name: 'All creators, Paid: 5.00' }).getAttribute('href')).toBe(
      '/finance/payouts',
    );
  });

  it('turns the pages, and begins with the first one at another instant', async () => {
    const { server } = await openFinancePage(<CreatorsPage />, '/finance/creators', {
      answers: {
        list_creator_liabilities: { ...LIABILITIES, next: 'creator-1' },
      },
    });
    const asked = (): unknown => server.last('list_creator_liabilities');
    await press('Next', 0);
    expect(asked()).toEqual({ p_after: 'creator-1' });
    fireEvent.change(screen.getByRole('textbox', { name: 'As of, UTC' }), { target: { value: ' 2026-10-31 ' } });
    await press('Show', 0);
    expect(asked()).toEqual({ p_at: '2026-10-31' });
  });

  it('names the figures below the creator on phones', async () => {
    screenIs(false);
    await openFinancePage(<CreatorsPage />, '/finance/creators');
    expect(figures(rowOf(/Juno Abara/))).toEqual(['2,033.50']);
    expect(rowOf(/Juno Abara/).textContent).toContain('Pending 1,072.50');
    expect(await accessibilityFaults()).toEqual([]);
  });
});
