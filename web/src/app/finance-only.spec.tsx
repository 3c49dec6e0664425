/** @jest-environment ./web/browser-environment.mjs */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { endPage, fakeServer, pass, refusal, renderPage, startPage } from '../../test/page.js';
import { FinanceOnly } from './finance-only.js';

describe('FinanceOnly', () => {
  beforeEach(startPage);
  afterEach(endPage);

  const open = async (roles: unknown): Promise<void> => {
    fakeServer({ get_own_roles_by_jwt: roles });
    await renderPage(<FinanceOnly />, '/finance');
    await pass(60_000);
  };

  it.each([
    ['a finance person', ['finance']],
    ['an admin', ['admin']],
  ])('stays on the page for %s', async (_, roles) => {
    await open(roles);
    expect(screen.queryByTestId('path')).toBeNull();
  });

  it.each([
    ['for a fan', []],
    ['for an auditor', ['auditor']],
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
