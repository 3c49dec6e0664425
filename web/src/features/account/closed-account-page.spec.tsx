import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { CLOSING_STEPS, type ClosingReceipt } from '../../../../src/contract/closing.js';
import {
  accessibilityFaults,
  asVisitor,
  fakeServer,
  pass,
  refusal,
  renderPage,
  press,
  onPage,
} from '../../../test/page.js';
import ClosedAccountPage from './closed-account-page.js';

const RECEIPT = 'get_closing_receipt';

const receipt = (status: ClosingReceipt['status'], done: number): ClosingReceipt => ({
  closure_id: '0193-closure',
  status,
  requested_by: 'person',
  choice: 'refund',
  requested_at: '2026-11-22T10:00:00.000Z',
  finished_at: status === 'finished' ? '2026-11-22T10:00:09.000Z' : null,
  steps: CLOSING_STEPS.map((step, index) => ({
    step,
    state: index < done ? 'done' : status === 'attention' ? 'retrying' : 'waiting',
    done_at: index < done ? '2026-11-22T10:00:03.000Z' : null,
    counts: step === 'content' ? [{ name: 'images', count: 12 }] : [],
  })),
});

describe('page of a closed account', () => {
  onPage(() => asVisitor());

  const open = async (answer: unknown, hash = '#t0ken') => {
    const server = fakeServer({ [RECEIPT]: answer });
    await renderPage(<ClosedAccountPage />, `/closed-account${hash}`, '/closed-account');
    return server;
  };
  const heading = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;

  it('follows the closure to its end, without a session', async () => {
    const server = await open(receipt('running', 3));
    expect(heading()).toBe('Closing your account');
    expect(screen.getAllByText('Waiting')).toHaveLength(5);
    expect(server.calls[0]?.body).toEqual({ p_receipt_token: 't0ken' });
    server.answer({ [RECEIPT]: receipt('finished', 8) });
    await pass(2_010);
    expect(heading()).toBe('Your account is closed');
    expect(screen.getAllByText('Done')).toHaveLength(8);
    expect(screen.getByText('12 images')).toBeTruthy();
    const { length } = server.calls;
    await pass(10_000);
    expect(server.calls).toHaveLength(length);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says that an operator looks at a step that keeps failing', async () => {
    await open(receipt('attention', 7));
    expect(screen.getByText('Trying again')).toBeTruthy();
    expect(screen.getByText(/name the closure 0193-closure/)).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it.each([
    ['an unknown receipt', '#wrong', refusal(404, 'There is no closed account with this receipt.')],
    ['an address without a receipt', '', receipt('finished', 8)],
  ])('says that %s shows nothing', async (_, hash, answer) => {
    await open(answer, hash);
    expect(heading()).toBe('No receipt here');
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('loads the receipt again after a failure', async () => {
    const server = await open(refusal(403, 'No.'));
    expect(screen.getByRole('alert').textContent).toContain('The account is closed all the same.');
    server.answer({ [RECEIPT]: receipt('finished', 8) });
    await press('Retry', 10);
    expect(heading()).toBe('Your account is closed');
  });
});
