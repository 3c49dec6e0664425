import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';
import { rpc, signIn, signUp } from '../support/api-client.js';
import { type AppProcess, freePort, spawnApp, startApp } from '../support/app-process.js';
import { createOwnerPool } from '../support/database.js';
import { seededData } from '../support/seeded-data.js';
import { until } from '../support/until.js';

jest.setTimeout(480_000);

const CLI = fileURLToPath(new URL('../../dist/server/cli/ledger.js', import.meta.url));
const DEMO = { SANDBOX_DEMO: 'small', SANDBOX_DRAW_MS: '100', LOG_LEVEL: 'info' };

let dataDir: string;
let app: AppProcess;

beforeAll(async () => {
  dataDir = await seededData();
});
afterAll(async () => {
  await app?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (): Promise<AppProcess> => startApp({ dataDir, port: await freePort(), env: DEMO });

/** Sends a request with this Host. @returns the first line of the answer */
async function askAs(host: string): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.end(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text.split('\r\n')[0] ?? '';
}

describe('process of the app', () => {
  it('stops with one sentence when the port is in use', async () => {
    const taken = createServer().listen(0, 'localhost');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const stopped = spawnApp({ dataDir, port });
    expect((await stopped.exited).code).toBe(1);
    expect(stopped.output()).toBe(
      `Port ${port} is in use: stop the program that uses it, or set PORT to another one.\n`,
    );
    taken.close();
  });

  it('serves without a complete demo, answers this machine only, logs nothing private, and keeps its data over a restart', async () => {
    const progress = join(dataDir, 'sandbox', 'demo-seed.json');
    const complete = await readFile(progress);
    await writeFile(progress, '{');
    app = await start();
    expect(app.output()).toMatch(/^The demo could not be completed: .+$/m);
    expect(app.output()).not.toMatch(/^ +at /m);

    const creators = await rpc<{ id: string; works: unknown[] }[]>(app.url, 'get_public_creators');
    expect(creators.body.map(({ works }) => works.length)).toEqual([3, 3]);
    const isAdmin = async (name: string) =>
      (await (await signIn(app.url, `${name}@fanvas.test`, 'fanvas-demo-1')).rpc('check_admin_by_jwt')).body;
    expect(await isAdmin('admin')).toBe(true);
    for (const name of ['fan', 'creator', 'finance', 'auditor']) expect(await isAdmin(name)).toBe(false);

    // Addresses that are no page
    for (const path of [
      ...['/rest/v1/rpc/get_public_creators', '/assets/nothing.js', '/.env'],
      ...['/media/..%2f..%2fpackage.json', '/media/%2e%2e%2fx/1024.webp'],
    ]) {
      expect([path, (await fetch(app.url + path)).status]).toEqual([path, 404]);
    }
    const index = await fetch(`${app.url}/index.html`);
    expect(index.headers.get('cache-control')).toBe('no-cache');
    expect(await index.text()).toContain('<script id="fanvas-config"');
    const post = (path: string, body: string, headers = {}): Promise<Response> =>
      fetch(app.url + path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body });
    const malformed = await post('/rest/v1/rpc/get_gallery_generations_public', '{"p_creator_id": ');
    expect(malformed.status).toBe(400);
    expect(await malformed.json()).toMatchObject({ code: '22023', message: 'The request is not valid.', hint: null });
    for (const path of ['/webhooks/replicate', '/webhooks/clerk']) {
      const unsigned = await post(path, '{"id":"x","status":"succeeded"}', { 'webhook-id': 'x', 'svix-id': 'x' });
      expect([400, 401]).toContain(unsigned.status);
    }
    expect(await askAs('evil.example')).toMatch(/^HTTP\/1\.1 403 /);

    // The projections may still be applying the events of the start.
    const ready = async () =>
      (await (await fetch(`${app.url}/readyz`)).json()) as { readonly projections: readonly { state: string }[] };
    await until(async () => (await ready()).projections.every(({ state }) => state === 'current'), 'projections');
    const current = { state: 'current', lagEvents: 0, failing: false, position: expect.any(String), rebuild: null };
    expect(await ready()).toMatchObject({
      status: 'ready',
      projections: expect.arrayContaining([expect.objectContaining({ name: 'credit_account', ...current })]),
    });
    const forwarded = { headers: { 'x-forwarded-for': '203.0.113.1' } };
    for (const path of ['/metrics', '/readyz']) expect((await fetch(app.url + path, forwarded)).status).toBe(403);
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toMatch(/^fanvas_projection_lag_events\{projection="credit_account"\} 0$/m);
    expect(metrics).toMatch(/^fanvas_projection_state\{projection="credit_account",state="current"\} 1$/m);
    expect(metrics).toMatch(
      /^fanvas_http_request_duration_seconds_count\{method="GET",route="\/readyz",status="2xx"\} \d+$/m,
    );
    expect(metrics).toMatch(/^process_resident_memory_bytes \d+$/m);

    const fan = await signUp(app.url, 'fan@start.test', 'correct-horse-9');
    const request = { p_prompt: 'a tower of quiet light', p_creator_id: creators.body[0]?.id };
    expect((await fan.rpc('start_generation_by_jwt', request)).status).toBe(200);
    const isIdle = async () => (await fan.rpc('has_active_pending_generation_jwt')).body === false;
    // Slower than the rate limit of the call
    await until(isIdle, 'the end of the generation', 60_000, 1_250);
    expect(app.output()).not.toContain('quiet light');
    expect(app.output()).not.toContain('@start.test');

    await app.stop();
    await writeFile(progress, complete);
    app = await start();
    expect((await rpc(app.url, 'get_public_creators')).body).toEqual(creators.body);
  });
});

interface Answer {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `npm run ledger` on a data folder; `onSpawn` receives the process. */
async function ledger(
  args: readonly string[],
  { data = dataDir, onSpawn }: { data?: string; onSpawn?: (child: ReturnType<typeof spawn>) => unknown } = {},
): Promise<Answer> {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: dataDir,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')));
  onSpawn?.(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

describe('process of npm run ledger', () => {
  it('works next to the app, and ends in order on a signal, without a reader and without a ledger', async () => {
    const key = await ledger(['public-key']);
    expect(key.code).toBe(0);
    expect(await (await fetch(`${app.url}/ledger/public-key.pem`)).text()).toBe(key.out);

    expect((await ledger(['export', '--out', 'ledger.ndjson'])).code).toBe(0);
    const unread = await ledger(['verify-export', 'ledger.ndjson', '--json'], {
      onSpawn: (child) => child.stdout?.destroy(),
    });
    // A slow run reports its progress there.
    expect(unread.err).not.toMatch(/error|EPIPE|^\s+at /im);

    // A lock blocks the exports, so that the signals arrive during an export.
    const postgres = await startEmbeddedPostgres({ folder: join(dataDir, 'postgres'), database: 'fanvas' });
    const pool = createOwnerPool(postgres.ownerUrl);
    const holder = await pool.connect();
    const interrupted = async (signal: NodeJS.Signals): Promise<Pick<Answer, 'code' | 'out'>> => {
      const name = `early-${signal}.ndjson`;
      const { code, out } = await ledger(['export', '--out', name], {
        onSpawn: async (child) => {
          const hasBegun = async () => (await readdir(dataDir)).some((each) => each.startsWith(`${name}.partial`));
          await until(async () => child.exitCode !== null || (await hasBegun()), 'the export', 60_000, 20);
          child.kill(signal);
        },
      });
      return { code, out };
    };
    try {
      await holder.query('begin; lock table event in access exclusive mode');
      expect(await Promise.all([interrupted('SIGINT'), interrupted('SIGTERM')])).toEqual([
        { code: 130, out: '' },
        { code: 143, out: '' },
      ]);
    } finally {
      await holder.query('rollback');
      holder.release();
      await pool.end();
      await postgres.stop();
    }
    expect((await readdir(dataDir)).filter((name) => name.startsWith('early'))).toEqual([]);
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200);

    const elsewhere = join(dataDir, 'elsewhere');
    expect(await ledger(['verify'], { data: elsewhere })).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no ledger in'),
    });
    expect(existsSync(join(elsewhere, 'postgres'))).toBe(false);
  });
});
