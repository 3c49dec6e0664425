import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { fakeServer, pass, refusal, renderPage, onPage } from '../../test/page.js';
import { AuditorOnly, FinanceOnly } from './own-role-only.js';

describe.each([
  { name: 'AuditorOnly', Guard: AuditorOnly, admitted: ['auditor'], refused: ['admin', 'finance', 'creator'] },
  { name: 'FinanceOnly', Guard: FinanceOnly, admitted: ['finance', 'admin'], refused: ['auditor', 'creator'] },
])('$name', ({ Guard, admitted, refused }) => {
  onPage();

  const open = async (roles: unknown): Promise<void> => {
    fakeServer({ get_own_roles_by_jwt: roles });
    await renderPage(<Guard />, '/area');
    await pass(60_000);
  };

  it.each(admitted)('stays on the page for the role %s', async (role) => {
    await open(['creator', role]);
    expect(screen.queryByTestId('path')).toBeNull();
  });

  it.each(refused)('goes to the home page for the role %s', async (role) => {
    await open([role]);
    expect(screen.getByTestId('path').textContent).toBe('/');
  });

  it.each([
    ['for a fan', []],
    ['when the roles cannot be read', () => Promise.reject(new TypeError('no network'))],
  ])('goes to the home page %s', async (_, roles) => {
    await open(roles);
    expect(screen.getByTestId('path').textContent).toBe('/');
  });

  it('offers another try when the check was refused by the rate limit', async () => {
    await open(refusal(429, 'Rate limit exceeded. Please try again in a moment.'));
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});
