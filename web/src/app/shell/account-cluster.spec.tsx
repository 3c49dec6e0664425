/** @jest-environment ./web/browser-environment.mjs */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { accessibilityFaults, endPage, fakeServer, pass, refusal, renderPage, startPage } from '../../../test/page.js';
import AccountCluster from './account-cluster.js';

const BALANCE = 'get_user_credit_breakdown';

describe('AccountCluster', () => {
  beforeEach(startPage);
  afterEach(endPage);

  it('[F2.21] shows an exclamation mark when the credits could not be loaded, and loads them again', async () => {
    const server = fakeServer({ [BALANCE]: refusal(403, 'No.', { 'retry-after': '600' }) });
    await renderPage(<AccountCluster />);
    const pill = screen.getByRole('button', { name: 'Error loading credits' });
    expect(pill.textContent).toBe('!');
    fireEvent.click(pill);
    await pass(10);
    expect(screen.getByRole('alert').textContent).toContain('Error loading credits');
    server.answer({ [BALANCE]: { total_balance: 40, free_credits: 40, paid_credits: 0 } });
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await pass(10);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(pill.getAttribute('aria-label')).toBe('40 credits');
  });

  it('has no accessibility faults when the credits could not be loaded', async () => {
    fakeServer({ [BALANCE]: refusal(403, 'No.') });
    await renderPage(<AccountCluster />);
    fireEvent.click(screen.getByRole('button', { name: 'Error loading credits' }));
    await pass(10);
    expect(screen.getByRole('alert')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });
});
