import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { endPage, messages, pass, startPage } from '../../test/page.js';
import { shownToasts } from '../components/toast.js';
import { areaCode } from './area-routes.js';
import { keepsPages } from './missing-code.js';
import { type PageCode, type PageRouter, setKeepsPage, withCode } from './page-code.js';

const AWAY = 'This page could not be opened: our server does not answer.';
const loadDocument = jest.fn();
let router: PageRouter;
/** Whether the server answers, and has the code of the pages. */
let server: { answers: boolean; hasCode: boolean };

const code = async <Page,>(page: Page): Promise<Page> => {
  if (server.answers && server.hasCode) return page;
  throw new TypeError('Failed to fetch dynamically imported module: /assets/second.js');
};
const Second = (): React.ReactNode => <h1>Second</h1>;
/** An area whose own code is there. */
const codeOfArea = (): PageCode =>
  areaCode([
    { path: '/area', load: () => Promise.resolve({ default: Second }) },
    { path: '/area/:id', load: () => code({ default: Second }) },
  ]);

beforeEach(async () => {
  startPage();
  loadDocument.mockClear();
  server = { answers: false, hasCode: true };
  globalThis.fetch = () =>
    server.answers ? Promise.resolve({ ok: true } as Response) : Promise.reject(new TypeError('Failed to fetch'));
  window.history.replaceState(null, '', '/first');
  const codeOfSecond: PageCode = { isThere: () => false, load: () => code(Second) };
  router = createBrowserRouter([
    { path: '/first', element: <input aria-label="Note" /> },
    withCode({ path: '/second', Component: Second }, codeOfSecond),
    { path: '/third', element: <h1>Third</h1> },
    withCode({ path: '/area/*', element: <Second /> }, codeOfArea()),
  ]);
  setKeepsPage(keepsPages(router, loadDocument));
  await act(async () => render(<RouterProvider router={router} />));
});
afterEach(() => {
  setKeepsPage(null);
  endPage();
  router.dispose();
});

const go = async (to: string | number): Promise<void> => {
  await act(async () => void router.navigate(to as string));
  await pass(0);
};
const note = (): HTMLInputElement => screen.getByRole('textbox', { name: 'Note' });
const press = (label: string): Promise<void> =>
  act(async () =>
    shownToasts()
      .find(({ action }) => action?.label === label)!
      .action!.onClick(),
  );

it.each(['/second', '/area/1'])('keeps the page and its text while the server is away, then opens %s', async (to) => {
  note().value = 'typed before';
  await go(to);
  await pass(60_000);
  expect([note().value, window.location.pathname, messages()]).toEqual(['typed before', '/first', [AWAY]]);
  server.answers = true;
  await pass(3_000);
  expect(screen.getByRole('heading').textContent).toBe('Second');
  expect([window.location.pathname, messages()]).toEqual([to, []]);
  expect(loadDocument).not.toHaveBeenCalled();
});

it('opens the page at a press, once the server is back', async () => {
  await go('/second');
  await press('Try again');
  await pass(0);
  expect([note().isConnected, messages()]).toEqual([true, [AWAY]]);
  server.answers = true;
  await press('Try again');
  await pass(0);
  expect(screen.getByRole('heading').textContent).toBe('Second');
});

it('asks before it leaves a page on which the person has typed meanwhile', async () => {
  await go('/second');
  fireEvent.input(note(), { target: { value: 'typed since' } });
  server.answers = true;
  await pass(60_000);
  expect([note().value, messages()]).toEqual(['typed since', [AWAY, 'Our server is back.']]);
  await press('Open the page');
  await pass(0);
  expect([screen.getByRole('heading').textContent, messages()]).toEqual(['Second', []]);
});

it('forgets the page that could not be opened when the person goes elsewhere', async () => {
  await go('/second');
  await go('/third');
  server.answers = true;
  await pass(60_000);
  expect([screen.getByRole('heading').textContent, messages()]).toEqual(['Third', []]);
});

it('steps forward again after a step back to a page without code, and back once the server has it', async () => {
  server.answers = true;
  await go('/third');
  server.answers = false;
  const { idx } = window.history.state as { readonly idx: number };
  // jsdom takes steps in real time.
  const step = jest.spyOn(window.history, 'go').mockImplementation((by) => {
    const at = (window.history.state as { readonly idx: number }).idx + (by ?? 0);
    window.history.replaceState({ idx: at }, '', at === idx ? '/third' : '/second');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await act(async () => window.history.go(-1));
  await pass(0);
  const seen = (): unknown[] => [screen.getByRole('heading').textContent, window.location.pathname, messages()];
  expect(seen()).toEqual(['Third', '/third', [AWAY]]);
  server.answers = true;
  await pass(3_000);
  expect(seen()).toEqual(['Second', '/second', []]);
  expect(step.mock.calls).toEqual([[-1], [1], [-1]]);
  step.mockRestore();
});

it('ends the navigation although the page stays, since acts wait for it', async () => {
  await act(() => router.navigate('/second'));
  expect([router.state.navigation.state, messages()]).toEqual(['idle', [AWAY]]);
});

it('asks before it leaves work that is unsaved meanwhile', async () => {
  await go('/second');
  const block = jest.fn(() => true);
  router.getBlocker('work', block);
  server.answers = true;
  await pass(60_000);
  expect([block.mock.calls.length, window.location.pathname]).toEqual([1, '/first']);
});

it('loads the page as a document when the server answers and has another build', async () => {
  Object.assign(server, { answers: true, hasCode: false });
  await go('/second#terms');
  await pass(1_000);
  expect(loadDocument.mock.calls).toEqual([['/second#terms']]);
  await go('/second#terms');
  await pass(0);
  // A broken build does not loop.
  expect([loadDocument.mock.calls.length, messages()]).toEqual([1, ['This page could not be opened.']]);
  await go('/third');
  expect(messages()).toEqual([]);
});
