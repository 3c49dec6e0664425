import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import {
  createBrowserRouter,
  Outlet,
  RouterProvider,
  useLocation,
  useNavigation,
  useRouteError,
} from 'react-router-dom';
import { type PageRouter, whenInitialized, withCode } from './page-code.js';

/** A page whose code loads when the test releases it. */
function slowPage(name: string) {
  let arrive: () => void;
  let fail: (error: Error) => void;
  let isThere = false;
  const code = new Promise<void>((resolve, reject) => {
    arrive = resolve;
    fail = reject;
  }).then(() => {
    isThere = true;
  });
  const route = { path: `/${name.toLowerCase()}`, Component: () => isThere && <h1>{name}</h1> };
  return {
    route: withCode(route, { isThere: () => isThere, load: () => code }),
    arrive: () => act(async () => arrive()),
    fail: (error: Error) => act(async () => fail(error)),
  };
}

function Frame(): React.ReactNode {
  const { state, location } = useNavigation();
  const { pathname } = useLocation();
  return (
    <>
      <nav>{state === 'loading' ? `loading ${location.pathname}` : `at ${pathname}`}</nav>
      <Outlet />
    </>
  );
}

function Failure(): React.ReactNode {
  return <p role="alert">{(useRouteError() as Error).message}</p>;
}

describe('withCode', () => {
  let router: PageRouter;
  let first: ReturnType<typeof slowPage>;
  let second: ReturnType<typeof slowPage>;
  let third: ReturnType<typeof slowPage>;

  beforeEach(() => {
    window.history.replaceState(null, '', '/first');
    first = slowPage('First');
    second = slowPage('Second');
    third = slowPage('Third');
    const pages = [first.route, second.route, third.route];
    const others = [
      { path: '/plain', Component: () => <h1>Plain</h1> },
      { path: '*', Component: () => <h1>Not found</h1> },
    ];
    router = createBrowserRouter([
      { Component: Frame, children: [{ ErrorBoundary: Failure, children: [...pages, ...others] }] },
    ]);
  });
  afterEach(() => {
    cleanup();
    router.dispose();
  });

  const open = (): Promise<void> => act(async () => void render(<RouterProvider router={router} />));
  const go = (to: string, state?: unknown): Promise<void> => act(async () => void router.navigate(to, { state }));
  const heading = (): string | null | undefined => screen.queryByRole('heading')?.textContent;

  it('shows the frame with the fallback until the code of the first page has loaded', async () => {
    await open();
    expect([screen.getByRole('navigation').textContent, heading()]).toEqual(['at /first', undefined]);
    await first.arrive();
    await whenInitialized(router);
    expect(heading()).toBe('First');
  });

  it('keeps page and address until the code of the next page has loaded', async () => {
    await open();
    await first.arrive();
    await go('/second', { from: 'test' });
    expect([heading(), window.location.pathname]).toEqual(['First', '/first']);
    expect(screen.getByRole('navigation').textContent).toBe('loading /second');
    await second.arrive();
    expect([heading(), window.location.pathname]).toEqual(['Second', '/second']);
    expect(router.state.location.state).toEqual({ from: 'test' });
  });

  it('ends at the newest of several navigations', async () => {
    await open();
    await first.arrive();
    await go('/second');
    await go('/third');
    await third.arrive();
    await second.arrive();
    expect([heading(), window.location.pathname]).toEqual(['Third', '/third']);
  });

  it('shows the nearest error boundary, at the new address, when the code of a page cannot be loaded', async () => {
    await open();
    await first.arrive();
    await go('/second');
    await second.fail(new Error('no such chunk'));
    expect(screen.getByRole('alert').textContent).toBe('no such chunk');
    expect(screen.getByRole('navigation').textContent).toBe('at /second');
    await go('/plain');
    expect(heading()).toBe('Plain');
  });

  it('asks for no code again when only the query of a page changes', async () => {
    await open();
    await first.arrive();
    const states: string[] = [];
    router.subscribe(({ navigation }) => void states.push(navigation.state));
    await go('/first?page=2');
    expect([new Set(states), window.location.search]).toEqual([new Set(['idle']), '?page=2']);
  });

  it('refuses an address that names another host', async () => {
    await open();
    await first.arrive();
    await expect(router.navigate('//evil.example/x')).rejects.toThrow('External navigation is not allowed');
    expect([window.location.href, heading()]).toEqual(['http://localhost/first', 'First']);
  });
});
