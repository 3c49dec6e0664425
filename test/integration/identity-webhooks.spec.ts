import { type IncomingHttpHeaders } from 'node:http';
import { createClerkClient, type ClerkClient } from '@clerk/backend';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type IdentityTables } from '../../src/identity/tables.js';
import { SystemClock } from '../../src/platform/clock.js';
import { Authenticator } from '../../src/platform/principal.js';
import { signedHeaders } from '../../src/sandbox/webhook.js';
import { signUp } from '../support/api-client.js';
import { removeData, startClerkServer, type ClerkServer } from '../support/clerk-server.js';
import { startIdentityApp } from '../support/identity-app.js';
import { type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

jest.setTimeout(30_000);

const PASSWORD = 'correct-horse-9';

interface Delivery {
  readonly headers: Record<string, string>;
  readonly body: string;
}

function svixHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ['content-type', 'svix-id', 'svix-timestamp', 'svix-signature'];
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}

describe('identity webhooks', () => {
  let receiver: WebhookReceiver<Delivery>;
  let server: ClerkServer;
  let clerk: ClerkClient;
  let app: TestApp;

  beforeAll(async () => {
    receiver = new WebhookReceiver('/webhooks/clerk', (body, headers) => ({
      headers: svixHeaders(headers),
      body: body.toString('utf8'),
    }));
    await receiver.listen();
    server = await startClerkServer({ webhookUrl: receiver.url });
    const { settings } = server.sandbox;
    clerk = createClerkClient({ ...settings, apiUrl: server.apiUrl, telemetry: { disabled: true } });
    app = await startIdentityApp({
      clock: new SystemClock(),
      publicUrl: server.url,
      clerk: { ...settings, apiUrl: server.apiUrl },
    });
  });
  afterAll(async () => {
    await app.close();
    await server.stop();
    await removeData(server);
    await receiver.close();
  });

  /** The first delivery that matches, among those received and those to come. */
  const waitFor = (matches: (event: { type: string; data: { id: string } }) => boolean): Promise<Delivery> =>
    until(
      () => receiver.received.find(({ body }) => matches(JSON.parse(body) as Parameters<typeof matches>[0])),
      'the delivery',
    );

  async function pass(delivery: Delivery): Promise<number> {
    const response = await fetch(`${app.url}/webhooks/clerk`, { method: 'POST', ...delivery });
    return response.status;
  }

  const rowOf = (id: string) =>
    app.tables<IdentityTables>().selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirst();

  function signed(event: object, options: { id?: string; timestamp?: number; secret?: string } = {}): Delivery {
    const { id = 'msg_1', timestamp = Math.floor(Date.now() / 1000) } = options;
    const { secret = server.sandbox.settings.webhookSecret } = options;
    const body = JSON.stringify(event);
    const headers = signedHeaders('svix', secret, { id, body }, timestamp * 1000);
    return { body, headers: { 'content-type': 'application/json', ...headers } };
  }

  it("stores the user before the user's first request", async () => {
    const user = await signUp(server.url, 'hooked@example.com', PASSWORD);
    const delivery = await waitFor(({ type, data }) => type === 'user.created' && data.id === user.userId);
    expect(await pass(delivery)).toBe(200);
    expect(await rowOf(user.userId)).toMatchObject({ email: 'hooked@example.com', deleted_at: null });
  });

  it('keeps the newest state when deliveries repeat or come out of order', async () => {
    const user = await signUp(server.url, 'ordered@example.com', PASSWORD);
    await clerk.users.updateUserMetadata(user.userId, { publicMetadata: { roles: ['admin'] } });
    await clerk.users.updateUserMetadata(user.userId, { publicMetadata: { roles: ['auditor'] } });
    const having = (role: string) =>
      waitFor(({ data }) => data.id === user.userId && JSON.stringify(data).includes(`"${role}"`));
    const older = await having('admin');
    const newer = await having('auditor');
    const created = await waitFor(({ type, data }) => type === 'user.created' && data.id === user.userId);
    for (const delivery of [newer, older, created, newer, older]) expect(await pass(delivery)).toBe(200);
    expect((await rowOf(user.userId))?.roles).toEqual(['auditor']);
  });

  it('ends the access of a deleted user at once and permanently', async () => {
    const user = await signUp(server.url, 'deleted@example.com', PASSWORD);
    const token = await user.token();
    const authenticator = app.get(Authenticator);
    await authenticator.authenticate(token);
    await clerk.users.deleteUser(user.userId);
    expect(await pass(await waitFor(({ type, data }) => type === 'user.deleted' && data.id === user.userId))).toBe(200);
    await expect(authenticator.authenticate(token)).rejects.toMatchObject({ kind: 'unauthenticated' });
    // The webhook of the sign-up arrives after that of the deletion.
    await pass(await waitFor(({ type, data }) => type === 'user.created' && data.id === user.userId));
    expect(await rowOf(user.userId)).toMatchObject({
      email: null,
      name: null,
      roles: [],
      deleted_at: expect.any(Date),
    });
    await expect(authenticator.authenticate(token)).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  it('refuses a forged, changed, stale or unsigned webhook', async () => {
    const event = { type: 'user.deleted', object: 'event', data: { id: 'user_victim', object: 'user', deleted: true } };
    const now = Math.floor(Date.now() / 1000);
    const genuine = signed(event);
    const { 'svix-signature': _, ...unsigned } = genuine.headers;
    const attempts: Delivery[] = [
      signed(event, { secret: `whsec_${Buffer.from('somebody else').toString('base64')}` }),
      { ...genuine, body: genuine.body.replace('user_victim', 'user_others') },
      { ...genuine, headers: { ...genuine.headers, 'svix-id': 'msg_2' } },
      signed(event, { timestamp: now - 310 }),
      signed(event, { timestamp: now + 330 }),
      { ...genuine, headers: unsigned },
    ];
    for (const attempt of attempts) expect(await pass(attempt)).toBe(400);
    expect(await rowOf('user_victim')).toBeUndefined();
    expect(await pass(genuine)).toBe(200);
    expect((await rowOf('user_victim'))?.deleted_at).toBeInstanceOf(Date);
  });

  it.each([null, {}, [], 'user', { id: 7, email_addresses: [], public_metadata: {} }, { id: 'user_x' }])(
    'refuses a signed event of a user without the fields of one: %j',
    async (data) => {
      for (const type of ['user.created', 'user.updated']) {
        expect(await pass(signed({ type, object: 'event', data }))).toBe(400);
      }
    },
  );

  it('acknowledges events of other types', async () => {
    expect(await pass(signed({ type: 'session.created', object: 'event', data: { id: 'sess_1' } }))).toBe(200);
  });

  it('receives each webhook until it acknowledges it, also after a restart of the sandbox', async () => {
    receiver.answers.push(...Array<number>(1000).fill(503));
    const user = await signUp(server.url, 'patient@example.com', PASSWORD);
    const about = ({ data }: { data: { id: string } }): boolean => data.id === user.userId;
    const first = await waitFor(about);
    receiver.received.length = 0;
    await waitFor(about);
    await server.stop();
    receiver.received.length = 0;
    receiver.answers.length = 0;
    const { dataDir, url } = server;
    server = await startClerkServer({ dataDir, webhookUrl: receiver.url, port: Number(new URL(url).port) });
    const last = await waitFor(about);
    expect(last.headers['svix-id']).toBe(first.headers['svix-id']);
    expect(await pass(last)).toBe(200);
  });
});
