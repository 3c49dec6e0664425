import { describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import {
  accessibilityFaults,
  fakeServer,
  never,
  OWN_CREATOR,
  pass,
  refusal,
  renderPage,
  type Answers,
  onPage,
  textsOf,
} from '../../../test/page.js';
import Page from './admin-creator-view-page.js';

const VIEW = 'view_creator_admin';

async function open(answers: Answers) {
  const server = fakeServer({ [VIEW]: { ...OWN_CREATOR, profile: null }, ...answers });
  await renderPage(<Page />, '/admin/revenue-management/c1', '/admin/revenue-management/:creatorId');
  await pass(0);
  return server;
}

describe("the admins' view of a creator's dashboard", () => {
  onPage(() => jest.spyOn(console, 'warn').mockReturnValue(undefined));

  it('[C2.58] [C2.59] frames the dashboard, without its welcome and without the tab that acts', async () => {
    const { count } = await open({});
    const crumbs = screen.getByRole('navigation', { name: 'Breadcrumb' });
    expect(crumbs.textContent).toBe('Admin›Revenue Management›Juno Abara');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe("Viewing Juno Abara's creator dashboard");
    for (const text of ['Active Creator', 'junoabara', '@junoabara', 'fanvas/juno-abara-geometric-v2', 'c1']) {
      expect(screen.getByText(text, { ignore: 'footer *' })).toBeTruthy();
    }
    expect(screen.queryByText(/Welcome back/)).toBeNull();
    expect(textsOf(screen.getAllByRole('tab'))).toEqual(['Revenue', 'Test Model', 'Profile']);
    expect(count(VIEW)).toBe(1);
  });

  it('[C2.59] shows N/A where the creator has no handle and no model', async () => {
    await open({ [VIEW]: { ...OWN_CREATOR, profile: null, instagram: '', deployment_name: null } });
    expect(screen.getAllByText('N/A')).toHaveLength(2);
  });

  it('[C2.60] says that it loads', async () => {
    await open({ [VIEW]: never });
    expect(screen.getByRole('status').textContent).toBe('Loading creator dashboard...');
  });

  it.each([
    [409, 'Creator "Juno Abara" is not active (status: pending)'],
    [404, 'Creator not found or access denied'],
  ])('[C2.60] [C4.23] says why a dashboard cannot be shown after %s, with both ways on', async (status, message) => {
    await open({ [VIEW]: refusal(status, message) });
    expect(screen.queryByText('Loading creator dashboard...')).toBeNull();
    expect(screen.getByRole('alert').textContent).toContain('Unable to Load Creator Dashboard');
    expect(screen.getByRole('alert').textContent).toContain(message);
    expect(screen.getByRole('button', { name: 'Try Again' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to Creator List' }).getAttribute('href')).toBe(
      '/admin/revenue-management',
    );
    expect(await accessibilityFaults()).toEqual([]);
  });
});
