import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { SchedulerRegistry } from '@nestjs/schedule';
import { type RunningApp, startFanvas } from '../../src/composition/compose.js';
import { ConfigError } from '../../src/platform/config/config.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { connectSandboxes } from '../../src/remote-sandboxes.js';
import { addingCreator } from '../support/adding-creator.js';
import { rpc, signUp } from '../support/api-client.js';
import { type AppProcess, freePort, startApp } from '../support/app-process.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';
import { controlProcessor, orderBundle, sessionOf } from '../support/sandbox-payments.js';
import { until } from '../support/until.js';

jest.setTimeout(90_000);

/** Two processes of one database need it. */
const FANVAS_MASTER_KEY = randomBytes(32).toString('base64');

let folder: string;
let database: TestDatabase<unknown>;
let sandboxes: AppProcess;
let first: RunningApp;
let second: RunningApp;
let secondUrl: string;
let worker: RunningApp;
let workerUrl: string;
let address: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fanvas-sandboxes-'));
  database = await withTestDatabase();
  const port = await freePort();
  const firstPort = await freePort();
  const secondPort = await freePort();
  const workerPort = await freePort();
  address = `http://127.0.0.1:${port}`;
  sandboxes = await startApp({
    file: 'sandbox/process.js',
    dataDir: folder,
    port: firstPort,
    env: { SANDBOXES_PORT: String(port), SANDBOX_DRAW_MS: '50' },
  });
  const start = (own: number, FANVAS_ROLES: string, FANVAS_MIGRATE = 'off'): Promise<RunningApp> =>
    startFanvas(
      loadConfig(
        {
          SANDBOXES_URL: address,
          DATABASE_URL: database.url,
          DATA_DIR: folder,
          FANVAS_MASTER_KEY,
          FANVAS_ROLES,
          FANVAS_MIGRATE,
          PORT: String(own),
          PUBLIC_URL: `http://localhost:${firstPort}`,
          LOG_LEVEL: 'silent',
        },
        '/',
      ),
    );
  first = await start(firstPort, 'web', 'on');
  second = await start(secondPort, 'web');
  secondUrl = `http://localhost:${secondPort}`;
  worker = await start(workerPort, 'worker');
  workerUrl = `http://localhost:${workerPort}`;
});
afterAll(async () => {
  await worker?.stop();
  await second?.stop();
  await first?.stop();
  await sandboxes?.stop();
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('sandboxes in a process of their own', () => {
  it('the sandboxes serve a fan who signs up at one process, and draws and buys at the other one', async () => {
    const { creatorId } = await first.context.get(CommandBus).execute(addingCreator('near'));
    const fan = await signUp(first.url, 'near@fans.test', 'correct-horse-9');
    const call = async <T>(name: string, body: object = {}): Promise<T> =>
      (await rpc<T>(secondUrl, name, body, await fan.token())).body;

    const request = { p_prompt: 'a fox in the snow', p_creator_id: creatorId };
    const { generation_id: id } = await call<{ generation_id: string }>('start_generation_by_jwt', request);
    await until(async () => !(await call('has_active_pending_generation_jwt')), 'the picture', 20_000, 250);
    const [row] = (await (
      await fetch(`${secondUrl}/rest/v1/generations?id=eq.${id}`, {
        headers: { Authorization: `Bearer ${await fan.token()}` },
      })
    ).json()) as { status: string }[];
    expect(row).toMatchObject({ status: 'completed' });

    const session = sessionOf((await orderBundle(secondUrl, fan)).body);
    expect((await fetch(`${secondUrl}/__sandbox/stripe/pay/${session}`)).status).toBe(200);
    await controlProcessor(secondUrl, 'pay', { session, card: 'pays' });
    const paid = async (): Promise<number> =>
      (await call<{ paid_credits: number }>('get_user_credit_breakdown')).paid_credits;
    await until(async () => (await paid()) === 250, 'the paid credits', 20_000, 250);
  });

  it('refuses a request for another host, at the app and at the sandboxes', async () => {
    for (const url of [first.url, address]) {
      const request = get(`${url}/__sandbox/settings`, { headers: { Host: 'evil.example' } });
      const [{ statusCode }] = (await once(request, 'response')) as [IncomingMessage];
      expect(statusCode).toBe(403);
    }
  });

  it('ends a start with one sentence when the sandboxes do not answer', async () => {
    const nowhere = `http://localhost:${await freePort()}`;
    const refused = connectSandboxes(nowhere);
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow(
      `No sandboxes answer at ${nowhere}: start them with npm run sandboxes, or remove SANDBOXES_URL.`,
    );
  });
});

describe('FANVAS_ROLES', () => {
  it('gives schedules and projections to workers only', () => {
    const schedules = [first, second, worker].map(({ context }) => context.get(SchedulerRegistry).getIntervals());
    expect(schedules).toEqual([[], [], expect.arrayContaining(['due-work', 'ledger-seal'])]);
  });

  it('lets a process without the web answer only how it is', async () => {
    const paths = ['/healthz', '/readyz', '/metrics?now', '/', '/rest/v1/generations', '/webhooks/stripe'];
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(`${workerUrl}${path}`)).status));
    expect(statuses).toEqual([200, 200, 200, 404, 404, 404]);
  });

  it('shows the figures of the database in one process at a time, and who holds which lock', async () => {
    const scrape = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();
    const valuesOf = (texts: readonly string[], name: string): number[] =>
      texts.flatMap((text) =>
        [...text.matchAll(new RegExp(`^${name}(?:{.*})? (.+)$`, 'gm'))].map(([, value]) => Number(value)),
      );
    const texts = [await scrape(workerUrl), await scrape(first.url), await scrape(secondUrl)];
    expect(valuesOf(texts, 'fanvas_payment_problems_open')).toEqual([0]);
    expect(valuesOf(texts, 'process_start_time_seconds')).toHaveLength(3);
    expect(valuesOf(texts, 'fanvas_lock_held_seconds')).toContainEqual(expect.any(Number));
    expect(texts.join()).toMatch(/^fanvas_lock_held_seconds{lock="metrics",owner=".+:\d+"} /m);

    await worker.stop();
    const later = [await scrape(first.url), await scrape(secondUrl)];
    expect(valuesOf(later, 'fanvas_payment_problems_open')).toEqual([0]);
  });
});
