import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { fakeServer, pass, refusal, renderPage, onPage } from '../../test/page.js';
import { AdminOnly } from './admin-only.js';

describe('AdminOnly', () => {
  onPage();

  const open = async (admin: unknown): Promise<void> => {
    fakeServer({ check_admin_by_jwt: admin });
    await renderPage(<AdminOnly />, '/admin');
    await pass(60_000);
  };

  it('stays on the page for an admin', async () => {
    await open(true);
    expect(screen.queryByTestId('path')).toBeNull();
  });

  it.each([
    ['for a fan', false],
    ['when the role cannot be read', () => Promise.reject(new TypeError('no network'))],
  ])('goes to the home page %s', async (_, admin) => {
    await open(admin);
    expect(screen.getByTestId('path').textContent).toBe('/');
  });

  it('[C8.19] offers another try when the check was refused by the rate limit', async () => {
    await open(refusal(429, 'Rate limit exceeded. Please try again in a moment.'));
    expect(screen.queryByTestId('path')).toBeNull();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});
