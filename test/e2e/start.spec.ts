import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppProcess, freePort, spawnApp, startApp } from '../support/app-process.js';
import { rpc, signIn } from '../support/api-client.js';
import { seededData } from '../support/seeded-data.js';
import { until } from '../support/until.js';

jest.setTimeout(90_000);

describe('start of the app', () => {
  let empty: string;
  beforeAll(async () => {
    empty = await mkdtemp(join(tmpdir(), 'fanvas-start-'));
  });
  afterAll(() => rm(empty, { recursive: true, force: true }));

  async function fails(env: Record<string, string>, port: number): Promise<string> {
    const app = spawnApp({ dataDir: empty, port, env });
    const { code } = await app.exited;
    expect(code).toBe(1);
    return app.output().trim();
  }

  it('stops with one sentence when the port is in use', async () => {
    const taken = createServer().listen(0, 'localhost');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await fails({}, port)).toBe(
      `Port ${port} is in use: stop the program that uses it, or set PORT to another one.`,
    );
    taken.close();
  });

  it('stops with one sentence when the database cannot be reached, and does not show its password', async () => {
    const port = await freePort();
    const output = await fails({ DATABASE_URL: `postgres://u:hush@127.0.0.1:${port}/x` }, await freePort());
    expect(output).toBe(`The database at 127.0.0.1:${port} does not accept connections; check DATABASE_URL.`);
  });

  it('stops with one sentence when the event store cannot be reached', async () => {
    const port = await freePort();
    const output = await fails({ EVENTSTORE_URL: `kurrentdb://u:hush@127.0.0.1:${port}?tls=false` }, await freePort());
    expect(output.split('\n')).toEqual([
      'Starting the database…',
      `The event store at 127.0.0.1:${port} does not answer; check EVENTSTORE_URL.`,
    ]);
  });

  it('stops with one sentence when a setting is wrong', async () => {
    expect(await fails({ LOG_LEVEL: 'loud' }, await freePort())).toMatch(/^LOG_LEVEL must be one of .+$/);
  });

  describe('running app', () => {
    let app: AppProcess;
    let dataDir: string;
    beforeAll(async () => {
      dataDir = await seededData();
      app = await startApp({ dataDir, port: await freePort(), env: { SANDBOX_DEMO: 'small' } });
    });
    afterAll(async () => {
      await app?.stop();
      await rm(dataDir, { recursive: true, force: true });
    });

    it('keeps the creators and their pictures over a restart', async () => {
      const before = await rpc<{ id: string; works: unknown[] }[]>(app.url, 'get_public_creators');
      expect(before.body.map(({ works }) => works.length)).toEqual([3, 3]);
      await app.stop();
      app = await startApp({ dataDir, port: await freePort(), env: { SANDBOX_DEMO: 'small' } });
      expect((await rpc(app.url, 'get_public_creators')).body).toEqual(before.body);
    });

    it('starts with one sentence when the demo cannot be completed', async () => {
      const progress = join(dataDir, 'sandbox', 'demo-seed.json');
      const before = await readFile(progress);
      await app.stop();
      await writeFile(progress, '{');
      app = await startApp({ dataDir, port: await freePort(), env: { SANDBOX_DEMO: 'small' } });
      expect(app.output()).toMatch(/^The demo could not be completed: .+$/m);
      expect(app.output()).not.toMatch(/^ +at /m);
      await writeFile(progress, before);
    });

    it('gives the admin role to one demo account only', async () => {
      const isAdmin = async (name: string) =>
        (await (await signIn(app.url, `${name}@fanvas.test`, 'fanvas-demo-1')).rpc('check_admin_by_jwt')).body;
      expect(await isAdmin('admin')).toBe(true);
      for (const name of ['fan', 'creator', 'finance', 'auditor']) expect(await isAdmin(name)).toBe(false);
    });

    it('reports the progress of the projections, and counts requests by route, not by address', async () => {
      const askReady = async () =>
        (await (await fetch(`${app.url}/readyz`)).json()) as { readonly projections: readonly { state: string }[] };
      // The projections may still be applying the events of the start.
      await until(async () => (await askReady()).projections.every(({ state }) => state === 'current'), 'projections');
      const ready = await askReady();
      const current = { state: 'current', lagEvents: 0, failing: false, position: expect.any(String), rebuild: null };
      expect(ready).toMatchObject({
        status: 'ready',
        projections: expect.arrayContaining([expect.objectContaining({ name: 'credit_account', ...current })]),
      });
      const forwarded = { headers: { 'x-forwarded-for': '203.0.113.1' } };
      for (const path of ['/metrics', '/readyz']) {
        expect((await fetch(app.url + path, forwarded)).status).toBe(403);
      }
      const metrics = await (await fetch(`${app.url}/metrics`)).text();
      expect(metrics).toMatch(/^fanvas_projection_lag_events\{projection="credit_account"\} 0$/m);
      expect(metrics).toMatch(/^fanvas_projection_state\{projection="credit_account",state="current"\} 1$/m);
      expect(metrics).toMatch(
        /^fanvas_http_request_duration_seconds_count\{method="GET",route="\/readyz",status="2xx"\} \d+$/m,
      );
      expect(metrics).toMatch(/^process_resident_memory_bytes \d+$/m);
    });

    it('answers another Host with 403 while a sandbox runs', async () => {
      const port = Number(new URL(app.url).port);
      const answer = await new Promise<string>((resolve, reject) => {
        void import('node:net').then(({ connect }) => {
          const socket = connect(port, '127.0.0.1', () => {
            socket.end('GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
          });
          let text = '';
          socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
          socket.on('end', () => resolve(text));
          socket.on('error', reject);
        });
      });
      expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    });
  });
});
