import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type LedgerExportPage } from '../../src/contract/audit.js';
import { type CreditBreakdown, type CreditTransaction } from '../../src/contract/credits.js';
import { type GenerationView, type StartGenerationResponse } from '../../src/contract/generation.js';
import { connectToEventStoreDb } from '../../src/platform/event-store/eventstoredb-client.js';
import { type ApiUser, rpc, signIn, signUp } from '../support/api-client.js';
import { type AppProcess, freePort, spawnApp, startApp } from '../support/app-process.js';
import { EventStoreDbProcess } from '../support/eventstoredb-process.js';
import { runCommandLine } from '../support/ledger-cli.js';
import { until } from '../support/until.js';

const EMAIL = 'fan@eventstoredb.test';
const PASSWORD = 'correct-horse-9';
const WAIT_MS = 120_000;
/** The reads of a fan's own data have a rate limit of 50 a minute, which is kept over a restart. */
const POLL_MS = 2_000;
const WAITS = 'The demo galleries wait: ';
const hasDeduction = (events: string): boolean => events.includes('CreditsDeducted');

// A first start draws its pictures on a machine that may be busy with other suites.
jest.setTimeout(480_000);

/** Runs the built product against the EventStoreDB emulator, a separate process, through the real client. */
describe('product on EventStoreDB', () => {
  let folder: string;
  let file: string;
  let port: number;
  let server: EventStoreDbProcess;
  let app: AppProcess;
  let fan: ApiUser;
  let creatorId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fanvas-eventstoredb-'));
    file = join(folder, 'events.ndjson');
    port = await freePort();
    server = await EventStoreDbProcess.start(file, await freePort());
    app = spawnApp(options());
    // The event store fails while the app, which serves already, draws the galleries of its first start.
    await until(() => readFile(file, 'utf8').then(hasDeduction, () => false), 'the first picture', WAIT_MS, 10);
    await server.kill();
    await until(() => Promise.resolve(app.output().includes(WAITS)), 'the pause of the drawing', WAIT_MS, 50);
    await server.start();
    await until(() => Promise.resolve(app.output().includes('Fanvas is ready')), 'the start', WAIT_MS, 50);
    const creators = await rpc<{ id: string }[]>(app.url, 'get_public_creators');
    creatorId = creators.body[0]?.id ?? '';
    fan = await signUp(app.url, EMAIL, PASSWORD);
    await fan.rpc('grant_daily_credits_by_jwt');
  });

  afterAll(async () => {
    await app?.stop();
    await server?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  function options(): Parameters<typeof spawnApp>[0] {
    const env = { SANDBOX_DEMO: 'small', SANDBOX_DRAW_MS: '150', EVENTSTORE_URL: server.url };
    return { dataDir: join(folder, 'data'), port, env };
  }

  const start = (): Promise<AppProcess> => startApp(options());

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
    return until(
      async () => {
        const { body } = await fan.rpc<GenerationView>('get_generation_by_id', { p_generation_id: id });
        return body.status === 'completed' || (body.status === 'failed' && body.refunded) ? body : null;
      },
      'the end of the generation',
      WAIT_MS,
      100,
    );
  }

  /** Waits until the projection shows this balance. */
  async function expectBalance(expected: number): Promise<void> {
    await until(async () => (await balance()) === expected, `a balance of ${expected}`, WAIT_MS, POLL_MS);
  }

  /** Runs `npm run ledger` on the event store of the app. */
  const ledger = (...args: string[]) =>
    runCommandLine('ledger', args, { DATA_DIR: join(folder, 'data'), EVENTSTORE_URL: server.url });

  it('continues its first start after the event store failed, and keeps credits, pictures and history over outages', async () => {
    expect(app.output()).toContain(WAITS);
    expect(app.output()).not.toMatch(/could not be (drawn|completed)|^ +at /m);
    const creators = await rpc<{ works: unknown[] }[]>(app.url, 'get_public_creators');
    expect(creators.body.map(({ works }) => works.length)).toEqual([3, 3]);

    // A picture is paid, and the credits of a failed one return.
    await expectBalance(40);
    const made = await generate('a lighthouse in fog');
    expect(made.status).toBe('completed');
    await expectPicture(made.image_url);
    await expectBalance(30);
    expect(await readFile(file, 'utf8')).toContain(`creditAccount-${fan.userId}`);
    expect(await generate('a lighthouse [[fail]]')).toMatchObject({ status: 'failed', refunded: true });
    await expectBalance(30);

    // The event store is down.
    await server.kill();
    const refused = await fan.rpc<{ message: string }>('start_generation_by_jwt', {
      p_prompt: 'a lighthouse at night',
      p_creator_id: creatorId,
    });
    expect(refused.status).toBeGreaterThanOrEqual(500);
    // A balance must include the fan's last command, so its read needs the event store. Public reads do not.
    expect((await fan.rpc('get_user_credit_breakdown')).status).toBeGreaterThanOrEqual(500);
    expect((await rpc(app.url, 'get_public_creators')).status).toBe(200);
    await server.start();
    // If the refused generation was stored, the reconciler ends it.
    const isIdle = async () => !(await fan.rpc<boolean>('has_active_pending_generation_jwt')).body;
    await until(isIdle, 'the end of the refused generation', WAIT_MS, POLL_MS);
    await expectBalance(30);

    // Both processes are killed.
    const page = { page_size: 50, page_number: 1 };
    const before = await fan.rpc<CreditTransaction[]>('get_user_transactions_by_jwt', page);
    await app.kill();
    await server.kill();
    await server.start();
    app = await start();
    fan = await signIn(app.url, EMAIL, PASSWORD);
    expect(await balance()).toBe(30);
    const after = await fan.rpc<CreditTransaction[]>('get_user_transactions_by_jwt', page);
    expect(after.body.length).toBeGreaterThanOrEqual(5);
    expect(after.body).toEqual(before.body);
    const { body } = await fan.rpc<GenerationView>('get_generation_by_id', { p_generation_id: made.id });
    expect(body.status).toBe('completed');
    await expectPicture(body.image_url);
    expect((await generate('a lighthouse in spring')).status).toBe('completed');
    await expectBalance(20);
  });

  async function expectPicture(address: string | null): Promise<void> {
    const picture = await fetch(new URL(address ?? '', app.url));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)]);
  }

  it('passes a ledger audit of the same event store, and serves and audits the other accounts when a stream was deleted', async () => {
    const sound = await ledger('verify');
    expect(sound).toMatchObject({ code: 0, output: expect.stringContaining('No problems found.') });
    expect(sound.output).toMatch(/[1-9]\d* accounts, [1-9]\d* events/);
    const balanceNow = await ledger('balance', fan.userId);
    expect(balanceNow).toMatchObject({ code: 0, output: expect.stringContaining('20 credits') });

    const gone = await signUp(app.url, 'gone@eventstoredb.test', PASSWORD);
    await gone.rpc('grant_daily_credits_by_jwt');
    const stream = `creditAccount-${gone.userId}`;
    const client = connectToEventStoreDb(server.url.replace('kurrentdb:', 'esdb:'));
    await client.tombstoneStream(stream);
    await client.dispose();

    const refused = await gone.rpc('start_generation_by_jwt', { p_prompt: 'a lighthouse', p_creator_id: creatorId });
    expect(refused.status).toBe(410);
    expect((await generate('a harbour')).status).toBe('completed');
    await expectBalance(10);
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toMatch(/^fanvas_event_store_deleted_stream_calls_total [1-9]/m);

    const auditor = await signIn(app.url, 'auditor@fanvas.test', 'fanvas-demo-1');
    expect((await auditor.rpc('get_account_balance_at', { p_user_id: gone.userId })).status).toBe(410);
    const page = await auditor.rpc<LedgerExportPage>('export_ledger_events', { p_limit: 1_000 });
    expect(page.body).toMatchObject({ next_cursor: null, missing_accounts: [gone.userId] });

    const verified = await ledger('verify');
    expect(verified).toMatchObject({ code: 1, output: expect.stringContaining(`${stream}: version: The stream was`) });
    const sealed = await ledger('seal');
    expect(sealed).toMatchObject({ code: 1, output: expect.stringContaining(`${stream}: not in the seal`) });
    const exported = await ledger('export', '--out', join(folder, 'ledger.ndjson'));
    expect(exported).toMatchObject({
      code: 1,
      output: expect.stringContaining(`${stream}: version: The stream is not`),
    });
    const read = await ledger('balance', gone.userId);
    const sentence = `The stream ${stream} was deleted in the event store: its events are missing.`;
    expect(read).toEqual({ code: 1, output: `${sentence}\n` });
    for (const { output } of [verified, sealed, exported]) expect(output).not.toMatch(/^ +at /m);
  });
});
