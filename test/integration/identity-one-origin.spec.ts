import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClerkClient } from '@clerk/backend';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type IdentityTables } from '../../src/identity/tables.js';
import { type UserRow } from '../../src/identity/user-mirror.js';
import { SystemClock } from '../../src/platform/clock.js';
import { CLERK_SANDBOX_PREFIX, createClerkSandbox, type ClerkSandbox } from '../../src/sandbox/clerk/index.js';
import { signUp } from '../support/api-client.js';
import { freePort } from '../support/app-process.js';
import { startIdentityApp } from '../support/identity-app.js';
import { type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

jest.setTimeout(30_000);

describe('sandbox and application on one server', () => {
  let dataDir: string;
  let sandbox: ClerkSandbox;
  let app: TestApp;
  let url: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'fanvas-clerk-'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    sandbox = await createClerkSandbox({ dataDir, webhookUrl: `${url}/webhooks/clerk` });
    app = await startIdentityApp({
      port,
      clock: new SystemClock(),
      publicUrl: url,
      clerk: { ...sandbox.settings, apiUrl: `${url}${CLERK_SANDBOX_PREFIX}/backend` },
      mount: async (server) => {
        await server.register(sandbox.plugin, { prefix: CLERK_SANDBOX_PREFIX });
      },
    });
  });
  afterAll(async () => {
    await app.close();
    await sandbox.close();
    await rm(dataDir, { recursive: true });
  });

  const rowOf = (id: string): Promise<UserRow | undefined> =>
    app.tables<IdentityTables>().selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirst();

  const untilRow = (id: string, matches: (row: UserRow | undefined) => boolean): Promise<boolean> =>
    until(async () => matches(await rowOf(id)), 'the change of the user');

  it('mirrors a sign-up, a new role and a deletion through webhooks only', async () => {
    const user = await signUp(url, 'one@example.com', 'correct-horse-9');
    await untilRow(user.userId, (row) => row !== undefined);

    const clerk = createClerkClient({
      secretKey: sandbox.settings.secretKey,
      apiUrl: `${url}${CLERK_SANDBOX_PREFIX}/backend`,
    });
    await clerk.users.updateUserMetadata(user.userId, { publicMetadata: { roles: ['finance'] } });
    await untilRow(user.userId, (row) => row?.roles[0] === 'finance');

    await clerk.users.deleteUser(user.userId);
    await untilRow(user.userId, (row) => row?.deleted_at instanceof Date);
    expect(await rowOf(user.userId)).toMatchObject({ email: null, roles: [] });
  });

  it("answers the application's errors in the wire contract and the sandbox's errors as Clerk does", async () => {
    const refusal = await fetch(`${url}/webhooks/clerk`, { method: 'POST', body: '{}' });
    expect(Object.keys((await refusal.json()) as object)).toEqual(['code', 'message', 'details', 'hint']);
    const unknown = await fetch(`${url}${CLERK_SANDBOX_PREFIX}/v1/unknown`);
    expect(unknown.status).toBe(404);
    expect(Object.keys((await unknown.json()) as object)).toContain('errors');
  });
});
