import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type GenerationView } from '../../src/contract/generation.js';
import { RATE_LIMITS } from '../../src/contract/rate-limits.js';
import { GrantDailyCredits } from '../../src/credits/index.js';
import { OpenStreams } from '../../src/generation/http/open-streams.js';
import { GenerationApp } from '../support/generation-app.js';
import { eventsOf } from '../support/generation-events.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { verifiedLedger } from '../support/verified-ledger.js';

/** Twice the amount of the process that started first. */
const NEW_AMOUNT = 20;

let first: GenerationApp;
let second: TestApp;
let creatorId: string;

beforeAll(async () => {
  first = await GenerationApp.start();
  second = await startTestApp({
    database: { pool: first.pool },
    settings: { DAILY_GRANT_CREDITS: String(NEW_AMOUNT) },
    overrides: { clock: first.clock, imageProvider: first.provider, storage: first.storage },
  });
  creatorId = await first.newCreator();
});
afterAll(async () => {
  await second?.close();
  await first?.close();
});

/** Opens the live stream of a generation at an app. */
const open = (app: TestApp, id: string, userId: string, signal?: AbortSignal): Promise<Response> =>
  app.read(`events/generations/${id}`, userId, signal);

describe('two processes on one database', () => {
  it('shows the live status of a generation at the process that does not work on it', async () => {
    const { userId, id, predictionId } = await first.drawing(creatorId);
    const events = eventsOf(await open(second, id, userId));
    expect((await events.next()).value).toMatchObject({ status: 'pending', phase: 'queued' });
    await first.succeed(predictionId);
    const rest: GenerationView[] = [];
    for await (const event of events) rest.push(event);
    expect(rest.at(-1)).toMatchObject({ status: 'completed', image_url: expect.stringMatching(/^\/media\//) });
  });

  it('allows a person ten live streams in both processes together, and counts none that has ended', async () => {
    const { userId, id } = await first.drawing(creatorId);
    const aborts = Array.from({ length: 10 }, () => new AbortController());
    const opened = await Promise.all(
      aborts.map(({ signal }, index) => open(index < 7 ? first : second, id, userId, signal)),
    );
    expect(opened.map(({ status }) => status)).toEqual(Array(10).fill(200));
    for (const app of [first, second]) {
      const refused = await open(app, id, userId);
      expect(refused.status).toBe(429);
      await refused.arrayBuffer();
    }
    aborts[0]?.abort();
    const last = new AbortController();
    await until(async () => {
      await first.get(OpenStreams).renew();
      const answer = await open(second, id, userId, last.signal);
      if (answer.status !== 200) await answer.arrayBuffer();
      return answer.status === 200;
    }, 'the place of the stream that has ended');
    for (const abort of [...aborts, last]) abort.abort();
    // Without open streams nothing is reported any more.
    await until(async () => {
      for (const app of [first, second]) await app.get(OpenStreams).renew();
      const { rows } = await first.pool.query('select 1 from generation_open_stream');
      return rows.length === 0;
    }, 'the rows of both processes to go');
  });

  it('keeps the highest count until the next renewal when requests at the same time are stored in another order', async () => {
    const { userId, id } = await first.drawing(creatorId);
    const streams = first.get(OpenStreams);
    const stored = async (): Promise<unknown> => {
      const query = 'select streams from generation_open_stream where user_id = $1';
      return (await first.pool.query<{ streams: number }>(query, [userId])).rows[0]?.streams;
    };
    const aborts = [new AbortController(), new AbortController()];
    const renewals = jest.spyOn(streams, 'renew').mockResolvedValue(undefined);
    await open(first, id, userId, aborts[0]?.signal);
    // As if the report of a later stream had been stored first.
    await first.pool.query('update generation_open_stream set streams = 7 where user_id = $1', [userId]);
    await open(first, id, userId, aborts[1]?.signal);
    expect(await stored()).toBe(7);
    renewals.mockRestore();
    await streams.renew();
    expect(await stored()).toBe(2);
    for (const abort of aborts) abort.abort();
  });

  it('counts the streams of a process that was killed for fifteen seconds at most', async () => {
    const { userId, id } = await first.drawing(creatorId);
    const report = (age: string): Promise<unknown> =>
      first.pool.query(
        `insert into generation_open_stream (process, user_id, streams, renewed_at)
         values (gen_random_uuid(), $1, 10, clock_timestamp() - $2::interval)`,
        [userId, age],
      );
    await report('16 seconds');
    const abort = new AbortController();
    expect((await open(first, id, userId, abort.signal)).status).toBe(200);
    await report('14 seconds');
    const refused = await open(first, id, userId);
    expect(refused.status).toBe(429);
    await refused.arrayBuffer();
    abort.abort();
  });

  it('counts the requests of a person at both processes against one limit', async () => {
    const userId = await first.newUser();
    const { max } = RATE_LIMITS.dailyGrant;
    const statuses: number[] = [];
    for (let request = 0; request <= max; request += 1) {
      const app = request % 2 === 0 ? first : second;
      statuses.push((await app.rpc('grant_daily_credits_by_jwt', userId, {})).status);
    }
    expect(statuses).toEqual([...Array<number>(max).fill(200), 429]);
  });

  it('grants the new daily amount after a rolling start, also in the process that has the old setting', async () => {
    const grantAt = async (app: TestApp): Promise<number> =>
      (await app.commands.execute(new GrantDailyCredits({ userId: await first.newUser() }))).amount;
    expect(await grantAt(second)).toBe(NEW_AMOUNT);
    expect(await grantAt(first)).toBe(NEW_AMOUNT);
    expect((await verifiedLedger(first, () => first.clock.now())).problems).toEqual([]);
  });
});
