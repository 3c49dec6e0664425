import { describe, expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { createMemoryRouter, matchRoutes, RouterProvider } from 'react-router-dom';
import { doubtSession } from '../lib/auth.js';
import { asFan, asVisitor, pass, onPage } from '../../test/page.js';
import { routes } from './routes.js';
import { SignedInOnly } from './signed-in-only.js';

const PRIVATE = [
  '/credits',
  '/purchase-credits',
  '/my-creations?page=2',
  '/payment-success?session_id=cs_test_1',
  '/payment-canceled?reason=payment_failed&status=unpaid',
  '/creator/terms-acceptance',
  '/admin/reports',
  '/audit/seals',
  '/finance/balance',
  '/junoabara/generate',
  '/generation/0190c1de-0000-7000-8000-000000000000',
];
const PUBLIC = [
  ...['/', '/faq', '/sign-in', '/creator', '/audit/verify', '/junoabara'],
  '/junoabara/generate/0190c1de-0000-7000-8000-000000000000',
];

const isPrivate = (address: string): boolean =>
  matchRoutes(routes, address)?.some(({ route }) => route.Component === SignedInOnly) ?? false;

describe('SignedInOnly', () => {
  onPage();

  it('[F2.11, F2.13, C2.02] guards the private pages and no public page', () => {
    expect([...PRIVATE, ...PUBLIC].filter(isPrivate)).toEqual(PRIVATE);
  });

  const open = async (address: string) => {
    const router = createMemoryRouter(
      [
        { Component: SignedInOnly, children: [{ path: '*', element: <h1>Private</h1> }] },
        { path: '/sign-in', element: <h1>Sign in</h1> },
      ],
      {
        initialEntries: [{ pathname: address.split('?')[0]!, search: address.replace(/^[^?]*/, ''), state: { a: 1 } }],
      },
    );
    await act(async () => render(<RouterProvider router={router} />));
    return router.state.location;
  };

  it.each(PRIVATE)(
    '[F2.13, C2.30] redirects a visitor from %s to the sign-in page, with the address and state to return to',
    async (address) => {
      asVisitor();
      expect(await open(address)).toMatchObject({
        pathname: '/sign-in',
        state: { returnTo: address, previousState: { a: 1 } },
      });
    },
  );

  it('does not redirect while another page is on its way when the session ends', async () => {
    let arrive = (): void => undefined;
    const code = new Promise<void>((resolve) => (arrive = resolve));
    const lazy = async () => {
      await code;
      return { element: <h1>Receipt</h1> };
    };
    const router = createMemoryRouter(
      [
        { Component: SignedInOnly, children: [{ path: '/account', element: <h1>Private</h1> }] },
        { path: '/closed-account', lazy },
        { path: '/sign-in', element: <h1>Sign in</h1> },
      ],
      { initialEntries: ['/account'] },
    );
    await act(async () => render(<RouterProvider router={router} />));
    let going: Promise<void> = Promise.resolve();
    act(() => {
      going = router.navigate('/closed-account', { replace: true });
    });
    asVisitor();
    await act(async () => {
      arrive();
      await going;
    });
    expect(screen.getByRole('heading').textContent).toBe('Receipt');
  });

  it('says that sign-in is still loading, and opens the page by itself even after a minute', async () => {
    act(doubtSession);
    expect(await open('/my-creations')).toMatchObject({ pathname: '/my-creations' });
    const said = () => screen.getByRole('status').textContent;
    expect(said()).toBe('');
    await pass(3_000);
    expect(said()).toMatch(/^Sign-in is still loading\./);
    await pass(60_000);
    expect(said()).toMatch(/^Sign-in is still loading\./);
    asFan();
    expect(screen.getByRole('heading').textContent).toBe('Private');
  });

  it('shows the page to a fan', async () => {
    await open('/credits');
    expect(screen.getByRole('heading').textContent).toBe('Private');
  });
});
