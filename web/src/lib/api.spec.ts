import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { callFunction, rpc } from './api.js';
import { reportSession } from './auth.js';
import { FAN } from '../../test/rows.js';

const realFetch = globalThis.fetch;

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

/** Replaces the server, which returns `answers` in order. Returns the Authorization header of each request. */
function respondWith(...answers: readonly Answer[]): (string | undefined)[] {
  const tokens: (string | undefined)[] = [];
  const left = [...answers];
  globalThis.fetch = ((_path: string, { headers }: { headers: Record<string, string> }) => {
    tokens.push(headers['authorization']);
    const { status, body, headers: sent = {} } = left.shift() ?? { status: 500, body: null };
    return Promise.resolve(new Response(JSON.stringify(body), { status, headers: sent }));
  }) as typeof fetch;
  return tokens;
}

function signedIn(getToken: (options?: { fresh?: boolean }) => Promise<string | null>): void {
  reportSession({ user: FAN, getToken, signOut: () => Promise.resolve(), ask: () => Promise.resolve() });
}

// This environment has no browser storage. Each access logs a warning.
jest.spyOn(console, 'warn').mockReturnValue(undefined);
afterEach(() => {
  globalThis.fetch = realFetch;
});

describe('rpc', () => {
  it('[F6.02] sends the session token of a signed-in person', async () => {
    signedIn(() => Promise.resolve('token-1'));
    const tokens = respondWith({ status: 200, body: 1 }, { status: 200, body: 2 });
    await rpc('get_user_credit_breakdown');
    await callFunction('get-checkout-session', {});
    expect(tokens).toEqual(['Bearer token-1', 'Bearer token-1']);
  });

  it('[F6.01] sends no token for public data', async () => {
    signedIn(() => Promise.resolve('token-1'));
    const tokens = respondWith({ status: 200, body: [] });
    await rpc('get_public_creators', {}, { auth: false });
    expect(tokens).toEqual([undefined]);
  });

  it('[F6.03] retries once with a fresh token when the server refuses the token', async () => {
    signedIn((options) => Promise.resolve(options?.fresh ? 'token-2' : 'token-1'));
    const tokens = respondWith(
      { status: 401, body: { code: 'PGRST301', message: 'JWT expired' } },
      { status: 200, body: 'fine' },
    );
    await expect(rpc('get_user_credit_breakdown')).resolves.toBe('fine');
    expect(tokens).toEqual(['Bearer token-1', 'Bearer token-2']);

    respondWith(
      { status: 401, body: { code: 'PGRST301', message: 'JWT expired' } },
      { status: 401, body: { code: 'PGRST301', message: 'No' } },
    );
    await expect(rpc('get_user_credit_breakdown')).rejects.toMatchObject({ status: 401, message: 'No' });
  });

  it('[F8.10] throws and sends nothing when the session gives no token', async () => {
    signedIn(() => Promise.reject(new Error('offline')));
    const tokens = respondWith();
    await expect(rpc('start_generation_by_jwt')).rejects.toMatchObject({
      status: 0,
      message: 'Failed to get authenticated client. Please try again or reload the page.',
    });
    expect(tokens).toEqual([]);
  });

  it.each([429, 503])('[F8.01] reports the Retry-After of a %i', async (status) => {
    signedIn(() => Promise.resolve('token-1'));
    const message = 'Too many requests. Please try again in 12 seconds.';
    respondWith(
      { status, body: { code: 'RATE_LIMIT_EXCEEDED', message }, headers: { 'Retry-After': '12' } },
      { status, body: { code: '57P03', message } },
    );
    await expect(rpc('get_credit_bundles')).rejects.toMatchObject({ status, message, retryAfter: 12 });
    await expect(rpc('get_public_creators')).rejects.toMatchObject({ status, message, retryAfter: null });
  });

  it.each<unknown>([
    { message: 'upstream connect error' },
    { code: 1020, message: 'Access denied' },
    'Bad gateway',
    null,
  ])('says its own sentence instead of the words of a proxy: %j', async (body) => {
    signedIn(() => Promise.resolve('token-1'));
    respondWith({ status: 502, body });
    const message = 'Something went wrong on our side. Please try again.';
    await expect(rpc('get_credit_bundles')).rejects.toMatchObject({ status: 502, message, details: null });
  });

  it.each(['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'])(
    'says that the connection is lost instead of "%s"',
    async (text) => {
      signedIn(() => Promise.resolve('token-1'));
      globalThis.fetch = () => Promise.reject(new TypeError(text));
      const message = 'Connection error. Please wait or try again later.';
      await expect(rpc('get_credit_bundles')).rejects.toMatchObject({ status: 0, message });
    },
  );

  it('[F6.04] asks to sign in after a row-level refusal, and keeps the message about a missing role', async () => {
    signedIn(() => Promise.resolve('token-1'));
    respondWith(
      { status: 403, body: { code: '42501', message: 'permission denied for table generations' } },
      { status: 403, body: { code: '42501', message: 'new row violates row-level security policy' } },
      { status: 403, body: { code: '42501', message: 'Admin privileges required' } },
    );
    const message = 'Authentication required. Please sign in and try again.';
    await expect(rpc('get_credit_bundles')).rejects.toMatchObject({ code: '42501', message: message });
    await expect(rpc('get_public_creators')).rejects.toMatchObject({ code: '42501', message: message });
    await expect(rpc('get_payment_problems')).rejects.toMatchObject({ message: 'Admin privileges required' });
  });
});

describe('types of a call', () => {
  it('rejects unknown names, missing parameters and wrong answers at compile time', () => {
    const calls = [
      // @ts-expect-error There is no such call.
      () => rpc('get_everything'),
      // @ts-expect-error The parameter is required.
      () => rpc('get_public_creator_by_username'),
      // @ts-expect-error The parameter is a string.
      () => rpc('get_public_creator_by_username', { p_username: 1 }),
      // @ts-expect-error The call has no parameters.
      () => rpc('get_credit_bundles', { p_limit: 1 }),
      // @ts-expect-error The call returns a boolean.
      (): Promise<string> => rpc('check_admin_by_jwt'),
      // @ts-expect-error There is no such function.
      () => callFunction('get_credit_bundles', {}),
    ];
    expect(calls).toHaveLength(6);
  });
});
