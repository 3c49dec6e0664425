import { afterEach, beforeEach, jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import axe from 'axe-core';
import { createMemoryRouter, parsePath, RouterProvider, useLocation } from 'react-router-dom';
import { dismissToast, shownToasts } from '../src/components/toast.js';
import { reportSession, type ViewerUser } from '../src/lib/auth.js';
import { forgetFrame } from '../src/lib/frame.js';
import { reloadAfterRefusals } from '../src/lib/limited.js';
import { queryClient } from '../src/lib/query.js';
import { FAN } from './rows.js';
import { noteNames } from './translated-page.js';

export { CREATOR, GALLERY_ITEM, generation, OWN_CREATOR, PICTURE } from './rows.js';

export interface Call {
  readonly name: string;
  readonly body: unknown;
}

/** Answers of the fake server by the name of the call; a function gets the body of the request. */
export type Answers = Record<string, unknown>;

class Refusal {
  constructor(
    readonly status: number,
    readonly message: string,
    readonly headers: Readonly<Record<string, string>>,
    readonly details: string | null,
    /** More fields of the answer. */
    readonly fields: object = {},
  ) {}
}

/** An answer with an error status, in the server's format. */
export const refusal = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  details: string | null = null,
  fields: { readonly code?: string } = {},
): Refusal => new Refusal(status, message, headers, details, fields);
/** The refusal of a call because the last verification is too old. */
export const verificationDemand = (): Refusal =>
  new Refusal(403, 'Please verify your identity again to continue.', {}, null, {
    code: '42501',
    clerk_error: {
      type: 'forbidden',
      reason: 'reverification-error',
      metadata: { reverification: { level: 'second_factor', afterMinutes: 60 } },
    },
  });
// A timer of five minutes would keep each query that no page shows any more, and with it the process.
const { queries, mutations } = queryClient.getDefaultOptions();
queryClient.setDefaultOptions({
  queries: { ...queries, gcTime: Infinity },
  mutations: { ...mutations, gcTime: Infinity },
});

/** A request that stays open. */
export const never = (): Promise<never> => new Promise(() => undefined);
/** A request whose connection breaks. */
export const lost = (): Promise<never> => Promise.reject(new TypeError('no network'));

export interface FakeServer {
  /** The calls so far, oldest first. */
  readonly calls: Call[];
  /** How often a call was made. */
  readonly count: (name: string) => number;
  /** The bodies of the requests of a call, oldest first. */
  readonly bodies: (name: string) => unknown[];
  /** The body of its last request. */
  readonly last: (name: string) => unknown;
  /** Changes what is answered from now on. */
  readonly answer: (answers: Answers) => void;
}

/** Answers every request of the page by the name of its call; an unknown call gets a 404. Uses fake timers. */
export function fakeServer(initial: Answers): FakeServer {
  const answers = { ...initial };
  const calls: Call[] = [];
  globalThis.fetch = async (input, init) => {
    const name = new URL(input as string, window.location.origin).pathname.split('/').at(-1) ?? '';
    // The live stream is the only request without a body; the pages then poll.
    const body: unknown = init?.body === undefined ? null : JSON.parse(init.body as string);
    calls.push({ name, body });
    const answer = name in answers ? answers[name] : refusal(404, `No call ${name}`);
    const value: unknown = typeof answer === 'function' ? await (answer as (body: unknown) => unknown)(body) : answer;
    const refused = value instanceof Refusal ? value : null;
    const text = JSON.stringify(
      refused ? { code: 'P0001', message: refused.message, details: refused.details, ...refused.fields } : value,
    );
    const response = {
      ok: refused === null,
      status: refused?.status ?? 200,
      headers: new Headers(refused?.headers),
      text: () => Promise.resolve(text),
      blob: () => Promise.resolve(new Blob([text])),
    };
    return response as Response;
  };
  const bodies = (name: string): unknown[] => calls.filter((call) => call.name === name).map(({ body }) => body);
  return {
    calls,
    bodies,
    count: (name) => bodies(name).length,
    last: (name) => bodies(name).at(-1),
    answer: (more) => void Object.assign(answers, more),
  };
}

/** Gives each test a page, which `more` makes ready. What the test spies on, it does not spy on for the next. */
export function onPage(more: () => unknown = () => undefined): void {
  beforeEach(async () => {
    startPage();
    await more();
  });
  afterEach(() => {
    endPage();
    jest.restoreAllMocks();
  });
}

/** Ends the page of a test, and starts another. */
export function nextPage(): void {
  endPage();
  startPage();
}

/** When each test begins: after the times of the fixtures. At the real time, a test could fail on some days only. */
const START = new Date('2026-12-30T12:00:00Z');

/** Fake timers, an empty cache and a signed-in fan. {@link onPage} calls it before each test. */
export function startPage(): void {
  jest.useFakeTimers({ now: START });
  // jsdom has no fonts
  Object.defineProperty(document, 'fonts', { configurable: true, value: { ready: Promise.resolve() } });
  queryClient.clear();
  forgetFrame();
  window.localStorage.clear();
  endReloads = reloadAfterRefusals(queryClient);
  asFan();
}
let endReloads = (): void => undefined;

/** The fan signs in, with these fields of the account. */
export function asFan(fields: Partial<ViewerUser> = {}): void {
  session({ ...FAN, ...fields }, 'token');
}

/** The fan signs out: the page is seen by a visitor. */
export function asVisitor(): void {
  session(null, null);
}

function session(user: ViewerUser | null, token: string | null): void {
  const done = () => Promise.resolve();
  act(() => reportSession({ user, getToken: () => Promise.resolve(token), signOut: done, ask: done }));
}

/** Finds the innermost element with this text, also when a name in it is an element of its own. */
export const sentence =
  (wanted: string | RegExp) =>
  (_: string, element: Element | null): boolean => {
    const has = ({ textContent: text }: Element): boolean =>
      typeof wanted === 'string' ? text === wanted : wanted.test(text ?? '');
    return element !== null && has(element) && ![...element.children].some(has);
  };

/** Ends what {@link startPage} began. {@link onPage} calls it after each test. */
export function endPage(): void {
  noteNames();
  cleanup();
  endReloads();
  act(() => shownToasts().forEach(({ id }) => dismissToast(id)));
  queryClient.clear();
  jest.useRealTimers();
}

/** Titles of the messages that the toaster would show. A name that it keeps from translation is in brackets. */
export const messages = (): string[] =>
  shownToasts().map(({ title, name }) => (name === undefined ? title : title.replace(name, `[${name}]`)));

/** Rules of axe that need layout or drawing. */
const VISUAL_RULES = ['color-contrast', 'target-size', 'label-content-name-mismatch'];

/**
 * Returns the violations of WCAG 2.2 A and AA in the page's structure: names, roles, relations. Colours and sizes need
 * a real browser. Ends the fake timers, because axe needs real ones: call it last in a test.
 */
export async function accessibilityFaults(): Promise<string[]> {
  jest.useRealTimers();
  const { violations } = await axe.run(document.body, {
    runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
    rules: Object.fromEntries(VISUAL_RULES.map((rule) => [rule, { enabled: false }])),
    resultTypes: ['violations'],
    preload: false,
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Makes the screen wide enough for a table, or that of a phone. Call it in `beforeEach`: the default is a phone. */
export function screenIs(wide: boolean): void {
  window.matchMedia = (media) =>
    ({
      media,
      matches: wide,
      addEventListener: (_: 'change', listener: () => void) => void mediaListeners.add(listener),
      removeEventListener: (_: 'change', listener: () => void) => void mediaListeners.delete(listener),
    }) as unknown as MediaQueryList;
  act(() => mediaListeners.forEach((listener) => listener()));
}
const mediaListeners = new Set<() => void>();

/** Lets time pass, with all that it brings. */
export function pass(ms: number): Promise<void> {
  return act(() => jest.advanceTimersByTimeAsync(ms));
}

/** Clicks an element, and lets the page react. @param ms for this long */
export function click(element: Element, ms = 100): Promise<void> {
  fireEvent.click(element);
  return pass(ms);
}

/** Presses a button, and lets the page react. @param ms for this long */
export function press(name: string | RegExp, ms = 100): Promise<void> {
  return click(screen.getByRole('button', { name }), ms);
}

/** Presses a key where the focus is, and lets the page react. @param ms for this long */
export function pressKey(key: string, more: object = {}, ms = 100): Promise<void> {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
  return pass(ms);
}

/** The texts of elements. */
export const textsOf = (elements: Iterable<Element>): string[] =>
  Array.from(elements, ({ textContent }) => textContent);

/** Changes the value of a field. */
export function type(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

/**
 * Renders an element as the page at an address; every other address shows its path only.
 * @param pattern of the page's route, when the address has parameters
 * @param state the navigation state that the page is opened with
 * @returns the router, for the address and its navigation state
 */
export async function renderPage(
  element: React.ReactNode,
  address = '/',
  pattern = address.split('?')[0] ?? '/',
  state: unknown = null,
): Promise<ReturnType<typeof createMemoryRouter>> {
  const router = createMemoryRouter(
    [
      { path: pattern, element },
      { path: '*', Component: Elsewhere },
    ],
    { initialEntries: [{ ...parsePath(address), state }] },
  );
  renderRoutes(router);
  await pass(0);
  return router;
}

/** Renders the routes of a router as the page. */
export function renderRoutes(router: ReturnType<typeof createMemoryRouter>): void {
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

function Elsewhere(): React.ReactNode {
  return (
    <p data-testid="path" translate="no">
      {useLocation().pathname}
    </p>
  );
}
