import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { fakeServer, lost, pass, refusal, renderPage, onPage } from '../../test/page.js';
import { AdminOnly } from './admin-only.js';
import { AuditorOnly, FinanceOnly } from './own-role-only.js';

describe.each([
  { name: 'AdminOnly', Guard: AdminOnly, admitted: ['admin'], refused: ['creator'] },
  { name: 'AuditorOnly', Guard: AuditorOnly, admitted: ['auditor'], refused: ['admin', 'finance', 'creator'] },
  { name: 'FinanceOnly', Guard: FinanceOnly, admitted: ['finance', 'admin'], refused: ['auditor', 'creator'] },
])('$name', ({ name, Guard, admitted, refused }) => {
  onPage();

  const answerFor = (...roles: string[]): unknown => (name === 'AdminOnly' ? roles.includes('admin') : roles);
  const open = async (answer: unknown): Promise<void> => {
    // Each guard asks one of them.
    fakeServer({ check_admin_by_jwt: answer, get_own_roles_by_jwt: answer });
    await renderPage(<Guard />, '/area');
    await pass(60_000);
  };

  it.each(admitted)('stays on the page for the role %s', async (role) => {
    await open(answerFor('creator', role));
    expect(screen.queryByTestId('path')).toBeNull();
  });

  it.each(refused)('goes to the home page for the role %s', async (role) => {
    await open(answerFor(role));
    expect(screen.getByTestId('path').textContent).toBe('/');
  });

  it.each([
    ['for a fan', answerFor()],
    ['when the role cannot be read', lost],
  ])('goes to the home page %s', async (_, answer) => {
    await open(answer);
    expect(screen.getByTestId('path').textContent).toBe('/');
  });

  it('[C8.19] offers another try when the check was refused by the rate limit', async () => {
    await open(refusal(429, 'Rate limit exceeded. Please try again in a moment.'));
    expect(screen.queryByTestId('path')).toBeNull();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});
