import { createPrivateKey, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClerkClient, type ClerkClient } from '@clerk/backend';
import { reverificationError } from '@clerk/backend/internal';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SignJWT, UnsecuredJWT } from 'jose';
import { GetUser } from '../../src/identity/index.js';
import { type IdentityTables } from '../../src/identity/tables.js';
import { ManualClock } from '../../src/platform/clock.js';
import { Authenticator } from '../../src/platform/principal.js';
import { DEMO_PASSWORD } from '../../src/sandbox/demo/demo-accounts.js';
import { signIn, signUp, type ApiUser } from '../support/api-client.js';
import { removeData, startClerkServer, type ClerkServer } from '../support/clerk-server.js';
import { withTestDatabase, type TestDatabase } from '../support/database.js';
import { startIdentityApp } from '../support/identity-app.js';
import { type Answer, type TestApp } from '../support/test-app.js';

jest.setTimeout(30_000);

const PASSWORD = 'correct-horse-9';
const EXPIRED = 'Authentication failed: Your session may have expired. Please sign in again.';

describe('identity against the real SDK and the sandbox', () => {
  let database: TestDatabase<IdentityTables>;
  let server: ClerkServer;
  let clerk: ClerkClient;
  let app: TestApp;
  let authenticator: Authenticator;
  let signingKey: KeyObject;
  const clock = new ManualClock(new Date());

  beforeAll(async () => {
    [database, server] = await Promise.all([withTestDatabase<IdentityTables>(), startClerkServer()]);
    const { settings } = server.sandbox;
    clerk = createClerkClient({ ...settings, apiUrl: server.apiUrl, telemetry: { disabled: true } });
    app = await startIdentityApp({
      database,
      clock,
      publicUrl: server.url,
      clerk: { ...settings, apiUrl: server.apiUrl },
    });
    authenticator = app.get(Authenticator);
    const keys = JSON.parse(await readFile(join(server.dataDir, 'keys.json'), 'utf8')) as { signingKey: string };
    signingKey = createPrivateKey(keys.signingKey);
  });
  afterAll(async () => {
    await app.close();
    await server.stop();
    await removeData(server);
    await database.close();
  });

  const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset;
  let count = 0;
  const newUser = (): Promise<ApiUser> => signUp(server.url, `user${(count += 1)}@example.com`, PASSWORD);
  const rowOf = (id: string) => database.db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirst();

  /** A token as the provider would sign it, with these claims changed. */
  function token(claims: Record<string, unknown>, key: KeyObject = signingKey): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const usual = {
      sub: 'user_test1',
      sid: 'sess_1',
      azp: server.url,
      sts: 'active',
      iat: now,
      nbf: now,
      exp: now + 60,
    };
    return new SignJWT({ ...usual, ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 'ins_sandbox' })
      .sign(key);
  }

  describe('session token verification', () => {
    it('[F6.03] returns the user and session of a signed-in browser', async () => {
      const user = await newUser();
      const principal = await authenticator.authenticate(await user.token());
      expect(principal.userId).toBe(user.userId);
      expect(principal.sessionId).toMatch(/^sess_/);
    });

    it('accepts the claims of the supabase template, which carry no session id', async () => {
      const user = await newUser();
      const claims = { sub: user.userId, aud: 'authenticated', role: 'authenticated', sid: undefined, sts: undefined };
      await expect(authenticator.authenticate(await token(claims))).resolves.toEqual({
        userId: user.userId,
        sessionId: '',
        verifiedMsAgo: null,
      });
    });

    const strangersKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const refused: [string, string, () => Promise<string>][] = [
      ['was signed with another key', 'token-invalid-signature', () => token({}, strangersKey)],
      ['has expired', 'token-expired', () => token({ iat: seconds(-120), nbf: seconds(-120), exp: seconds(-60) })],
      ['is not valid yet', 'token-not-active-yet', () => token({ nbf: seconds(60) })],
      ['was made for another site', 'token-invalid-authorized-parties', () => token({ azp: 'https://evil.example' })],
      ['names no site', 'token-invalid-authorized-parties', () => token({ azp: undefined })],
      ['was made for another audience', 'token-wrong-audience', () => token({ aud: 'hasura' })],
      ['belongs to a session that is not active', 'session-not-active', () => token({ sts: 'pending' })],
      [
        'was tampered with',
        'token-invalid-signature',
        async () => {
          const [header, , signature] = (await token({})).split('.');
          const claims = { sub: 'user_admin', azp: server.url, iat: seconds(0), nbf: seconds(0), exp: seconds(60) };
          return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
        },
      ],
      [
        'is not signed at all',
        'token-invalid-algorithm',
        async () => new UnsecuredJWT({ sub: 'user_test1', azp: server.url }).setExpirationTime('60s').encode(),
      ],
      [
        'is signed with the public key as a shared secret',
        'token-invalid-algorithm',
        () =>
          new SignJWT({ sub: 'user_test1', azp: server.url })
            .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: 'ins_sandbox' })
            .setExpirationTime('60s')
            .sign(Buffer.from(server.sandbox.settings.jwtKey)),
      ],
      ['is not a token', 'token-invalid', async () => 'not-a-token'],
      ['has parts that are not JSON', 'token-invalid', async () => 'e30x.e30x.e30x'],
    ];
    it.each(refused)('refuses a token when it %s', async (_, reason, make) => {
      await expect(authenticator.authenticate(await make())).rejects.toMatchObject({
        kind: 'unauthenticated',
        message: EXPIRED,
        details: reason,
      });
    });

    it('refuses a token whose subject is not a user id', async () => {
      await expect(authenticator.authenticate(await token({ sub: 'mch_machine' }))).rejects.toMatchObject({
        kind: 'unauthenticated',
        message: 'Invalid user identification format. Please try signing in again.',
      });
    });
  });

  describe('active sessions', () => {
    it('a session is active until the user signs out, also when the token has no session id', async () => {
      const fan = await newUser();
      const principal = await authenticator.authenticate(await fan.token());
      const withoutSession = { ...principal, sessionId: '' };
      expect(await authenticator.isActive(principal)).toBe(true);
      expect(await authenticator.isActive(withoutSession)).toBe(true);
      await clerk.sessions.revokeSession(principal.sessionId);
      expect(await authenticator.isActive(principal)).toBe(false);
      expect(await authenticator.isActive(withoutSession)).toBe(false);
    });

    it('a session ends when the provider deletes the user', async () => {
      const fan = await newUser();
      const principal = await authenticator.authenticate(await fan.token());
      await clerk.users.deleteUser(fan.userId);
      expect(await authenticator.isActive(principal)).toBe(false);
    });
  });

  describe('user mirror', () => {
    it('reads a user from the provider when the user is first seen', async () => {
      const user = await newUser();
      await clerk.users.updateUser(user.userId, { firstName: 'Mira', lastName: 'Lee' });
      await authenticator.authenticate(await user.token());
      const row = await rowOf(user.userId);
      expect(row).toMatchObject({ email: `user${count}@example.com`, name: 'Mira Lee', roles: [], deleted_at: null });
      await expect(app.queries.execute(new GetUser({ userId: user.userId }))).resolves.toEqual({
        id: user.userId,
        email: row?.email,
        name: 'Mira Lee',
        imageUrl: row?.image_url,
        roles: [],
        firstSeenAt: row?.created_at,
      });
    });

    it('holds one row for a user whose first requests come at the same time', async () => {
      const user = await newUser();
      const sessionToken = await user.token();
      await Promise.all(Array.from({ length: 20 }, () => authenticator.authenticate(sessionToken)));
      expect(await rowOf(user.userId)).toMatchObject({ deleted_at: null });
    });

    it('refuses a valid token when the provider does not know its user', async () => {
      await expect(authenticator.authenticate(await token({ sub: 'user_gone' }))).rejects.toMatchObject({
        kind: 'unauthenticated',
        details: 'user-missing',
      });
      expect(await rowOf('user_gone')).toMatchObject({ missing_at: clock.now(), deleted_at: null });
      await expect(app.queries.execute(new GetUser({ userId: 'user_gone' }))).resolves.toBeNull();
    });

    it('refuses a deleted user within a minute when another instance received the deletion', async () => {
      const user = await newUser();
      const sessionToken = await token({ sub: user.userId });
      await authenticator.authenticate(sessionToken);
      await database.db
        .updateTable('app_user')
        .set({ deleted_at: clock.now() })
        .where('id', '=', user.userId)
        .execute();
      clock.advance(60_000);
      await expect(authenticator.authenticate(sessionToken)).rejects.toMatchObject({ kind: 'unauthenticated' });
    });
  });

  describe('provider outage', () => {
    let offline: TestApp;

    beforeAll(async () => {
      offline = await startIdentityApp({
        database,
        clock,
        publicUrl: server.url,
        clerk: { ...server.sandbox.settings, apiUrl: 'http://127.0.0.1:9' },
      });
    });
    afterAll(() => offline.close());

    it('treats a session as active while the provider does not answer', async () => {
      const silent = offline.get(Authenticator);
      expect(await silent.isActive({ userId: (await newUser()).userId, sessionId: 'sess_1', verifiedMsAgo: 0 })).toBe(
        true,
      );
    });

    it('accepts users with only their id and completes the row when the provider answers again', async () => {
      const user = await newUser();
      await offline.get(Authenticator).authenticate(await user.token());
      expect(await rowOf(user.userId)).toMatchObject({ email: null, updated_at: null });
      await authenticator.authenticate(await user.token());
      expect(await rowOf(user.userId)).toMatchObject({ email: `user${count}@example.com` });
    });

    it('refuses to read fresh roles and still returns the mirrored ones', async () => {
      const admin = await signIn(server.url, 'admin@fanvas.test', DEMO_PASSWORD);
      await authenticator.authenticate(await admin.token());
      const other = offline.get(Authenticator);
      await expect(other.rolesOf(admin.userId)).resolves.toEqual(new Set(['admin']));
      await expect(other.rolesOf(admin.userId, { fresh: true })).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });

  describe('keys from the JWKS', () => {
    it('verifies tokens and refuses those whose key the provider does not publish', async () => {
      const { jwtKey: _, ...settings } = server.sandbox.settings;
      const remote = await startIdentityApp({
        database,
        clock,
        publicUrl: server.url,
        clerk: { ...settings, apiUrl: server.apiUrl },
      });
      const user = await newUser();
      await expect(remote.get(Authenticator).authenticate(await user.token())).resolves.toMatchObject({
        userId: user.userId,
      });
      const strange = await new SignJWT({ sub: 'user_test1' })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: randomUUID() })
        .sign(signingKey);
      await expect(remote.get(Authenticator).authenticate(strange)).rejects.toMatchObject({ details: 'unknown-key' });
      await remote.close();
    });
  });

  describe('roles', () => {
    it('returns a changed role at each instance once one of them has read it', async () => {
      const user = await newUser();
      await authenticator.authenticate(await user.token());
      const other = await startIdentityApp({ database, clock, publicUrl: server.url, clerk: server.sandbox.settings });
      for (const roles of [['finance'], []]) {
        await clerk.users.updateUserMetadata(user.userId, { publicMetadata: { roles } });
        await authenticator.rolesOf(user.userId, { fresh: true });
        await expect(other.get(Authenticator).rolesOf(user.userId)).resolves.toEqual(new Set(roles));
      }
      await other.close();
    });

    it('returns the roles of the public metadata and reads them again on demand', async () => {
      const user = await newUser();
      await authenticator.authenticate(await user.token());
      await clerk.users.updateUserMetadata(user.userId, { publicMetadata: { roles: ['finance', 'king'] } });
      await expect(authenticator.rolesOf(user.userId)).resolves.toEqual(new Set());
      await expect(authenticator.rolesOf(user.userId, { fresh: true })).resolves.toEqual(new Set(['finance']));
      await expect(authenticator.rolesOf(user.userId)).resolves.toEqual(new Set(['finance']));
    });

    describe('admin calls', () => {
      let fan: string;

      /** A new user, mirrored as an admin. */
      async function newAdmin(): Promise<ApiUser> {
        const admin = await newUser();
        await clerk.users.updateUserMetadata(admin.userId, { publicMetadata: { roles: ['admin'] } });
        await authenticator.authenticate(await admin.token());
        await expect(authenticator.rolesOf(admin.userId)).resolves.toEqual(new Set(['admin']));
        return admin;
      }

      const holdings = async () => (await app.accountEvents(fan)).length;

      beforeEach(async () => {
        fan = `user_${randomUUID()}`;
        await app.buy(fan, { sessionId: `cs_${fan}` });
      });

      const grant = (caller: string): Promise<Answer> =>
        app.rpc('grant_bonus_credits', caller, {
          p_user_id: fan,
          p_grant_id: randomUUID(),
          p_amount: 5,
          p_reason: 'A test',
        });

      it('refuses an admin who lost the role after the token was issued', async () => {
        const admin = await newAdmin();
        const sessionToken = await admin.token();
        const before = await holdings();

        await clerk.users.updateUserMetadata(admin.userId, { publicMetadata: { roles: [] } });
        expect(await grant(sessionToken)).toMatchObject({
          status: 403,
          body: { code: '42501', message: 'Admin privileges required' },
        });
        expect(await holdings()).toBe(before);

        await clerk.users.updateUserMetadata(admin.userId, { publicMetadata: { roles: ['admin'] } });
        expect(await grant(sessionToken)).toMatchObject({ status: 200, body: { success: true } });
        expect(await holdings()).toBe(before + 1);
      });

      it.each<[number, string, Record<string, unknown>]>([
        [403, 'is an hour old', { fva: [60, -1] }],
        [200, 'is 59 minutes old', { fva: [59, -1] }],
        [403, 'is 55 minutes old in a token of seven minutes', { fva: [55, -1], iat: seconds(-420) }],
        [403, 'is new with an old second factor', { fva: [0, 60] }],
        [403, 'is missing from the token', {}],
        [403, 'never happened', { fva: [-1, -1] }],
      ])('[C6.10] answers a grant with %i when the verification of the admin %s', async (status, _, claims) => {
        const admin = await newAdmin();
        const before = await holdings();
        const answer = await grant(await token({ sub: admin.userId, ...claims }));
        if (status === 200) {
          expect(answer).toMatchObject({ status, body: { success: true } });
          return;
        }
        expect(answer).toMatchObject({
          status,
          body: {
            code: '42501',
            message: 'Please verify your identity again to continue.',
            details: null,
            hint: 'This needs a verification that is at most 60 minutes old.',
            ...reverificationError({ level: 'second_factor', afterMinutes: 60 }),
          },
        });
        expect(await holdings()).toBe(before);
      });

      it('refuses a fan with an old verification for the role alone', async () => {
        const answer = await grant(await token({ sub: (await newUser()).userId, fva: [90, -1] }));
        expect(answer.status).toBe(403);
        expect(answer.body).toEqual({
          code: '42501',
          message: 'Admin privileges required',
          details: null,
          hint: null,
        });
      });
    });

    it('[F7.21, C6.07] answers check_admin_by_jwt with true for an admin and false for everyone else', async () => {
      const admin = await signIn(server.url, 'admin@fanvas.test', DEMO_PASSWORD);
      const fan = await signIn(server.url, 'fan@fanvas.test', DEMO_PASSWORD);
      for (const [caller, body] of [
        [await admin.token(), true],
        [await fan.token(), false],
        ['forged', false],
        [null, false],
      ] as const) {
        expect(await app.rpc('check_admin_by_jwt', caller)).toEqual({ status: 200, body });
      }
      const withoutBody = await fetch(`${app.url}/rest/v1/rpc/check_admin_by_jwt`, { method: 'POST' });
      expect([withoutBody.status, await withoutBody.json()]).toEqual([200, false]);
    });

    it('answers get_own_roles_by_jwt with the roles of the caller', async () => {
      const ownRoles = async (caller: string | null) => app.rpc('get_own_roles_by_jwt', caller);
      for (const role of ['admin', 'finance', 'auditor']) {
        const user = await signIn(server.url, `${role}@fanvas.test`, DEMO_PASSWORD);
        expect(await ownRoles(await user.token())).toEqual({ status: 200, body: [role] });
      }
      const fan = await signIn(server.url, 'fan@fanvas.test', DEMO_PASSWORD);
      for (const caller of [await fan.token(), 'forged', null]) {
        expect(await ownRoles(caller)).toEqual({ status: 200, body: [] });
      }
    });
  });
});
