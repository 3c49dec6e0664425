import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import {
  accessibilityFaults,
  asVisitor,
  fakeServer,
  pass,
  refusal,
  renderPage,
  click,
  onPage,
  textsOf,
} from '../../../test/page.js';
import { checkCreator } from '../../features/identity/api/check-creator.js';
import AccountCluster from './account-cluster.js';
import MobileMenu from './mobile-menu.js';
import { useOtherAreas } from './use-other-areas.js';

const BALANCE = 'get_user_credit_breakdown';
const FAN_ITEMS = ['My Creations', 'Credits', 'Account', 'FAQ', 'Earn with your likeness', 'Sign Out'];

describe('AccountCluster', () => {
  onPage();

  it('[F2.21] shows an exclamation mark when the credits could not be loaded, and loads them again', async () => {
    const server = fakeServer({ [BALANCE]: refusal(403, 'No.', { 'retry-after': '600' }) });
    await renderPage(<AccountCluster />);
    const pill = screen.getByRole('button', { name: 'Error loading credits' });
    expect(pill.textContent).toBe('!');
    await click(pill, 10);
    expect(screen.getByRole('alert').textContent).toContain('Error loading credits');
    server.answer({ [BALANCE]: { total_balance: 40, free_credits: 40, paid_credits: 0 } });
    await click(screen.getByRole('button', { name: 'Refresh' }), 10);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(pill.getAttribute('aria-label')).toBe('40 credits');
  });

  it('[F2.18] shows free and purchased credits, and links to transactions and purchase', async () => {
    fakeServer({ [BALANCE]: { total_balance: 290, free_credits: 40, paid_credits: 250 } });
    await renderPage(<AccountCluster />);
    await click(screen.getByRole('button', { name: '290 credits' }), 10);
    const sheet = within(screen.getByRole('dialog', { name: 'Credits' }));
    expect(
      sheet.getAllByRole('term').map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`),
    ).toEqual(['Free Credits 40', 'Purchased Credits 250']);
    expect(sheet.getAllByRole('link').map((link) => `${link.textContent} ${link.getAttribute('href')}`)).toEqual([
      'View Transactions /credits',
      'Purchase Credits /purchase-credits',
    ]);
  });

  it('asks for the balance, the roles and the creator record in one call', async () => {
    const credits = { total_balance: 290, free_credits: 40, paid_credits: 250 };
    const server = fakeServer({ get_frame: { roles: ['finance'], is_creator: true, credits } });
    await renderPage(<AccountCluster />);
    await pass(10);
    fireEvent.keyDown(screen.getByRole('button', { name: /^Account of/ }), { key: 'Enter' });
    await pass(10);
    const items = textsOf(screen.getAllByRole('menuitem'));
    expect(items).toEqual(expect.arrayContaining(['Finance', 'Creator Dashboard']));
    expect(screen.getByText('290')).toBeTruthy();
    expect(server.calls).toEqual([{ name: 'get_frame', body: {} }]);
  });

  it('shows when the next daily credits come', async () => {
    jest.setSystemTime(new Date('2026-11-30T20:30:00Z'));
    const balances = { total_balance: 40, free_credits: 40, paid_credits: 0 };
    fakeServer({ [BALANCE]: { ...balances, daily_credits_last_granted: '2026-11-30' } });
    await renderPage(<AccountCluster />);
    await click(screen.getByRole('button', { name: '40 credits' }), 10);
    expect(screen.getByText('Next daily credits').nextElementSibling?.textContent).toMatch(
      /^(today|tomorrow) at \d\d:\d\d$/,
    );
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('has no accessibility faults when the credits could not be loaded', async () => {
    fakeServer({ [BALANCE]: refusal(403, 'No.') });
    await renderPage(<AccountCluster />);
    await click(screen.getByRole('button', { name: 'Error loading credits' }), 10);
    expect(screen.getByRole('alert')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[F2.19] has the avatar menu of a fan, by keyboard', async () => {
    fakeServer({ creators: [] });
    await renderPage(<AccountCluster />);
    fireEvent.keyDown(screen.getByRole('button', { name: /^Account of/ }), { key: 'Enter' });
    await pass(10);
    const focused = (): string | null | undefined => document.activeElement?.textContent;
    const press = (key: string): void => void fireEvent.keyDown(document.activeElement!, { key });
    expect(textsOf(screen.getAllByRole('menuitem'))).toEqual(FAN_ITEMS);
    press('End');
    await pass(10);
    expect(focused()).toBe('Sign Out');
    press('ArrowUp');
    await pass(10);
    expect(focused()).toBe('Earn with your likeness');
  });

  it('[F2.20] has the same items and Home in the slide-out menu of a phone', async () => {
    fakeServer({ creators: [] });
    await renderPage(<MobileMenu open onOpenChange={() => undefined} />);
    await pass(10);
    expect(textsOf(screen.getAllByRole('listitem'))).toEqual(['Home', ...FAN_ITEMS]);
    expect(screen.getByText('Ada Fan').getAttribute('translate')).toBe('no');
    expect(screen.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/');
  });

  it('shows visitors the way to the creator portal in the slide-out menu', async () => {
    asVisitor();
    await renderPage(<MobileMenu open onOpenChange={() => undefined} />);
    expect(screen.getAllByRole('link').map((link) => `${link.textContent} ${link.getAttribute('href')}`)).toEqual([
      'Home /',
      'FAQ /faq',
      'Earn with your likeness /creator',
      'Sign in /sign-in',
    ]);
  });

  describe('the dashboards in the menu', () => {
    const openMenu = async (): Promise<string[]> => {
      await renderPage(<AccountCluster />);
      await pass(10);
      fireEvent.keyDown(screen.getByRole('button', { name: /^Account of/ }), { key: 'Enter' });
      await pass(10);
      return textsOf(screen.getAllByRole('menuitem'));
    };
    const ITEM = 'Creator Dashboard';

    it('[F2.19, C6.05] shows creators the way to their dashboard', async () => {
      const server = fakeServer({ creators: [{ id: 'creator-1' }] });
      const items = await openMenu();
      expect(items).toContain(ITEM);
      expect(items).not.toContain('Earn with your likeness');
      expect(server.count('creators')).toBe(1);
    });

    it('links for an admin to the other areas of the roles only', async () => {
      const Areas = (): React.ReactNode => useOtherAreas('/admin').map(({ label }) => <p key={label}>{label}</p>);
      fakeServer({ get_frame: { roles: ['admin'], is_creator: false } });
      await renderPage(<Areas />);
      await pass(10);
      expect(textsOf(document.querySelectorAll('p'))).toEqual(['Fanvas', 'Finance']);
    });

    it('[F2.19, C6.05] shows it to no fan', async () => {
      fakeServer({ creators: [] });
      expect(await openMenu()).not.toContain(ITEM);
    });

    it('[C8.10] leaves it out when the check fails', async () => {
      fakeServer({ creators: refusal(500, 'No.', { 'retry-after': '600' }) });
      expect(await openMenu()).not.toContain(ITEM);
    });

    it('[C5.05] refuses to check a person without an id', async () => {
      await expect(checkCreator('')).rejects.toThrow('Clerk ID is required');
    });
  });
});
