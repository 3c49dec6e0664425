import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import { figures, openFinancePage, rowOf, onFinancePage, nextFinancePage } from '../../../../test/finance-page.js';
import { accessibilityFaults, type Answers, messages, refusal, screenIs, click, press } from '../../../../test/page.js';
import { CHECKED_RUN, PAYOUT_ANSWERS, payoutRun } from '../../../../test/payouts.js';
import PayoutsPage from './payouts-page.js';

onFinancePage();

const open = async (answers: Answers = {}, isAdmin = false) =>
  openFinancePage(<PayoutsPage />, '/finance/payouts', { answers: { ...PAYOUT_ANSWERS, ...answers }, isAdmin });
const RUNS = {
  runs: [
    payoutRun(),
    {
      ...CHECKED_RUN,
      run_id: 'run-8',
      number: 8,
      drafted_by: null,
      drafted_by_name: null,
      payouts: [
        { state: 'paid', payouts: 8, amount_cents: 129_450 },
        { state: 'failed', payouts: 1, amount_cents: 5_000 },
      ],
      recorded_by: [{ id: 'user_gone_for_long', name: null }],
    },
  ],
  next: 8,
};

describe('PayoutsPage', () => {
  it('lists the runs with their state, sums and people, and turns the pages', async () => {
    const { server } = await open({ list_payout_runs: RUNS });
    expect(figures(rowOf(/Run 9/))).toEqual(['22 Nov 2026', 'Draft', '2', '299.50', 'Sol Brandt', 'Not yet']);
    expect(figures(rowOf(/Run 8/))).toEqual([
      ...['22 Nov 2026', 'Paid', '8', '1,294.50', 'The app', 'Rui Okafor, user_gone_fo…'],
    ]);
    expect(screen.getByRole('link', { name: 'Run 9' }).getAttribute('href')).toBe('/finance/payouts/runs/run-9');
    expect(screen.queryByRole('link', { name: 'Record transfers' })).toBeNull();
    await press('Next', 0);
    expect(server.last('list_payout_runs')).toMatchObject({ p_before: 8 });
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows the state and the cutoff below the run on phones', async () => {
    screenIs(false);
    await open({}, true);
    expect(rowOf(/Run 9/).textContent).toContain('Draft');
    expect(figures(rowOf(/Run 9/))).toEqual(['299.50']);
    expect(screen.getByRole('link', { name: 'Record transfers' })).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('drafts a run under one id, also when it is sent again, and opens it', async () => {
    const { server, router } = await open({
      list_payout_runs: { runs: [], next: null },
      draft_payout_run: refusal(400, 'The cutoff must lie at least 15 minutes back.'),
    });
    await click(screen.getAllByRole('button', { name: 'Draft a run' })[0]!, 50);
    const dialog = within(document.querySelector<HTMLElement>('[data-modal]')!);
    fireEvent.change(dialog.getByLabelText('Cutoff, UTC'), { target: { value: ' 2026-11-22 ' } });
    const send = async (): Promise<void> => {
      await click(dialog.getByRole('button', { name: 'Draft the run' }), 50);
    };
    await send();
    expect(dialog.getByRole('alert').textContent).toBe('The cutoff must lie at least 15 minutes back.');
    server.answer({ draft_payout_run: payoutRun({ working: true }) });
    await send();
    const sent = server.bodies('draft_payout_run');
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    expect(sent[0]).toMatchObject({ p_cutoff: '2026-11-22' });
    expect(messages()).toEqual(['Run 9 is being drafted.']);
    expect(router.state.location.pathname).toBe('/finance/payouts/runs/run-9');
  });

  it('says that there is no run yet, and that the runs could not be loaded', async () => {
    await open({ list_payout_runs: { runs: [], next: null } });
    expect(screen.getByText('No payout run yet')).toBeTruthy();
    nextFinancePage();
    await open({ list_payout_runs: refusal(403, 'Finance privileges required') });
    expect(screen.getByText('Failed to load the payout runs. Please try again.')).toBeTruthy();
  });
});
