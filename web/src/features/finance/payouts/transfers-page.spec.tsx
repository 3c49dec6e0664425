import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { figures, openFinancePage, rowOf, onFinancePage } from '../../../../test/finance-page.js';
import { accessibilityFaults, pass, refusal, screenIs, sentence, type Answers, press } from '../../../../test/page.js';
import { bankReport, PAYOUT_ANSWERS } from '../../../../test/payouts.js';
import ReportPage from './report-page.js';
import TransfersPage from './transfers-page.js';

onFinancePage();

const REPORT = 'a'.repeat(64);
const LINE = 'F0123456789ABCDEF0123456789ABCDEF,160.50,2026-11-21,SEPA-1';
const openForm = async (answers: Answers = {}, isAdmin = true) =>
  openFinancePage(<TransfersPage />, '/finance/payouts/record', {
    answers: { ...PAYOUT_ANSWERS, ...answers },
    isAdmin,
  });
const openReport = async (answers: Answers = {}) =>
  openFinancePage(<ReportPage />, `/finance/payouts/reports/${REPORT}`, {
    answers: { ...PAYOUT_ANSWERS, ...answers },
    pattern: '/finance/payouts/reports/:reportId',
    isAdmin: true,
  });
const record = async (): Promise<void> => {
  await press('Record the transfers', 50);
};

describe('TransfersPage', () => {
  it('names the wrong line of a pasted report, and opens the outcome of a good one', async () => {
    const { server, router } = await openForm({
      record_transfers: refusal(400, 'Line 1: the reference is not one of a payout.'),
    });
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Record the transfers' }).disabled).toBe(true);
    fireEvent.change(screen.getByLabelText('Or paste it'), { target: { value: `${LINE}\n\n` } });
    expect(screen.getByText('1 line')).toBeTruthy();
    await record();
    expect(screen.getByRole('alert').textContent).toBe('Line 1: the reference is not one of a payout.');
    server.answer({ record_transfers: { report_id: REPORT, lines: 1 } });
    await record();
    expect(server.last('record_transfers')).toEqual({ p_file: `${LINE}\n\n` });
    expect(router.state.location.pathname).toBe(`/finance/payouts/reports/${REPORT}`);
  });

  it('takes a file, which can be removed again', async () => {
    const { server } = await openForm({ record_transfers: { report_id: REPORT, lines: 2 } });
    const content = `${LINE}\n${LINE}\n`;
    // jsdom cannot read files.
    const file = Object.assign(new File([content], 'bank.csv'), { text: () => Promise.resolve(content) });
    const choose = async (): Promise<void> => {
      fireEvent.change(screen.getByLabelText('Report of the bank'), { target: { files: [file] } });
      await pass(50);
    };
    await choose();
    expect(screen.getByText(/bank\.csv, 2 lines/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(screen.queryByText(/bank\.csv/)).toBeNull();
    await choose();
    await record();
    expect(server.calls.find(({ name }) => name === 'record_transfers')?.body).toEqual({
      p_file: content,
    });
  });

  it('has no fault of accessibility', async () => {
    await openForm();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('leaves the recording to admins', async () => {
    await openForm({}, false);
    expect(screen.getByText('Only admins record what the bank has paid.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Record the transfers' })).toBeNull();
  });
});

describe('ReportPage', () => {
  it('shows how far the worker is, then each refused line with the reason', async () => {
    const { server } = await openReport({
      get_bank_report: bankReport({ done: false, lines: 3, recorded: 1, refused: 0, refusals: [] }),
    });
    expect(screen.getByText('Recording: 1 of 3 lines.')).toBeTruthy();
    server.answer({ get_bank_report: bankReport() });
    await pass(1_600);
    expect(screen.getByText('1 transfer recorded, 1 line refused.')).toBeTruthy();
    expect(figures(rowOf(/^2$/))).toEqual([
      ...['The transfer is $138.00, and the payout is $139.00.', 'FFEDCBA9876543210FEDCBA9876543210', 'SEPA-2'],
      ...['21 Nov 2026', '138.00'],
    ]);
    expect(screen.getByText(sentence('Rui Okafor, 22 Nov 2026, 10:00:00 UTC'))).toBeTruthy();
    const before = server.count('get_bank_report');
    await pass(10_000);
    expect(server.count('get_bank_report')).toBe(before);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('shows the reason below the line on phones', async () => {
    screenIs(false);
    await openReport();
    expect(rowOf(/The transfer is \$138\.00/).textContent).toContain('SEPA-2');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says that no line was refused', async () => {
    await openReport({ get_bank_report: bankReport({ recorded: 2, refused: 0, refusals: [] }) });
    expect(screen.getByText('2 transfers recorded. No line was refused.')).toBeTruthy();
  });
});
