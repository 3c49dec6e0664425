import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import { reportReverification } from '../../../lib/reverification.js';
import {
  figures,
  openFinancePage,
  press,
  rowOf,
  saved,
  onFinancePage,
  nextFinancePage,
} from '../../../../test/finance-page.js';
import {
  accessibilityFaults,
  asFan,
  messages,
  pass,
  refusal,
  screenIs,
  sentence,
  type Answers,
  verificationDemand,
  textsOf,
} from '../../../../test/page.js';
import {
  CHECKED_RUN,
  PAYOUT_ANSWERS,
  payoutFile,
  payoutRun,
  RUN_CREATORS,
  runCreator,
} from '../../../../test/payouts.js';
import RunPage from './run-page.js';

onFinancePage();

const open = async (answers: Answers = {}, isAdmin = true, query = '') =>
  openFinancePage(<RunPage />, `/finance/payouts/runs/run-9${query}`, {
    answers: { ...PAYOUT_ANSWERS, ...answers },
    pattern: '/finance/payouts/runs/:runId',
    isAdmin,
  });
const button = (name: string | RegExp): HTMLButtonElement => screen.getByRole('button', { name });
const hasButton = (name: string | RegExp): boolean => screen.queryByRole('button', { name }) !== null;
const click = async (name: string | RegExp): Promise<void> => {
  fireEvent.click(button(name));
  await pass(50);
};
const dialog = () => within(document.querySelector<HTMLElement>('[data-modal]')!);
const confirm = async (name: string): Promise<void> => {
  fireEvent.click(dialog().getByRole('button', { name }));
  await pass(50);
};
const giveReason = (reason: string): void =>
  void fireEvent.change(dialog().getByLabelText('Reason'), { target: { value: reason } });
const stages = (): (string | null)[] =>
  textsOf(within(screen.getByRole('list', { name: 'Stages' })).getAllByRole('listitem'));

describe('RunPage', () => {
  it('shows who did which stage, what each creator gets, and what is left out', async () => {
    await open();
    expect(screen.getByRole('heading', { name: 'Payout run 9', level: 1 })).toBeTruthy();
    expect(stages()).toEqual([
      'Drafted, doneSol Brandt, 22 Nov, 09:12',
      'Amounts fixedFor the cutoff, 22 Nov, 00:00',
      'CheckedBy another person than the one who drafted it',
      'Paid and recordedFrom the report of the bank',
    ]);
    expect(figures(rowOf(/Juno Abara/))).toEqual(['200.50', '−40.00', '160.50', 'Ready']);
    expect(figures(rowOf(/Bibi Thorne/))).toEqual(['68.00', '0.00', '0.00', 'No payout details']);
    expect(figures(rowOf(/2 of 3 creators/))).toEqual(['407.50', '−40.00', '299.50', '']);
    const sums = within(screen.getByRole('complementary', { name: 'This run, as of now' }));
    expect(sums.getByText('$299.50')).toBeTruthy();
    expect(sums.getByText('Payable to all at the cutoff').parentElement?.textContent).toContain('$367.50');
    expect(sums.getByText('No payout details, 1 creator').parentElement?.textContent).toContain('−$68.00');
    expect(sums.getByText(/\$68\.00 stays payable/)).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('unfolds how an amount is made, also of a creator that is left out', async () => {
    await open();
    await click(/Juno Abara/);
    expect(screen.getByText(sentence('Juno Abara: how $160.50 is made'), { selector: 'h3' })).toBeTruthy();
    expect(screen.getByText('Paid before', { selector: 'dt' }).parentElement?.textContent).toContain('−$40.00');
    expect(screen.getByRole('link', { name: 'entries' }).getAttribute('href')).toContain('creator_id=creator-1');
    await click(/Bibi Thorne/);
    expect(screen.getByText(/No payout: No payout details\. The amount stays payable/)).toBeTruthy();
    expect(screen.getByText('Held until 24 Dec 2026, 00:00:00 UTC: “A dispute.”')).toBeTruthy();
    expect(screen.queryByText(sentence(/Juno Abara: how/))).toBeNull();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says of a payout in a file that a download leaves it out, and of one that came back that it was paid', async () => {
    const inFile = runCreator({ state: 'checked', file: 1, left_out: 'details_changed' });
    const back = { state: 'failed', bank_reference: 'SEPA-1', paid_on: '2026-11-03', reason: 'AC04' } as const;
    const cameBack = runCreator({ creator_id: 'creator-2', payout_id: 'payout-2', name: 'Bibi Thorne', ...back });
    const noFile = runCreator({ creator_id: 'creator-3', name: 'Ida Moss', left_out: 'no_details' });
    await open({ list_payout_run_creators: { creators: [inFile, cameBack, noFile], next: null } });
    expect(figures(rowOf(/Juno Abara/)).at(-1)).toBe('In file 1');
    expect(figures(rowOf(/Ida Moss/)).at(-1)).toBe('Left out of files: no payout details');
    await click(/Juno Abara/);
    expect(screen.getByText('A download now leaves it out: details changed within 7 days.')).toBeTruthy();
    await click(/Bibi Thorne/);
    expect(screen.getByText(/^Was paid 3 Nov( 2026)? with the bank’s reference SEPA-1, and came back\.$/)).toBeTruthy();
  });

  it('shows the same on phones, with the state below the name', async () => {
    screenIs(false);
    await open();
    expect(figures(rowOf(/Bibi Thorne/))).toEqual(['0.00']);
    expect(rowOf(/Bibi Thorne/).textContent).toContain('No payout details');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('fixes the amounts after a question, also with F', async () => {
    const { server } = await open({ fix_payout_run: payoutRun({ step: 'fix', working: true }) }, false);
    await press('f');
    expect(dialog().getByText(/Now \$299\.50 to 2 creators/)).toBeTruthy();
    await confirm('Fix the amounts');
    expect(server.calls.find(({ name }) => name === 'fix_payout_run')?.body).toEqual({ p_run_id: 'run-9' });
    expect(messages()).toEqual(['The amounts of run 9 are being fixed.']);
  });

  it('offers the check to admins, and says before the press why the author of the draft must not', async () => {
    const fixed = payoutRun({ step: 'fix', fixed_by: 'user_sol', fixed_at: '2026-11-22T09:20:00.000Z' });
    await open({ get_payout_run: fixed }, false);
    expect(hasButton('Check the run')).toBe(false);
    expect(
      screen.getByText(sentence('Sol Brandt drafted it. An admin checks it and records what was paid.')),
    ).toBeTruthy();

    nextFinancePage();
    asFan({ id: 'user_sol' });
    await open({ get_payout_run: fixed });
    expect(button('Check the run').disabled).toBe(true);
    const described = document.getElementById(button('Check the run').getAttribute('aria-describedby') ?? '');
    expect(described?.textContent).toBe(
      'You drafted this run, so another person, an admin, must check it and record what was paid.',
    );
    await press('f');
    expect(document.querySelector('[data-modal]')).toBeNull();

    nextFinancePage();
    const { server } = await open({ get_payout_run: fixed, check_payout_run: CHECKED_RUN });
    await click('Check the run');
    await confirm('Confirm the check');
    expect(server.count('check_payout_run')).toBe(1);
  });

  it('cancels a run with a reason, and shows the refusal of the server in the dialog', async () => {
    const { server } = await open({ cancel_payout_run: refusal(409, 'The run is still being worked on.') });
    await click('Cancel run...');
    expect(dialog().getByRole<HTMLButtonElement>('button', { name: 'Cancel run 9' }).disabled).toBe(true);
    giveReason(' A wrong cutoff. ');
    await confirm('Cancel run 9');
    expect(dialog().getByRole('alert').textContent).toBe('The run is still being worked on.');
    expect(server.calls.find(({ name }) => name === 'cancel_payout_run')?.body).toEqual({
      p_run_id: 'run-9',
      p_reason: 'A wrong cutoff.',
    });
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows how far the worker is, without buttons, and loads the rows again when it has ended', async () => {
    const { server } = await open({
      get_payout_run: payoutRun({ step: 'fix', working: true, carried_out: 1, fixed_by: 'user_sol' }),
    });
    expect(screen.getByText(/Fixing amounts: 1 of 2 payouts\./)).toBeTruthy();
    expect(hasButton('Fix amounts now')).toBe(false);
    expect(hasButton('Cancel run...')).toBe(false);
    const before = server.count('list_payout_run_creators');
    server.answer({
      get_payout_run: payoutRun({ step: 'fix', payouts: [{ state: 'fixed', payouts: 2, amount_cents: 29_950 }] }),
      list_payout_run_creators: { creators: [runCreator({ state: 'fixed' })], next: null },
    });
    await pass(1_600);
    await pass(50);
    expect(screen.queryByText(/Fixing amounts/)).toBeNull();
    expect(server.count('list_payout_run_creators')).toBeGreaterThan(before);
    expect(rowOf(/Juno Abara/).textContent).toContain('Fixed');
  });

  it('makes, downloads and takes back files for the bank, for admins only', async () => {
    const answers = { get_payout_run: CHECKED_RUN };
    const { server } = await open({
      ...answers,
      make_payout_file: { run_id: 'run-9', file: 1, payouts: 2, amount_cents: 29_950 },
      take_back_payout_file: { success: true },
      'payout-file.csv': 'reference,amount',
    });
    await click('Make file 1');
    await confirm('Make the file');
    expect(server.calls.find(({ name }) => name === 'make_payout_file')?.body).toEqual({
      p_run_id: 'run-9',
      p_file: 1,
    });
    expect(messages()).toContain('File 1 has 2 payouts, $299.50.');
    const made = { ...CHECKED_RUN, files: 1 };
    server.answer({ get_payout_run: made, list_payout_files: { files: [payoutFile()], next: null } });
    await pass(30_100);
    expect(screen.getByText('Still due: 2 payouts, $299.50')).toBeTruthy();
    expect(hasButton('Make file 2')).toBe(false);
    expect(hasButton('Cancel run...')).toBe(false);
    await click('CSV of file 1');
    expect(saved).toEqual(['fanvas-payouts-1.csv']);
    await click('Take back file 1');
    giveReason('Made too early.');
    await confirm('Take back file 1');
    expect(server.calls.find(({ name }) => name === 'take_back_payout_file')?.body).toEqual({
      p_run_id: 'run-9',
      p_file: 1,
      p_reason: 'Made too early.',
    });
    const back = { taken_back_by: 'user_rui', taken_back_by_name: 'Rui Okafor', due: 0, due_cents: 0 };
    const taken = { ...back, taken_back_at: '2026-11-22T09:40:00.000Z', taken_back_reason: 'Made too early.' };
    server.answer({ list_payout_files: { files: [payoutFile(taken)], next: null } });
    await pass(30_100);
    expect(screen.getByText(sentence(/Taken back by Rui Okafor, 22 Nov, 09:40:00: “Made too early\.”/))).toBeTruthy();
    expect(hasButton('CSV of file 1')).toBe(false);
    expect(hasButton('Make file 2')).toBe(true);
    expect(screen.getByText('In no file yet: 2 payouts, $299.50')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows files to finance people without acts', async () => {
    await open(
      { get_payout_run: { ...CHECKED_RUN, files: 1 }, list_payout_files: { files: [payoutFile()], next: null } },
      false,
    );
    expect(screen.getByText('Still due: 2 payouts, $299.50')).toBeTruthy();
    for (const name of ['Make file 2', 'CSV of file 1', 'Take back file 1']) expect(hasButton(name)).toBe(false);
  });

  it('asks for a verification before an act and a download, and says when the person has closed it', async () => {
    let demanded = 0;
    const demandOnce = (answer: unknown) => () => ((demanded += 1) % 2 === 1 ? verificationDemand() : answer);
    reportReverification(async (work) => {
      await work();
      return work();
    });
    const { server } = await open({
      get_payout_run: { ...CHECKED_RUN, files: 1 },
      list_payout_files: { files: [payoutFile()], next: null },
      'payout-file.csv': demandOnce('reference,amount'),
      end_payout: demandOnce({ success: true }),
      list_payout_run_creators: { creators: [runCreator({ state: 'checked', file: 1 })], next: null },
    });
    await click('CSV of file 1');
    expect(server.count('payout-file.csv')).toBe(2);
    expect(saved).toEqual(['fanvas-payouts-1.csv']);
    await click(/Juno Abara/);
    expect(hasButton('Give up this payout...')).toBe(false);
    await click('Record as failed...');
    giveReason('AC04');
    await confirm('Record as failed');
    expect(server.count('end_payout')).toBe(2);
    expect(messages()).toEqual(['The payout to [Juno Abara] has failed.']);
    reportReverification(null);
  });

  it('gives up one payout, and holds and releases a creator with a day and a reason', async () => {
    const { server } = await open({
      end_payout: { success: true },
      hold_payouts: { success: true },
      release_payouts: { success: true },
      list_payout_run_creators: RUN_CREATORS,
    });
    await click(/Juno Abara/);
    await click('Give up this payout...');
    giveReason('Asked for.');
    await confirm('Give up the payout');
    expect(server.calls.find(({ name }) => name === 'end_payout')?.body).toEqual({
      p_payout_id: 'payout-1',
      p_end: 'cancel',
      p_reason: 'Asked for.',
    });
    await click('Hold...');
    giveReason('A dispute.');
    fireEvent.change(dialog().getByLabelText('Until, UTC'), { target: { value: '2026-12-24' } });
    await confirm('Hold the payouts');
    expect(server.calls.find(({ name }) => name === 'hold_payouts')?.body).toEqual({
      p_creator_id: 'creator-1',
      p_until: '2026-12-24',
      p_reason: 'A dispute.',
    });
    await click(/Bibi Thorne/);
    await click('Release...');
    giveReason('Solved.');
    await confirm('Release the payouts');
    expect(server.calls.find(({ name }) => name === 'release_payouts')?.body).toEqual({
      p_creator_id: 'creator-3',
      p_reason: 'Solved.',
    });
    expect(messages()).toEqual([
      'The payout to [Juno Abara] is given up.',
      'The payouts of [Juno Abara] are held.',
      'The payouts of [Bibi Thorne] are released.',
    ]);
  });

  it('shows only creators that are left out, in pages', async () => {
    const { server } = await open({ list_payout_run_creators: { ...RUN_CREATORS, next: 'creator-3' } });
    const asked = (): unknown => server.last('list_payout_run_creators');
    await click('Next');
    expect(asked()).toEqual({ p_run_id: 'run-9', p_after: 'creator-3' });
    await click('Left out');
    expect(asked()).toEqual({ p_run_id: 'run-9', p_skipped: true });
    await click('With a payout');
    expect(asked()).toEqual({ p_run_id: 'run-9', p_skipped: false });
  });

  it('says that a run is unknown, and keeps old rows when the connection breaks', async () => {
    const { server } = await open();
    server.answer({ get_payout_run: refusal(503, 'Please try again.') });
    await pass(120_000);
    expect(screen.getByText(/This is from/)).toBeTruthy();
    expect(rowOf(/Juno Abara/)).toBeTruthy();
    nextFinancePage();
    await open({ get_payout_run: refusal(404, 'There is no such payout run.') });
    expect(screen.getByText(/There is no such payout run\./)).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('takes the acts away when the role is lost', async () => {
    await open({ fix_payout_run: refusal(403, 'Finance privileges required', {}, null, { code: '42501' }) });
    await click('Fix amounts now');
    await confirm('Fix the amounts');
    await pass(50);
    expect(hasButton('Fix amounts now')).toBe(false);
    expect(rowOf(/Juno Abara/)).toBeTruthy();
  });
});
