import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { v7 } from 'uuid';
import { type RunningApp } from '../../src/composition/compose.js';
import { startFanvas } from '../../src/composition/compose.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { addingCreator } from '../support/adding-creator.js';
import { type ApiUser, signUp } from '../support/api-client.js';
import { freePort } from '../support/app-process.js';
import { withTestDatabase, type TestDatabase } from '../support/database.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

jest.setTimeout(60_000);

const BUSY = { code: '57P03', message: 'The service is busy. Please try again in a moment.' };
let database: TestDatabase<unknown>;
let proxy: TcpProxy;
let dataDir: string;
let app: RunningApp;
let fan: ApiUser;
let creatorId: string;

beforeAll(async () => {
  database = await withTestDatabase();
  proxy = await startTcpProxy(database.url);
  dataDir = await mkdtemp(join(tmpdir(), 'fanvas-slow-'));
  const settings = { DATABASE_URL: proxy.url, DATA_DIR: dataDir, PORT: String(await freePort()) };
  app = await startFanvas(loadConfig({ ...settings, SANDBOX_DRAW_MS: '600000', LOG_LEVEL: 'silent' }, '/'));
  ({ creatorId } = await app.context.get(CommandBus).execute(addingCreator('slow')));
});
afterAll(async () => {
  proxy?.resume();
  await app?.stop();
  await proxy?.close();
  await database?.close();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  fan = await signUp(app.url, `${v7()}@fans.test`, 'correct-horse-9');
  // Puts this user into the caches of the process, as for most requests.
  expect((await fan.rpc('get_user_credit_breakdown')).status).toBe(200);
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function ask(method: 'GET' | 'POST', path: string, user: ApiUser | null, body?: object): Promise<Answer> {
  const headers = {
    ...(body ? { 'Content-Type': 'application/json' } : {}),
    ...(user ? { Authorization: `Bearer ${await user.token()}` } : {}),
  };
  const response = await fetch(app.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
const rpc = (name: string, user: ApiUser | null, body: object = {}): Promise<Answer> =>
  ask('POST', `/rest/v1/rpc/${name}`, user, body);

/** The fan's credits, and the number of generations in any state. */
async function holdings(): Promise<{ credits: unknown; generations: number }> {
  const { body } = await fan.rpc<{ total_balance: number }>('get_user_credit_breakdown');
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::int as count from generation where user_id = $1',
    [fan.userId],
  );
  return { credits: body.total_balance, generations: rows[0]?.count ?? 0 };
}
const start = (): Promise<Answer> =>
  rpc('start_generation_by_jwt', fan, { p_prompt: 'A fox', p_creator_id: creatorId });

it('answers every caller while the database does not respond, and changes nothing', async () => {
  const before = await holdings();
  proxy.stall();
  const [page, ready, grant, answers] = await Promise.all([
    ask('GET', '/slow', null),
    ask('GET', '/readyz', null),
    rpc('grant_daily_credits_by_jwt', fan),
    Promise.all([
      ...['get_public_creators', 'get_credit_bundles'].map((name) => rpc(name, null)),
      ...['get_user_transactions_by_jwt', 'has_active_pending_generation_jwt'].map((name) => rpc(name, fan)),
      rpc('get_user_generations_by_jwt_paginated', fan),
      ask('GET', '/rest/v1/generations?order=created_at.desc', fan),
      ask('GET', '/sitemap.xml', null),
      start(),
    ]),
  ]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 503, body: BUSY });
  // The check of its rate limit can fail before the time is spent. The grant itself then fails, which the contract
  // answers with 200.
  const notGranted = { status: 200, body: expect.objectContaining({ success: false, error_code: 'DATABASE_ERROR' }) };
  expect([{ status: 503, body: expect.objectContaining(BUSY) }, notGranted]).toContainEqual(grant);
  // The page is served with the default head.
  expect(page.status).toBe(200);
  expect(ready).toMatchObject({ status: 503, body: { message: 'The database does not answer.' } });
  proxy.cut();
  proxy.resume();
  expect(await holdings()).toEqual(before);
});

it('answers when the database has cancelled a slow statement, and stores nothing of it', async () => {
  const before = await holdings();
  const blocker = await database.pool.connect();
  try {
    await blocker.query('begin');
    await blocker.query('lock table generation, credit_bundle in access exclusive mode');
    const [started, bundles] = await Promise.all([start(), rpc('get_credit_bundles', null)]);
    expect(started).toMatchObject({ status: 503, body: { message: 'Failed to create generation record' } });
    expect(bundles).toMatchObject({ status: 503, body: BUSY });
    // An abandoned statement would still wait for the lock.
    const { rows } = await database.pool.query(
      `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query ~ 'insert into "generation"|from "credit_bundle"'`,
    );
    expect(rows).toEqual([]);
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  expect(await holdings()).toEqual(before);
  expect((await start()).status).toBe(200);
});

it('answers that the outcome is unknown when the answer to a change is lost', async () => {
  expect((await start()).status).toBe(200);
  proxy.loseAnswerTo('coalesce(hidden_at');
  const { rows } = await database.pool.query<{ id: string }>(
    `update generation set status = 'completed', image = '{}', completed_at = now(), credits_closed_at = now()
     where user_id = $1 returning id`,
    [fan.userId],
  );
  const hide = (): Promise<Answer> => rpc('hide_generation_by_jwt', fan, { p_generation_id: rows[0]?.id });
  expect(await hide()).toMatchObject({ status: 503, body: { code: 'UNKNOWN_OUTCOME' } });
  expect((await hide()).status).toBe(200);
});

it('reports an unknown outcome, not a failure, when the answer to the insert of a start is lost', async () => {
  const other = await signUp(app.url, 'lost@fans.test', 'correct-horse-9');
  const credits = await other.rpc('get_user_credit_breakdown');
  const request = { p_prompt: 'A fox', p_creator_id: creatorId };
  proxy.loseAnswerTo('insert into "generation"');
  expect(await rpc('start_generation_by_jwt', other, request)).toMatchObject({
    status: 503,
    body: { code: 'UNKNOWN_OUTCOME' },
  });
  const { rows } = await database.pool.query('select status from generation where user_id = $1', [other.userId]);
  expect(rows).toEqual([{ status: 'pending' }]);
  expect((await other.rpc('get_user_credit_breakdown')).body).toEqual(credits.body);
});
