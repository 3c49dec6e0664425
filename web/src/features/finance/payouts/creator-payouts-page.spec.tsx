import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { figures, openFinancePage, rowOf, onFinancePage } from '../../../../test/finance-page.js';
import { accessibilityFaults, screenIs, sentence, type Answers } from '../../../../test/page.js';
import { CREATOR_PAYOUTS, PAYOUT_ANSWERS } from '../../../../test/payouts.js';
import CreatorPayoutsPage from './creator-payouts-page.js';

onFinancePage();

const open = async (answers: Answers = {}, isAdmin = true) =>
  openFinancePage(<CreatorPayoutsPage />, '/finance/payouts/creators/creator-1', {
    answers: { ...PAYOUT_ANSWERS, ...answers },
    pattern: '/finance/payouts/creators/:creatorId',
    isAdmin,
  });

describe('CreatorPayoutsPage', () => {
  it('lists the payouts of a creator with their outcome, and the hold with its reason', async () => {
    await open();
    expect(screen.getByRole('heading', { name: 'Payouts of Juno Abara', level: 1 })).toBeTruthy();
    expect(figures(rowOf(/Run 8/))).toEqual([
      ...['1 Oct 2026', '40.00', '0.00', '40.00', 'Paid 3 Oct 2026', 'SEPA-8', 'Rui Okafor'],
    ]);
    expect(figures(rowOf(/Run 7/))).toContain('Failed: “AC04”');
    expect(screen.getByText(sentence(/Rui Okafor, 20 Nov 2026, 09:00:00 UTC: “A dispute\.”/))).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Release...' })).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows finance people no acts, and no hold where there was none', async () => {
    await open({ list_creator_payouts: { ...CREATOR_PAYOUTS, hold: null, payouts: [] } }, false);
    expect(screen.getByText('No payout yet')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Hold/ })).toBeNull();
  });

  it('names the state below the run on phones, and says that a hold has ended', async () => {
    screenIs(false);
    await open({ list_creator_payouts: { ...CREATOR_PAYOUTS, hold: { ...CREATOR_PAYOUTS.hold!, holds: false } } });
    expect(rowOf(/Run 8/).textContent).toContain('Paid 3 Oct 2026');
    expect(screen.getByText(/Not held\./)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Hold...' })).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });
});
