import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClerkClient, type ClerkClient } from '@clerk/backend';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type LedgerProblem } from '../../src/audit/index.js';
import { type CreditBreakdown } from '../../src/contract/credits.js';
import { BonusClaims } from '../../src/identity/bonus/bonus-claims.js';
import { claimKey } from '../../src/identity/bonus/claim-key.js';
import { FolderKeys } from '../../src/platform/keys/folder-keys.js';
import { type IdentityTables } from '../../src/identity/tables.js';
import { Users } from '../../src/identity/users.js';
import { testClock } from '../support/test-clock.js';
import { OncePerPerson } from '../../src/platform/once-per-person.js';
import { signedHeaders } from '../../src/sandbox/webhook.js';
import { signUp, type ApiUser } from '../support/api-client.js';
import { removeData, startClerkServer, type ClerkServer } from '../support/clerk-server.js';
import { withTestDatabase, type TestDatabase } from '../support/database.js';
import { startIdentityApp } from '../support/identity-app.js';
import { type Answer, type TestApp } from '../support/test-app.js';
import { verifiedLedger } from '../support/verified-ledger.js';

jest.setTimeout(30_000);

const PASSWORD = 'correct-horse-9';

let database: TestDatabase<IdentityTables>;
let server: ClerkServer;
let clerk: ClerkClient;
/** Two instances on one database, and one that cannot reach the identity provider. */
let apps: [TestApp, TestApp];
let app: TestApp;
let offline: TestApp;
/** Users that the provider answers with 404. */
const hidden = new Set<string>();
const clock = testClock();

beforeAll(async () => {
  const hide = new RegExp('/backend/v1/users/([^/?]+)');
  [database, server] = await Promise.all([
    withTestDatabase<IdentityTables>(),
    startClerkServer({
      routes: (routes) => {
        routes.addHook('onRequest', async (request, reply) => {
          if (hidden.has(hide.exec(request.url)?.[1] ?? '')) await reply.status(404).send({ errors: [] });
        });
      },
    }),
  ]);
  const { settings } = server.sandbox;
  clerk = createClerkClient({ ...settings, apiUrl: server.apiUrl, telemetry: { disabled: true } });
  const start = (apiUrl: string): Promise<TestApp> =>
    startIdentityApp({ database, clock, publicUrl: server.url, clerk: { ...settings, apiUrl } });
  const started = await Promise.all([start(server.apiUrl), start(server.apiUrl), start('http://127.0.0.1:9')]);
  [app, , offline] = started;
  apps = [started[0], started[1]];
});
afterAll(async () => {
  await Promise.all([...apps, offline].map((each) => each.close()));
  await server.stop();
  await removeData(server);
  await database.close();
});

const unique = (): string => randomUUID().replaceAll('-', '').slice(0, 12);
const newUser = (address = `${unique()}@example.com`): Promise<ApiUser> => signUp(server.url, address, PASSWORD);

async function call<T>(user: ApiUser, name: string, on = app): Promise<Answer<T>> {
  return on.rpc<T>(name, await user.token(), {});
}
const breakdown = async (user: ApiUser, on = app): Promise<CreditBreakdown> =>
  (await call<CreditBreakdown>(user, 'get_user_credit_breakdown', on)).body;
const rowOf = (id: string) =>
  database.db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const claimsOf = (id: string) => database.db.selectFrom('bonus_claim').selectAll().where('user_id', '=', id).execute();
const bonusesOf = async ({ userId }: ApiUser): Promise<number> =>
  (await app.accountEvents(userId)).filter(({ data }) => data['source'] === 'signup').length;

/** Sends a signed webhook about a user. */
async function webhook(type: string, data: object, on = app): Promise<void> {
  const body = JSON.stringify({ type, object: 'event', data });
  const id = `msg_${unique()}`;
  const headers = signedHeaders('svix', server.sandbox.settings.webhookSecret, { id, body }, Date.now());
  const response = await fetch(`${on.url}/webhooks/clerk`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  expect(response.status).toBe(200);
}

/** A user with this verified address, as the provider's webhooks state it. */
function userData(id: string, address: string, status = 'verified'): object {
  return {
    id,
    email_addresses: [{ id: 'idn_1', email_address: address, verification: { status } }],
    primary_email_address_id: 'idn_1',
    public_metadata: {},
    updated_at: Date.now() + 60_000,
  };
}

async function setVerified({ userId }: ApiUser, verified: boolean): Promise<void> {
  const { primaryEmailAddressId } = await clerk.users.getUser(userId);
  await clerk.emailAddresses.updateEmailAddress(primaryEmailAddressId ?? '', { verified });
}

describe('the sign-up bonus', () => {
  it('grants the sign-up bonus once to a user with simultaneous first requests on two instances', async () => {
    const user = await newUser();
    const calls = ['get_user_credit_breakdown', 'grant_daily_credits_by_jwt'];
    await Promise.all([0, 1, 2, 3].flatMap((n) => calls.map((name) => call(user, name, apps[n % 2]))));
    expect(await breakdown(user)).toMatchObject({ bonus_credits: 30, daily_credits: 10, sign_up_bonus: 'granted' });
    expect(await bonusesOf(user)).toBe(1);
    expect(await claimsOf(user.userId)).toHaveLength(1);
  });

  it('grants the sign-up bonus to one of two simultaneous users with addresses of one mailbox', async () => {
    const name = unique();
    const users = [await newUser(`${name}@gmail.com`), await newUser(`${name[0]}.${name.slice(1)}+fan@googlemail.com`)];
    const balances = await Promise.all(users.map((user, n) => breakdown(user, apps[n])));
    expect(balances.map(({ total_balance: total }) => total).sort()).toEqual([0, 30]);
    expect(balances.map(({ sign_up_bonus: state }) => state).sort()).toEqual(['granted', 'taken']);
    const other = users[balances.findIndex(({ sign_up_bonus: state }) => state === 'taken')];
    await call(other as ApiUser, 'grant_daily_credits_by_jwt');
    expect(await breakdown(other as ApiUser)).toMatchObject({ total_balance: 10, sign_up_bonus: 'taken' });
  });

  it('completes a claimed sign-up bonus by a repeat after a crash', async () => {
    const user = await newUser();
    await call(user, 'check_admin_by_jwt');
    expect(await app.get(OncePerPerson).claim(user.userId)).toBe('claimed');
    expect(await bonusesOf(user)).toBe(0);
    // The address changes before the repeat. The claim counts.
    await webhook('user.updated', userData(user.userId, `${unique()}@example.com`, 'unverified'));
    expect(await breakdown(user, apps[1])).toMatchObject({ bonus_credits: 30, sign_up_bonus: 'granted' });
  });

  it('grants no second sign-up bonus to a person who deletes the account and returns, with any earlier address', async () => {
    const addresses = [`${unique()}@example.com`, `${unique()}@example.com`];
    const user = await newUser(addresses[0]);
    await breakdown(user);
    await webhook('user.updated', userData(user.userId, addresses[1] ?? ''));
    await clerk.users.deleteUser(user.userId);
    await webhook('user.deleted', { id: user.userId, object: 'user', deleted: true });
    expect(await rowOf(user.userId)).toMatchObject({ email: null, address_hmac: null });
    expect(await claimsOf(user.userId)).toHaveLength(2);
    for (const address of addresses) {
      expect(await breakdown(await newUser(address))).toMatchObject({ total_balance: 0, sign_up_bonus: 'taken' });
    }
  });

  it('grants the sign-up bonus when a look-up or a webhook reports that the address is verified', async () => {
    const waiting = [await newUser(), await newUser()] as const;
    for (const user of waiting) {
      await setVerified(user, false);
      expect(await breakdown(user)).toMatchObject({ total_balance: 0, sign_up_bonus: 'waiting' });
      await call(user, 'grant_daily_credits_by_jwt');
      expect(await breakdown(user)).toMatchObject({ total_balance: 10, sign_up_bonus: 'waiting' });
      await setVerified(user, true);
    }
    clock.advance(15_000);
    expect(await breakdown(waiting[0])).toMatchObject({ total_balance: 40, lifetime_earned: 40 });
    await webhook('user.updated', userData(waiting[1].userId, `${unique()}@example.com`), apps[1]);
    await call(waiting[1], 'grant_daily_credits_by_jwt');
    expect(await breakdown(waiting[1])).toMatchObject({ total_balance: 40, sign_up_bonus: 'granted' });
  });

  it('grants the sign-up bonus at the next visit after the provider did not answer', async () => {
    const user = await newUser();
    expect(await breakdown(user, offline)).toMatchObject({ total_balance: 0, sign_up_bonus: 'waiting' });
    expect(await rowOf(user.userId)).toMatchObject({ updated_at: null });
    expect(await breakdown(user)).toMatchObject({ total_balance: 30, sign_up_bonus: 'granted' });
  });

  it('grants no sign-up bonus for an address that imitates another one', async () => {
    const user = await newUser();
    await webhook('user.updated', userData(user.userId, 'mir\u0430@example.com'));
    expect(await breakdown(user)).toMatchObject({ total_balance: 0, sign_up_bonus: 'refused' });
  });

  it('claims the sign-up bonus for users of a version without claims', async () => {
    const address = `${unique()}@example.com`;
    const old = { id: `user_${unique()}`, email: address, created_at: clock.now(), updated_at: clock.now() };
    await database.db
      .insertInto('app_user')
      .values([old, { ...old, id: `${old.id}2` }])
      .execute();
    await app.get(BonusClaims).onApplicationBootstrap();
    expect(await claimsOf(old.id)).toHaveLength(1);
    expect(await claimsOf(`${old.id}2`)).toHaveLength(0);
    expect(await breakdown(await newUser(address))).toMatchObject({ sign_up_bonus: 'taken' });
  });

  it('names a sign-up bonus without a claim', async () => {
    const verify = async (): Promise<LedgerProblem[]> => {
      await app.project();
      return (await verifiedLedger(app, () => clock.now())).problems;
    };
    const user = await newUser();
    await breakdown(user);
    expect(await verify()).toEqual([]);
    await database.db.deleteFrom('bonus_claim').where('user_id', '=', user.userId).execute();
    const stream = `creditAccount-${user.userId}`;
    const problem = { stream, version: null, kind: 'lot', what: 'The sign-up bonus was granted without a claim.' };
    expect(await verify()).toEqual([problem]);
  });
});

describe('the key of the claims', () => {
  it('stays in the data folder, readable by its owner, and stops the start when it is lost or replaced', async () => {
    const { db, close } = await withTestDatabase<IdentityTables>();
    const folder = await mkdtemp(join(tmpdir(), 'fanvas-key-'));
    const file = join(folder, 'bonus-claim-key');
    const now = clock.now();
    const store = new FolderKeys(folder);
    const keys = await Promise.all([claimKey(db, null, store, now), claimKey(db, null, store, now)]);
    expect(keys[0]).toEqual(keys[1]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await rm(file);
    await expect(claimKey(db, null, store, now)).rejects.toThrow(
      `Sign-up bonuses were claimed, and the key of the claims is missing: set BONUS_CLAIM_KEY to the key of the claims, or restore ${file}.`,
    );
    await expect(claimKey(db, Buffer.alloc(32), store, now)).rejects.toThrow('were claimed under another key');
    await expect(claimKey(db, keys[0], store, now)).resolves.toEqual(keys[0]);
    await close();
    await rm(folder, { recursive: true });
  });
});

describe('a user without a record at the provider', () => {
  const statusOf = async (user: ApiUser): Promise<unknown> => {
    const { status, body } = await call<{ details?: string }>(user, 'get_user_credit_breakdown');
    return status === 200 ? status : body.details;
  };

  it('gets a 401, keeps the data, and has access again when a later look-up finds the user', async () => {
    const user = await newUser();
    expect(await statusOf(user)).toBe(200);
    const { email } = await rowOf(user.userId);
    hidden.add(user.userId);
    // The call reads the roles from the provider.
    expect((await call(user, 'grant_bonus_credits')).status).toBe(403);
    expect(await rowOf(user.userId)).toMatchObject({ email, missing_at: clock.now(), deleted_at: null });
    expect(await app.get(Users).find(user.userId)).toMatchObject({ email });
    hidden.delete(user.userId);
    expect(await statusOf(user)).toBe('user-missing');
    clock.advance(5_000);
    expect(await statusOf(user)).toBe(200);
    expect(await rowOf(user.userId)).toMatchObject({ email, missing_at: null, looked_up_at: null });
  });

  it('has access at once when a webhook reports the user', async () => {
    const user = await newUser();
    hidden.add(user.userId);
    expect(await statusOf(user)).toBe('user-missing');
    await webhook('user.created', userData(user.userId, `${unique()}@example.com`));
    expect(await statusOf(user)).toBe(200);
  });
});
