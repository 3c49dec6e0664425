import { describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { createMemoryRouter, matchRoutes, useLocation } from 'react-router-dom';
import { asVisitor, fakeServer, never, pass, onPage, renderRoutes } from '../../test/page.js';
import { ADMIN_PAGES } from '../features/admin/shell/menu.js';
import { AUDIT_PAGES } from '../features/audit/shell/menu.js';
import { FINANCE_PAGES } from '../features/finance/shell/menu.js';
import { PAGE_PATHS } from '../../../src/contract/paths.js';
import { AdminOnly } from './admin-only.js';
import { adminPages } from './admin-pages.js';
import { auditPages } from './audit-pages.js';
import { financePages } from './finance-pages.js';
import { AuditorOnly, FinanceOnly } from './own-role-only.js';
import type { PageCode } from './page-code.js';
import { pages } from './pages.js';
import { routes, toAreaRoute } from './routes.js';

function Elsewhere(): React.ReactNode {
  const location = useLocation();
  return <p data-testid="elsewhere">{`${location.pathname} ${JSON.stringify(location.state)}`}</p>;
}

function Path(): React.ReactNode {
  return <h1>{useLocation().pathname}</h1>;
}

describe('pages', () => {
  it('lists the paths for which the server answers 200', () => {
    expect(pages.map(({ path }) => path)).toEqual(PAGE_PATHS);
  });

  it('guards each area with its role', () => {
    const guards: unknown[] = [AdminOnly, AuditorOnly, FinanceOnly];
    const guardOf = (address: string) =>
      (matchRoutes(routes, address) ?? []).map(({ route }) => route.Component).find((each) => guards.includes(each));
    expect(['/admin', '/admin/reports'].map(guardOf)).toEqual([AdminOnly, AdminOnly]);
    expect(['/audit', '/audit/seals'].map(guardOf)).toEqual([AuditorOnly, AuditorOnly]);
    expect(['/finance', '/finance/balance'].map(guardOf)).toEqual([FinanceOnly, FinanceOnly]);
    expect(['/audit/verify', '/creator', '/credits'].map(guardOf)).toEqual([undefined, undefined, undefined]);
  });
});

describe('places', () => {
  it.each([
    ['admin', ADMIN_PAGES, adminPages],
    ['audit', AUDIT_PAGES, auditPages],
    ['finance', FINANCE_PAGES, financePages],
  ])('links only to pages of the %s area', (_, places, areaPages) => {
    const paths = areaPages.map(({ path }) => path);
    expect(places.map(({ path }) => path).filter((path) => !paths.includes(path))).toEqual([]);
  });
});

describe('toAreaRoute', () => {
  onPage();

  const open = async () => {
    const load = jest.fn(() => Promise.resolve({ default: () => <h1>Admin area</h1> }));
    const route = toAreaRoute({ path: '/admin/*', load, access: 'admin' });
    const router = createMemoryRouter([route, { path: '*', Component: Elsewhere }], {
      initialEntries: ['/admin/reports?open=1'],
    });
    renderRoutes(router);
    await pass(60_000);
    return load;
  };
  const elsewhere = (): string | null => screen.getByTestId('elsewhere').textContent;

  it('requests the code of the area for an admin', async () => {
    fakeServer({ check_admin_by_jwt: true });
    const load = await open();
    expect(load).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('heading').textContent).toBe('Admin area');
  });

  it('[C2.32] sends a fan to the home page without a request for the code', async () => {
    fakeServer({ check_admin_by_jwt: false });
    const load = await open();
    expect(elsewhere()).toBe('/ null');
    expect(load).not.toHaveBeenCalled();
  });

  it('[C2.32] sends a visitor to the sign-in, with the address to return to, without a request for the code', async () => {
    asVisitor();
    fakeServer({});
    const load = await open();
    expect(elsewhere()).toContain('/sign-in {"returnTo":"/admin/reports?open=1"');
    expect(load).not.toHaveBeenCalled();
  });

  it('keeps the page of the area until the code of the next one is there', async () => {
    fakeServer({ check_admin_by_jwt: true });
    let arrive = (): void => undefined;
    let isThere = true;
    const code: PageCode = { isThere: () => isThere, load: () => new Promise<void>((resolve) => (arrive = resolve)) };
    const load = () => Promise.resolve({ default: Path, code });
    const router = createMemoryRouter([toAreaRoute({ path: '/admin/*', load, access: 'admin' })], {
      initialEntries: ['/admin'],
    });
    renderRoutes(router);
    await pass(60_000);
    isThere = false;
    void router.navigate('/admin/users');
    await pass(0);
    expect(screen.getByRole('heading').textContent).toBe('/admin');
    arrive();
    await pass(0);
    expect(screen.getByRole('heading').textContent).toBe('/admin/users');
  });

  it('requests no code while the server has not answered', async () => {
    fakeServer({ check_admin_by_jwt: never });
    expect(await open()).not.toHaveBeenCalled();
  });
});
