import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type CreditBreakdown, type CreditTransaction } from '../../src/contract/credits.js';
import { type GenerationView, type StartGenerationResponse } from '../../src/contract/generation.js';
import { type ApiUser, rpc, signIn, signUp } from '../support/api-client.js';
import { type AppProcess, freePort, startApp } from '../support/app-process.js';
import { EventStoreDbProcess } from '../support/eventstoredb-process.js';

const CLI = fileURLToPath(new URL('../../dist/server/cli/ledger.js', import.meta.url));
const EMAIL = 'fan@eventstoredb.test';
const PASSWORD = 'correct-horse-9';

jest.setTimeout(120_000);

/**
 * The built product with its events in another process, which speaks EventStoreDB's protocol (our stand-in), through the real
 * client. The cases build on each other.
 */
describe('the product with its events in EventStoreDB', () => {
  let folder: string;
  let file: string;
  let port: number;
  let server: EventStoreDbProcess;
  let app: AppProcess;
  let fan: ApiUser;
  let creatorId: string;
  const pictures: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fanvas-eventstoredb-'));
    file = join(folder, 'events.ndjson');
    port = await freePort();
    server = await EventStoreDbProcess.start(file, await freePort());
    app = await start();
    const creators = await rpc<{ id: string }[]>(app.url, 'get_public_creators');
    creatorId = creators.body[0]?.id ?? '';
    fan = await signUp(app.url, EMAIL, PASSWORD);
  });

  afterAll(async () => {
    await app?.stop();
    await server?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  function start(): Promise<AppProcess> {
    const env = { SANDBOX_DEMO: 'small', SANDBOX_DRAW_MS: '150', EVENTSTORE_URL: server.url };
    return startApp({ dataDir: join(folder, 'data'), port, env });
  }

  async function balance(): Promise<number> {
    return (await fan.rpc<CreditBreakdown>('get_user_credit_breakdown')).body.total_balance;
  }

  async function generate(prompt: string): Promise<GenerationView> {
    const started = await fan.rpc<StartGenerationResponse>('start_generation_by_jwt', {
      p_prompt: prompt,
      p_creator_id: creatorId,
    });
    expect(started).toMatchObject({ status: 200, body: { success: true } });
    const id = started.body.generation_id;
    for (;;) {
      const { body } = await fan.rpc<GenerationView>('get_generation_by_id', { p_generation_id: id });
      if (body.status === 'completed' || (body.status === 'failed' && body.refunded)) return body;
      await delay(100);
    }
  }

  /** Until the projection shows it; a balance that never comes ends in the test's time limit. */
  async function expectBalance(expected: number): Promise<void> {
    while ((await balance()) !== expected) await delay(50);
  }

  async function ledger(
    environment: Record<string, string>,
    ...args: string[]
  ): Promise<{ code: number; said: string }> {
    const child = spawn(process.execPath, [CLI, ...args], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: join(folder, 'data'), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    const [code] = (await once(child, 'close')) as [number];
    return { code, said };
  }

  it('gives a new fan 40 credits and a picture for 10 of them', async () => {
    await fan.rpc('grant_daily_credits_by_jwt');
    await expectBalance(40);
    const made = await generate('a lighthouse in fog');
    expect(made.status).toBe('completed');
    const picture = await fetch(new URL(made.image_url ?? '', app.url));
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toMatch(/^image\//);
    pictures.push(made.id);
    await expectBalance(30);
    // They are there, and nowhere else.
    const events = await readFile(file, 'utf8');
    expect(events).toContain(`creditAccount-${fan.userId}`);
  });

  it('gives the credits of a failed picture back', async () => {
    const failed = await generate('a lighthouse [[fail]]');
    expect(failed).toMatchObject({ status: 'failed', refunded: true });
    await expectBalance(30);
  });

  it('says within five seconds that it cannot while the event store is away, and goes on when it is back', async () => {
    await server.kill();
    const began = performance.now();
    const refused = await fan.rpc<{ message: string }>('start_generation_by_jwt', {
      p_prompt: 'a lighthouse at night',
      p_creator_id: creatorId,
    });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(refused.status).toBeGreaterThanOrEqual(500);
    // A balance is never older than what the fan has done, so without the events there is none; what needs none goes on.
    expect((await fan.rpc('get_user_credit_breakdown')).status).toBeGreaterThanOrEqual(500);
    expect((await rpc(app.url, 'get_public_creators')).status).toBe(200);
    await server.start();
    await expectNothingPending();
    await expectBalance(30);
    const made = await generate('a lighthouse at dawn');
    expect(made.status).toBe('completed');
    pictures.push(made.id);
    await expectBalance(20);
  });

  /** The refused start has left nothing behind, or the reconciler has put it right. */
  async function expectNothingPending(): Promise<void> {
    while ((await fan.rpc<boolean>('has_active_pending_generation_jwt')).body) await delay(100);
  }

  it('has everything still after both processes were killed and started again', async () => {
    const before = await fan.rpc<CreditTransaction[]>('get_user_transactions_by_jwt', {
      page_size: 50,
      page_number: 1,
    });
    await app.kill();
    await server.kill();
    await server.start();
    app = await start();
    fan = await signIn(app.url, EMAIL, PASSWORD);
    expect(await balance()).toBe(20);
    const after = await fan.rpc<CreditTransaction[]>('get_user_transactions_by_jwt', { page_size: 50, page_number: 1 });
    expect(after.body.length).toBeGreaterThanOrEqual(5);
    expect(after.body).toEqual(before.body);
    for (const id of pictures) {
      const { body } = await fan.rpc<GenerationView>('get_generation_by_id', { p_generation_id: id });
      expect(body.status).toBe('completed');
      expect((await fetch(new URL(body.image_url ?? '', app.url))).status).toBe(200);
    }
    expect((await generate('a lighthouse in spring')).status).toBe('completed');
    await expectBalance(10);
  });

  it('passes the audit of the ledger, which reads the same event store', async () => {
    const settings = { EVENTSTORE_URL: server.url };
    const verified = await ledger(settings, 'verify');
    expect(verified).toMatchObject({ code: 0, said: expect.stringContaining('No problems found.') });
    expect(verified.said).toMatch(/[1-9]\d* accounts, [1-9]\d* events/);
    const balanceNow = await ledger(settings, 'balance', fan.userId);
    expect(balanceNow).toMatchObject({ code: 0, said: expect.stringContaining('10 credits') });
  });

  it('is audited with its own event store or not at all', async () => {
    const { code, said } = await ledger({}, 'verify');
    expect(code).not.toBe(0);
    expect(said).toContain('follow another kind of event store');
  });
});
