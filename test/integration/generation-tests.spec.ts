import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { GENERATION_TIMEOUT_MS, TEST_NOTE_MAX_LENGTH, TESTS_PER_DAY } from '../../src/contract/limits.js';
import { type StartTestResponse, type TestGeneration } from '../../src/contract/generation.js';
import { type CreatorTables } from '../../src/creators/tables.js';
import { CancelPending, CloseOwner, EraseOwner, ListUnerasedOwners } from '../../src/generation/index.js';
import { type GenerationFaultPoint } from '../../src/generation/steps/generation-steps.js';
import { type GenerationRow } from '../../src/generation/tables.js';
import { ReportGeneration } from '../../src/generation/use-cases/report-generation.js';
import { StartTest } from '../../src/generation/use-cases/start-test.js';
import { GenerationApp } from '../support/generation-app.js';
import { eventsOf } from '../support/generation-events.js';

jest.setTimeout(60_000);

const DAY_MS = 86_400_000;
const error = (message: string) => expect.objectContaining({ message, code: expect.any(String) });

let app: GenerationApp;

beforeAll(async () => {
  app = await GenerationApp.start();
  // No test crosses midnight by chance.
  const noon = new Date(app.clock.now()).setUTCHours(36, 0, 0, 0);
  app.clock.advance(noon - app.clock.now().getTime());
});
afterAll(() => app.close());
afterEach(async () => {
  app.provider.creation = 'accept';
  await app.pass(GENERATION_TIMEOUT_MS + 60_000, 60_000);
});

interface Tester {
  readonly userId: string;
  readonly creatorId: string;
}

/** An approved creator with a model, as a user without an account in the ledger. */
async function newTester(columns: Partial<CreatorTables['creator']> = {}): Promise<Tester> {
  const userId = `user_${randomUUID()}`;
  const creatorId = await app.newCreator('Aria Vale', { clerkId: userId });
  if (Object.keys(columns).length > 0) {
    await app.creators
      .updateTable('creator')
      .set(columns as never)
      .where('id', '=', creatorId)
      .execute();
  }
  return { userId, creatorId };
}

const startTest = (userId: string, prompt = 'A fox in the snow') =>
  app.commands.execute(new StartTest({ userId, prompt }));

const rowsOf = (userId: string): Promise<GenerationRow[]> =>
  app.db.selectFrom('generation').selectAll().where('user_id', '=', userId).orderBy('created_at').execute();

async function succeed(id: string): Promise<void> {
  await app.succeed((await app.row(id)).prediction_id);
}

async function fail(id: string, message: string): Promise<void> {
  await app.fail((await app.row(id)).prediction_id, message);
}

async function completedTest({ userId }: Tester): Promise<string> {
  const { generationId } = await startTest(userId);
  await succeed(generationId);
  return generationId;
}

async function allowance(userId: string): Promise<number> {
  const { body } = await app.rpc('get_test_allowance_by_jwt', userId);
  return (body as { used_today: number }).used_today;
}

describe('start_test_generation_by_jwt', () => {
  it('draws an image without an event in the ledger, also while a paid image is pending', async () => {
    const tester = await newTester();
    const { userId, creatorId } = tester;
    const started = await app.rpc('start_test_generation_by_jwt', userId, { p_prompt: ' A fox ' });
    expect(started).toEqual({
      status: 200,
      body: { success: true, generation_id: expect.any(String), remaining_today: TESTS_PER_DAY - 1 },
    });
    const { generation_id: id } = started.body as StartTestResponse;
    expect((await app.rpc('has_active_pending_generation_jwt', userId)).body).toBe(false);
    expect(await app.rpc('start_test_generation_by_jwt', userId, { p_prompt: 'Two' })).toEqual({
      status: 409,
      body: error('You already have a test image being generated. Please wait until it is finished.'),
    });
    const events = eventsOf(await app.events(id, userId));
    expect((await events.next()).value).toMatchObject({ id, status: 'pending', credit_cost: 0, hidden: true });
    await succeed(id);
    for await (const view of events) if (view.status === 'completed') expect(view.credits_closed).toBe(true);
    expect(await app.row(id)).toMatchObject({ is_test: true, cost: 0, status: 'completed', creator_id: creatorId });
    expect(await app.ledger(userId)).toEqual([]);

    const fan = await app.newUser();
    await app.creators.updateTable('creator').set({ clerk_id: fan }).where('id', '=', creatorId).execute();
    const paid = await app.begin(fan, creatorId);
    await startTest(fan);
    expect((await rowsOf(fan)).map((row) => [row.status, row.cost])).toEqual([
      ['pending', 10],
      ['pending', 0],
    ]);
    expect((await app.deduction(fan, paid.generationId)).state).toBe('open');
  });

  it.each<[string, number, string, Partial<CreatorTables['creator']>]>([
    ['a rejected applicant', 403, 'Only creators whose application was approved', { creator_status: 'rejected' }],
    [
      'a withdrawn creator',
      409,
      'You have withdrawn your consent',
      { withdrawn_at: new Date(), is_visible: false as never },
    ],
    ['a creator without a model', 422, 'does not have an AI model', { deployment_name: null }],
  ])('refuses %s', async (_who, status, message, columns) => {
    const { userId } = await newTester(columns);
    expect(await app.rpc('start_test_generation_by_jwt', userId, { p_prompt: 'A fox' })).toEqual({
      status,
      body: error(expect.stringContaining(message) as never),
    });
    expect(await rowsOf(userId)).toEqual([]);
  });

  it('lets archived creators test, and refuses visitors, fans, forbidden and empty prompts', async () => {
    const { userId } = await newTester({ is_visible: false as never });
    const start = async (token: string | null, p_prompt: string) =>
      (await app.rpc('start_test_generation_by_jwt', token, { p_prompt })).status;
    expect(await start(null, 'A fox')).toBe(401);
    for (const stranger of [await app.newUser(), `admin_${randomUUID()}`]) {
      expect(await start(stranger, 'A fox')).toBe(403);
    }
    expect(await start(userId, 'explicit porn')).toBe(422);
    expect(await start(userId, '   ')).toBe(422);
    expect(await allowance(userId)).toBe(0);
    expect(await start(userId, 'A fox')).toBe(200);
  });

  it('allows twenty a UTC day, also to parallel starts', async () => {
    const { userId } = await newTester();
    for (let count = 0; count < TESTS_PER_DAY - 1; count += 1) await succeed((await startTest(userId)).generationId);
    const parallel = await Promise.allSettled(Array.from({ length: 4 }, () => startTest(userId)));
    const started = parallel.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(started).toEqual([{ generationId: expect.any(String), remainingToday: 0 }]);
    await succeed(started[0]?.generationId ?? '');

    const refused = await app.rpc('start_test_generation_by_jwt', userId, { p_prompt: 'A fox' });
    const message = 'You have made your 20 test images of today. Please come back after midnight UTC.';
    expect(refused).toEqual({ status: 429, body: error(message) });
    const { body } = await app.rpc('get_test_allowance_by_jwt', userId);
    const midnight = new Date(Math.ceil(app.clock.now().getTime() / DAY_MS) * DAY_MS).toISOString();
    expect(body).toEqual({ used_today: TESTS_PER_DAY, limit: TESTS_PER_DAY, resets_at: midnight });

    app.clock.advance(DAY_MS);
    expect(await startTest(userId)).toMatchObject({ remainingToday: TESTS_PER_DAY - 1 });
  });

  it('counts a test again only when the provider is not to blame', async () => {
    const { userId } = await newTester();
    await fail((await startTest(userId)).generationId, 'Prediction interrupted');
    expect(await allowance(userId)).toBe(0);
    await fail((await startTest(userId)).generationId, 'NSFW content detected');
    expect(await allowance(userId)).toBe(1);
    app.provider.creation = 'refuse';
    await expect(startTest(userId)).rejects.toThrow('Failed to start image generation');
    expect(await allowance(userId)).toBe(1);
    app.provider.creation = 'accept';

    const { generationId } = await startTest(userId);
    app.clock.advance(3_000);
    expect(await app.rpc('cancel_generation_by_jwt', userId, { p_generation_id: generationId })).toMatchObject({
      status: 200,
      body: { message: 'Test image cancelled', credit_refunded: 0, refund_details: { refund_amount: 0 } },
    });
    expect(await allowance(userId)).toBe(2);
    await app.worker.idle();
    expect((await rowsOf(userId)).filter((row) => row.credits_closed_at === null || row.refunded)).toEqual([]);
    expect(await app.ledger(userId)).toEqual([]);
  });

  it('ends a test after the timeout without a refund', async () => {
    const { userId } = await newTester();
    const { generationId } = await startTest(userId);
    await app.pass(GENERATION_TIMEOUT_MS + 60_000, 60_000);
    expect(await app.row(generationId)).toMatchObject({ error_message: 'The test image timed out', refunded: false });
    expect(await allowance(userId)).toBe(0);
    expect(await app.ledger(userId)).toEqual([]);
  });
});

describe('a test image', () => {
  it('shows a test to its creator and admins alone, and in no list', async () => {
    const tester = await newTester();
    const { userId, creatorId } = tester;
    const id = await completedTest(tester);
    const fan = await app.newUser();
    const admin = `admin_${randomUUID()}`;
    const view = async (token: string | null) =>
      (await app.rpc('get_generation_by_id', token, { p_generation_id: id })).status;
    expect([await view(userId), await view(admin), await view(fan), await view(null)]).toEqual([200, 200, 404, 404]);
    const request = { p_prediction_id: (await app.row(id)).prediction_id };
    expect((await app.rpc('get_generation_status_public', fan, request)).body).toEqual([]);
    expect((await app.events(id, fan)).status).toBe(404);

    expect((await app.rpc('get_user_generations_by_jwt_paginated', userId)).body).toEqual([]);
    for (const token of [userId, admin, null]) {
      const answer = await app.read(`rest/v1/generations?creator_id=eq.${creatorId}`, token);
      expect(await answer.json()).toEqual([]);
    }
    await expect(app.curate(creatorId, [id])).rejects.toThrow('Only completed generations of this creator');
    const report = (reporter: string) =>
      app.commands.execute(new ReportGeneration({ userId: reporter, generationId: id, reason: 'other', note: '' }));
    await expect(report(fan)).rejects.toThrow('not found');
    await expect(report(admin)).rejects.toThrow('not found');
    for (const p_hidden of [true, false]) {
      const hidden = await app.rpc('hide_generation_by_jwt', userId, { p_generation_id: id, p_hidden });
      expect(hidden).toEqual({ status: 409, body: error('Test images are always private.') });
    }
    expect((await app.rpc('get_own_test_generations_by_jwt', fan)).body).toEqual([]);
    expect((await app.rpc('delete_generation_by_jwt', userId, { p_generation_id: id })).status).toBe(200);
    expect((await app.rpc('get_own_test_generations_by_jwt', userId)).body).toEqual([]);
  });

  it('lets its creator rate a test', async () => {
    const tester = await newTester();
    const { userId } = tester;
    const id = await completedTest(tester);
    const rate = async (token: string, body: object) =>
      (await app.rpc('rate_test_generation_by_jwt', token, { p_generation_id: id, ...body })).status;
    const stored = async () => {
      const { body } = await app.rpc('get_own_test_generations_by_jwt', userId, { p_limit: 1 });
      const [{ rating, note, total_count } = {}] = body as Partial<TestGeneration>[];
      return [rating, note, total_count];
    };
    expect(await stored()).toEqual([null, '', 1]);
    expect(await rate(userId, { p_rating: 'bad', p_note: 'The hands are wrong.' })).toBe(200);
    expect(await stored()).toEqual(['bad', 'The hands are wrong.', 1]);
    expect(await rate(userId, { p_rating: null })).toBe(200);
    expect(await stored()).toEqual([null, 'The hands are wrong.', 1]);
    expect(await rate(userId, { p_rating: 'good', p_note: '' })).toBe(200);
    expect(await stored()).toEqual(['good', '', 1]);
    expect(await rate(userId, { p_rating: 'best' })).toBe(400);
    expect(await rate(userId, { p_rating: 'good', p_note: 'x'.repeat(TEST_NOTE_MAX_LENGTH + 1) })).toBe(400);
    for (const stranger of [(await newTester()).userId, `admin_${randomUUID()}`]) {
      expect(await rate(stranger, { p_rating: 'good' })).toBe(404);
    }
    const { generationId } = await startTest(userId);
    expect(await rate(userId, { p_generation_id: generationId, p_rating: 'good' })).toBe(409);
  });

  it('cancels and erases tests with their notes when the account is closed', async () => {
    const tester = await newTester();
    const { userId } = tester;
    const id = await completedTest(tester);
    await app.rpc('rate_test_generation_by_jwt', userId, { p_generation_id: id, p_rating: 'good', p_note: 'My face' });
    await startTest(userId);
    await app.commands.execute(new CloseOwner({ userId }));
    expect(await app.commands.execute(new CancelPending({ userId }))).toEqual({ cancelled: 1, stillOpen: 0 });
    expect(await app.queries.execute(new ListUnerasedOwners({ userIds: [userId] }))).toEqual([userId]);
    await app.commands.execute(new EraseOwner({ userId }));
    expect(await rowsOf(userId)).toEqual([
      expect.objectContaining({ prompt: '', image: null, test_note: null }),
      expect.objectContaining({ prompt: '', image: null, test_note: null }),
    ]);
    expect(await app.queries.execute(new ListUnerasedOwners({ userIds: [userId] }))).toEqual([]);
    expect(await app.ledger(userId)).toEqual([]);
    await expect(startTest(userId)).rejects.toThrow();
  });

  it('refuses tests that cost or return credits in the database', async () => {
    const tester = await newTester();
    const id = await completedTest(tester);
    for (const columns of [{ cost: 10 }, { is_test: false }, { refunded: true }, { credits_closed_at: null }]) {
      const update = app.db.updateTable('generation').set(columns).where('id', '=', id).execute();
      await expect(update).rejects.toThrow('violates check constraint');
    }
  });
});

describe('a crash during a test', () => {
  const POINTS = ['insert', 'create', 'store-prediction', 'record-outcome', 'claim', 'fetch', 'store-media', 'complete']
    .flatMap((step) => [`generation.${step}.before`, `generation.${step}.after`])
    .concat('generation.fail.before', 'generation.fail.after') as GenerationFaultPoint[];

  it.each(POINTS)('leaves no trace in the ledger after a crash at %s', async (point) => {
    const { userId } = await newTester();
    app.faults.crashAt(point);
    try {
      if (point.includes('fail')) app.provider.creation = 'refuse';
      await succeed((await startTest(userId)).generationId);
    } catch {
      // The start or the webhook has crashed.
    }
    expect(app.faults.reached).toContain(point);
    await app.worker.idle();
    app.faults.restart();
    app.provider.creation = 'accept';
    await app.pass(GENERATION_TIMEOUT_MS + 120_000, 60_000);
    for (const row of await rowsOf(userId)) {
      expect(row).toMatchObject({ is_test: true, refunded: false, credits_closed_at: expect.any(Date) });
      expect(row.status).not.toBe('pending');
    }
    expect(await app.ledger(userId)).toEqual([]);
  });
});
