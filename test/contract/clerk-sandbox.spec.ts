import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createClerkClient, verifyToken, type ClerkClient } from '@clerk/backend';
import { isClerkAPIResponseError } from '@clerk/backend/errors';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { signIn, signUp } from '../support/api-client.js';
import { decodeJwt } from 'jose';
import { removeData, startClerkServer, type ClerkServer } from '../support/clerk-server.js';

jest.setTimeout(30_000);

const PASSWORD = 'correct-horse-9';

function clientFor(server: ClerkServer): ClerkClient {
  const { publishableKey, secretKey } = server.sandbox.settings;
  return createClerkClient({ publishableKey, secretKey, apiUrl: server.apiUrl, telemetry: { disabled: true } });
}

function post(server: ClerkServer, path: string, headers: Record<string, string>): Promise<Response> {
  return fetch(`${server.url}/__clerk/v1/${path}`, { method: 'POST', headers });
}

/** Uses `http`, because `fetch` cannot set the Host header. */
async function statusUnderHost(server: ClerkServer, host: string): Promise<number | undefined> {
  const call = request(`${server.url}/__clerk/v1/client`, { headers: { host } }).end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('Clerk sandbox with the backend SDK', () => {
  let server: ClerkServer;
  let clerk: ClerkClient;

  beforeAll(async () => {
    server = await startClerkServer();
    clerk = clientFor(server);
  });
  afterAll(async () => {
    await server.stop();
    await removeData(server);
  });

  it('signs in the demo accounts with their roles', async () => {
    const found: Record<string, unknown> = {};
    for (const name of ['fan', 'creator', 'admin', 'finance', 'auditor']) {
      const user = await signIn(server.url, `${name}@fanvas.test`, DEMO_PASSWORD);
      found[name] = (await clerk.users.getUser(user.userId)).publicMetadata['roles'];
    }
    expect(found).toEqual({
      fan: undefined,
      creator: undefined,
      admin: ['admin'],
      finance: ['finance'],
      auditor: ['auditor'],
    });
  });

  it('issues session tokens of 60 seconds that verify with the PEM key and with the JWKS', async () => {
    const user = await signUp(server.url, 'tokens@example.com', PASSWORD);
    const token = await user.token();
    const { jwtKey, secretKey } = server.sandbox.settings;
    const claims = await verifyToken(token, { jwtKey, authorizedParties: [server.url] });
    expect(claims).toMatchObject({ sub: user.userId, azp: server.url, sts: 'active', v: 2 });
    expect(claims.exp - claims.iat).toBe(60);
    const remote = await verifyToken(token, { secretKey, apiUrl: server.apiUrl, authorizedParties: [server.url] });
    expect(remote.sub).toBe(user.userId);
  });

  it('returns a user in the shape that the SDK expects', async () => {
    const { userId } = await signUp(server.url, 'Shown@Example.com', PASSWORD);
    const user = await clerk.users.getUser(userId);
    expect(user.primaryEmailAddress?.emailAddress).toBe('shown@example.com');
    expect(user.emailAddresses[0]?.verification?.status).toBe('verified');
    expect(user.passwordEnabled).toBe(true);
    expect(user.imageUrl).toMatch(/^data:image\/svg\+xml/);
  });

  it('counts users', async () => {
    const before = await clerk.users.getCount();
    await signUp(server.url, 'counted@example.com', PASSWORD);
    expect(await clerk.users.getCount()).toBe(before + 1);
  });

  it('merges metadata deeply and removes keys that are set to null', async () => {
    const { userId } = await signUp(server.url, 'meta@example.com', PASSWORD);
    await clerk.users.updateUserMetadata(userId, { publicMetadata: { roles: ['admin'], a: { b: 1, c: 2 } } });
    const user = await clerk.users.updateUserMetadata(userId, { publicMetadata: { a: { b: null, d: 3 } } });
    expect(user.publicMetadata).toEqual({ roles: ['admin'], a: { c: 2, d: 3 } });
  });

  it('renames and deletes users, and ends the sessions of a deleted user', async () => {
    const user = await signUp(server.url, 'renamed@example.com', PASSWORD);
    await clerk.users.updateUser(user.userId, { firstName: 'Maid', lastName: 'Marian' });
    expect((await clerk.users.getUser(user.userId)).fullName).toBe('Maid Marian');

    await clerk.users.deleteUser(user.userId);
    await expect(clerk.users.getUser(user.userId)).rejects.toMatchObject({ status: 404 });
    await expect(user.token()).rejects.toThrow('401');
  });

  it('forgets the address of a deleted user, also in the sign-up', async () => {
    const stored = (): Promise<string> => readFile(join(server.dataDir, 'state.json'), 'utf8');
    const { userId } = await signUp(server.url, 'leaving@example.com', PASSWORD);
    expect(await stored()).toContain('leaving@example.com');
    await clerk.users.deleteUser(userId);
    expect(await stored()).not.toContain('leaving@example.com');
  });

  it('marks an address as not verified and as verified', async () => {
    const { userId } = await signUp(server.url, 'verified@example.com', PASSWORD);
    const statusOf = async (): Promise<string | undefined> =>
      (await clerk.users.getUser(userId)).primaryEmailAddress?.verification?.status;
    expect(await statusOf()).toBe('verified');
    const { primaryEmailAddressId } = await clerk.users.getUser(userId);
    for (const verified of [false, true]) {
      await clerk.emailAddresses.updateEmailAddress(primaryEmailAddressId ?? '', { verified });
      expect(await statusOf()).toBe(verified ? 'verified' : 'unverified');
    }
  });

  it('revokes a session', async () => {
    const user = await signUp(server.url, 'revoked@example.com', PASSWORD);
    const claims = JSON.parse(Buffer.from((await user.token()).split('.')[1] ?? '', 'base64url').toString()) as {
      sid: string;
    };
    expect((await clerk.sessions.getSession(claims.sid)).status).toBe('active');
    expect((await clerk.sessions.revokeSession(claims.sid)).status).toBe('revoked');
    await expect(user.token()).rejects.toThrow('401');
  });

  it('refuses a wrong secret key with an error that the SDK understands', async () => {
    const { publishableKey } = server.sandbox.settings;
    const stranger = createClerkClient({
      publishableKey,
      secretKey: 'sk_test_other',
      apiUrl: server.apiUrl,
      telemetry: { disabled: true },
    });
    const refusal: unknown = await stranger.users.getCount().catch((error: unknown) => error);
    expect(isClerkAPIResponseError(refusal) && refusal.errors[0]?.code).toBe('clerk_key_invalid');
  });

  it('reports wrong passwords, wrong codes and taken addresses in the words of Clerk', async () => {
    await signUp(server.url, 'taken@example.com', PASSWORD);
    await expect(signIn(server.url, 'taken@example.com', 'wrong-password')).rejects.toThrow('form_password_incorrect');
    await expect(signIn(server.url, 'nobody@example.com', PASSWORD)).rejects.toThrow('form_identifier_not_found');
    await expect(signUp(server.url, 'TAKEN@example.com', PASSWORD)).rejects.toThrow('form_identifier_exists');
    await expect(signUp(server.url, 'short@example.com', 'short')).rejects.toThrow('form_password_length_too_short');
    await expect(signUp(server.url, 'no-address', PASSWORD)).rejects.toThrow('form_param_format_invalid');
  });

  it('answers only requests to this machine from pages of this machine', async () => {
    const elsewhere = await post(server, 'client/sign_ins', { Origin: 'https://evil.example' });
    expect(elsewhere.status).toBe(403);
    const local = await post(server, 'client/sign_ins', { Origin: server.url });
    expect(local.status).toBe(200);
    // A name that an attacker points at 127.0.0.1
    expect(await statusUnderHost(server, 'rebound.example')).toBe(403);
    expect(await statusUnderHost(server, 'localhost:1')).toBe(200);
  });

  it('stores users, sessions and keys in its folder without plain passwords', async () => {
    const before = await signUp(server.url, 'kept@example.com', PASSWORD);
    const { settings } = server.sandbox;
    expect(await readFile(join(server.dataDir, 'state.json'), 'utf8')).not.toContain(PASSWORD);
    const token = await before.token();
    // The first sandbox keeps running, so the second one reads the state that a killed sandbox would leave.
    const second = await startClerkServer({ dataDir: server.dataDir });
    try {
      expect(second.sandbox.settings).toEqual(settings);
      const again = await signIn(second.url, 'kept@example.com', PASSWORD);
      expect(again.userId).toBe(before.userId);
      const claims = await verifyToken(token, { jwtKey: second.sandbox.settings.jwtKey });
      expect((await clientFor(second).sessions.getSession(String(claims.sid))).status).toBe('active');
    } finally {
      await second.stop();
    }
  });

  it('ages the last verification, renews it with the password alone, and remembers it over a restart', async () => {
    let agoMs = 2 * 3_600_000;
    const earlier = await startClerkServer({ now: () => new Date(Date.now() - agoMs) });
    try {
      const user = await signUp(earlier.url, 'verified-again@example.com', PASSWORD);
      const agesIn = (token: string): unknown => decodeJwt(token)['fva'];
      expect(agesIn(await user.token())).toEqual([0, -1]);
      agoMs = 0;
      expect(agesIn(await user.token())).toEqual([120, -1]);
      await expect(user.verifyAgain('wrong-password')).rejects.toThrow('form_password_incorrect');
      expect(agesIn(await user.token())).toEqual([120, -1]);

      const sessionId = String(decodeJwt(await user.token())['sid']);
      await user.verifyAgain(PASSWORD);
      expect(agesIn(await user.token())).toEqual([0, -1]);
      agoMs = -5 * 60_000;
      const second = await startClerkServer({ dataDir: earlier.dataDir, now: () => new Date(Date.now() - agoMs) });
      const cookie = Object.entries(user.cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; ');
      const answer = await post(second, `client/sessions/${sessionId}/tokens`, { Origin: second.url, cookie });
      expect(agesIn(((await answer.json()) as { jwt: string }).jwt)).toEqual([5, -1]);
      // A verification must be started before each attempt.
      const path = `client/sessions/${sessionId}/verify/attempt_first_factor`;
      expect((await post(second, path, { Origin: second.url, cookie })).status).toBe(400);
      await second.stop();
    } finally {
      await earlier.stop();
      await removeData(earlier);
    }
  });

  it('creates an account once when it is asked repeatedly', async () => {
    const account = {
      email: 'seeded@fanvas.test',
      password: PASSWORD,
      firstName: 'Sena',
      lastName: 'Seeded',
      publicMetadata: { demo: true },
    };
    const answers = await Promise.all([1, 2, 3].map(() => server.sandbox.ensureUser(account)));
    expect(new Set(answers.map((answer) => answer.userId)).size).toBe(1);
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
  });

  it('serves only the browser builds, compressed and cacheable', async () => {
    const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${server.url}/__clerk/npm/${path}`, { headers });
    const entry = await get('@clerk/clerk-js@6/dist/clerk.browser.js', { 'Accept-Encoding': 'br' });
    expect(entry.status).toBe(200);
    expect(entry.headers.get('content-encoding')).toBe('br');
    expect(entry.headers.get('cache-control')).toContain('max-age=');
    const etag = entry.headers.get('etag') ?? '';
    expect((await get('@clerk/clerk-js@6/dist/clerk.browser.js', { 'If-None-Match': etag })).status).toBe(304);
    expect((await get('@clerk/ui@1/dist/ui.browser.js')).status).toBe(200);
    const outside = [
      '@clerk/clerk-js@6/dist/..%2Fpackage.json',
      '@clerk/clerk-js@6/dist/..%2F..%2F..%2Freact%2Findex.js',
      '@clerk/backend@3/dist/index.js',
      '@clerk/ui@1/dist/missing.js',
    ];
    for (const path of outside) expect((await get(path)).status).toBe(404);
  });
});
