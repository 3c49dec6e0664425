import { jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom';
import type { GenerationView } from '../../src/contract/generation.js';
import { reportSession } from '../src/lib/auth.js';
import { queryClient } from '../src/lib/query.js';

export interface Call {
  readonly name: string;
  readonly body: unknown;
}

/** Answers of the fake server by the name of the call; a function gets the body of the request. */
export type Answers = Record<string, unknown>;

export interface FakeServer {
  /** The calls so far, oldest first. */
  readonly calls: Call[];
  /** How often a call was made. */
  readonly count: (name: string) => number;
  /** Changes what is answered from now on. */
  readonly answer: (answers: Answers) => void;
}

/** Answers every request of the page by the name of its call; an unknown call gets a 404. Uses fake timers. */
export function fakeServer(initial: Answers): FakeServer {
  const answers = { ...initial };
  const calls: Call[] = [];
  globalThis.fetch = async (input, init) => {
    const name = new URL(input as string, window.location.origin).pathname.split('/').at(-1) ?? '';
    const body: unknown = JSON.parse(init?.body as string);
    calls.push({ name, body });
    const known = name in answers;
    const answer = answers[name];
    const value: unknown = typeof answer === 'function' ? await (answer as (body: unknown) => unknown)(body) : answer;
    const text = JSON.stringify(known ? value : { code: 'PGRST202', message: `No call ${name}` });
    const response = {
      ok: known,
      status: known ? 200 : 404,
      headers: new Headers(),
      text: () => Promise.resolve(text),
    };
    return response as Response;
  };
  return {
    calls,
    count: (name) => calls.filter((call) => call.name === name).length,
    answer: (more) => void Object.assign(answers, more),
  };
}

/** The fan of the tests. */
const FAN = {
  id: 'user_1',
  fullName: 'Ada Fan',
  firstName: 'Ada',
  lastName: 'Fan',
  imageUrl: null,
  email: 'ada@fanvas.example',
};

/** Fake timers, an empty cache and a signed-in fan. Call it in `beforeEach`. */
export function startPage(): void {
  jest.useFakeTimers();
  queryClient.clear();
  window.localStorage.clear();
  act(() => reportSession({ user: FAN, getToken: () => Promise.resolve('token'), signOut: () => Promise.resolve() }));
}

/** Ends what {@link startPage} began. Call it in `afterEach`. */
export function endPage(): void {
  cleanup();
  queryClient.clear();
  jest.useRealTimers();
}

/** Lets time pass, with all that it brings. */
export function pass(ms: number): Promise<void> {
  return act(() => jest.advanceTimersByTimeAsync(ms));
}

/** Renders an element as the page at an address; every other address shows its path only. */
export async function renderPage(element: React.ReactNode, address = '/'): Promise<void> {
  const path = address.split('?')[0] ?? '/';
  const router = createMemoryRouter(
    [
      { path, element },
      { path: '*', Component: Elsewhere },
    ],
    { initialEntries: [address] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await pass(0);
}

function Elsewhere(): React.ReactNode {
  return <p data-testid="path">{useLocation().pathname}</p>;
}

/** A generation that has just been started. */
export function generation(fields: Partial<GenerationView> = {}): GenerationView {
  return {
    id: 'g1',
    prediction_id: null,
    status: 'pending',
    prompt: 'A fox on the last train',
    image_url: null,
    image: null,
    creator_id: 'c1',
    creator_username: 'junoabara',
    creator_name: 'Juno Abara',
    creator_is_visible: true,
    creator_status: 'active',
    created_at: '2026-11-20T21:04:00.000Z',
    updated_at: '2026-11-20T21:04:00.000Z',
    error_message: null,
    refunded: false,
    credits_closed: false,
    refund_reason: null,
    refunded_at: null,
    credit_cost: 10,
    is_owner: true,
    hidden: false,
    cancelled: false,
    cancellable_at: null,
    phase: 'queued',
    drawing_at: null,
    finishing_at: null,
    completed_at: null,
    ...fields,
  };
}

/** A picture as a row carries it. */
export const PICTURE = { url: '/media/g1.webp', width: 1024, height: 1024, thumbhash: '', sources: [] };
