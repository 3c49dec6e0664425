import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { Outlet, RouterProvider, useBlocker, useLocation, useNavigation, useRouteError } from 'react-router-dom';
import { createPageRouter, type PageRouter } from './page-router.js';

/** A page whose code loads when the test releases it. */
function slowPage(name: string) {
  let arrive: (page: { Component: React.ComponentType }) => void;
  let fail: (error: Error) => void;
  const code = new Promise<{ Component: React.ComponentType }>((resolve, reject) => {
    arrive = resolve;
    fail = reject;
  });
  return {
    lazy: () => code,
    arrive: () => act(async () => arrive({ Component: () => <h1>{name}</h1> })),
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

describe('createPageRouter', () => {
  let router: PageRouter;
  let first: ReturnType<typeof slowPage>;
  let second: ReturnType<typeof slowPage>;
  let third: ReturnType<typeof slowPage>;

  beforeEach(() => {
    window.history.replaceState(null, '', '/first');
    [first, second, third] = [slowPage('First'), slowPage('Second'), slowPage('Third')];
    router = createPageRouter([
      {
        Component: Frame,
        children: [
          {
            ErrorBoundary: Failure,
            children: [
              { path: '/first', lazy: first.lazy, HydrateFallback: () => <p>Loading...</p> },
              { path: '/second', lazy: second.lazy },
              { path: '/third', lazy: third.lazy },
              { path: '/plain', Component: () => <h1>Plain</h1> },
              { path: '/editor', Component: Editor },
              { path: '*', Component: () => <h1>Not found</h1> },
            ],
          },
        ],
      },
    ]);
  });
  afterEach(() => {
    cleanup();
    router.dispose();
    jest.restoreAllMocks();
  });

  const open = async (): Promise<void> => {
    await act(async () => render(<RouterProvider router={router} />));
  };
  const go = (to: string, options?: { replace?: boolean; state?: unknown }): Promise<void> =>
    act(async () => void router.navigate(to, options));
  const heading = (): string | null | undefined => screen.queryByRole('heading')?.textContent;

  it('shows the frame with the fallback until the code of the first page has loaded', async () => {
    await open();
    expect(screen.getByText('Loading...')).toBeTruthy();
    expect(screen.getByRole('navigation').textContent).toBe('at /first');
    await first.arrive();
    expect(heading()).toBe('First');
  });

  it('keeps page and address until the code of the next page has loaded', async () => {
    await open();
    await first.arrive();
    await go('/second', { state: { from: 'test' } });
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

  it('replaces the history entry on request, and accepts an address that is only a query', async () => {
    await open();
    await first.arrive();
    const { length } = window.history;
    await go('/plain?page=2', { replace: true });
    expect(window.history.length).toBe(length);
    await go('?page=3', { replace: true });
    expect(window.location.pathname + window.location.search).toBe('/plain?page=3');
  });

  it('draws the next page before a navigation with flushSync ends', async () => {
    await open();
    await first.arrive();
    const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
    environment.IS_REACT_ACT_ENVIRONMENT = false;
    try {
      await router.navigate('/plain', { flushSync: true });
      expect(heading()).toBe('Plain');
    } finally {
      environment.IS_REACT_ACT_ENVIRONMENT = true;
    }
  });

  it('follows the browser back and forward', async () => {
    await open();
    await first.arrive();
    await go('/plain');
    window.history.back();
    await screen.findByRole('heading', { name: 'First' });
    await act(async () => void router.navigate(1));
    await screen.findByRole('heading', { name: 'Plain' });
  });

  it('stays on this site when an address names another host', async () => {
    await open();
    await go('//evil.example/x');
    expect(window.location.origin).toBe('http://localhost');
    expect(heading()).toBe('Not found');
  });

  describe('useBlocker', () => {
    it('blocks a navigation away from unsaved work, then stays or leaves as the user chooses', async () => {
      await open();
      await go('/editor');
      await go('/plain');
      expect([screen.getByRole('status').textContent, window.location.pathname]).toEqual(['blocked', '/editor']);
      await act(async () => screen.getByText('Stay').click());
      expect([screen.getByRole('status').textContent, window.location.pathname]).toEqual(['unblocked', '/editor']);
      await go('/plain');
      await act(async () => screen.getByText('Leave').click());
      expect(heading()).toBe('Plain');
    });

    it('blocks a step back in the browser from unsaved work until the user chooses to leave', async () => {
      await open();
      await first.arrive();
      await go('/editor');
      window.history.back();
      // The browser steps back first, then the router steps forward again.
      await waitFor(() =>
        expect([screen.getByRole('status').textContent, window.location.pathname]).toEqual(['blocked', '/editor']),
      );
      await act(async () => screen.getByText('Leave').click());
      await screen.findByRole('heading', { name: 'First' });
      expect(window.location.pathname).toBe('/first');
    });
  });
});

function Editor(): React.ReactNode {
  const blocker = useBlocker(true);
  return (
    <>
      <p role="status">{blocker.state}</p>
      <button onClick={() => blocker.reset?.()}>Stay</button>
      <button onClick={() => blocker.proceed?.()}>Leave</button>
    </>
  );
}
