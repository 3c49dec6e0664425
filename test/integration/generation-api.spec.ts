import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { GENERATION_TIMEOUT_MS } from '../../src/contract/limits.js';
import { RATE_LIMITS } from '../../src/contract/rate-limits.js';
import { type GenerationTableRow, type GenerationView } from '../../src/contract/generation.js';
import { GenerationEventsController } from '../../src/generation/http/generation-events.controller.js';
import { RateLimiter } from '../../src/platform/http/rate-limits.js';
import { Authenticator } from '../../src/platform/principal.js';
import { GenerationApp } from '../support/generation-app.js';
import { eventsOf } from '../support/generation-events.js';
import { type TokenIsUserId } from '../support/test-app.js';
import { until } from '../support/until.js';

// Starting Postgres takes long on a loaded machine.
jest.setTimeout(30_000);

let app: GenerationApp;
let creatorId: string;

beforeAll(async () => {
  app = await GenerationApp.start();
  creatorId = await app.newCreator('Aria Vale');
});
afterAll(() => app.close());
afterEach(async () => {
  if (app.closed) return;
  const ms = GENERATION_TIMEOUT_MS + 60_000;
  const drawing = await app.db.selectFrom('generation').select('id').where('credits_closed_at', 'is', null).execute();
  // A generation ends in several steps. Without one, the time passes at once.
  await app.pass(ms, drawing.length > 0 ? 60_000 : ms);
});

const error = (message: string) => expect.objectContaining({ message, code: expect.any(String) });

describe('start_generation_by_jwt', () => {
  it('[F3.07, F7.05] answers with the new balances', async () => {
    const userId = await app.newUser();
    const { status, body } = await app.rpc('start_generation_by_jwt', userId, {
      p_prompt: 'A fox',
      p_creator_id: creatorId,
      p_prediction_id: null,
      p_deployment_name: 'somebody/else',
      p_credit_cost: 10,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      generation_id: expect.any(String),
      prediction_id: expect.any(String),
      status: 'pending',
      new_daily_balance: 0,
      new_bonus_balance: 20,
      new_paid_balance: 0,
      new_total_balance: 20,
      credit_type_used: 'bonus',
    });
    const again = await app.rpc('start_generation_by_jwt', userId, { p_prompt: 'A fox', p_creator_id: creatorId });
    expect(again).toEqual({
      status: 409,
      body: error('You already have an image being generated. Please wait until it is finished.'),
    });
    const known = (body as { prediction_id: string }).prediction_id;
    const repeated = await app.rpc('start_generation_by_jwt', userId, { p_prompt: 'A fox', p_prediction_id: known });
    expect(repeated).toEqual({ status: 200, body });
    const foreign = await app.rpc('start_generation_by_jwt', await app.newUser(), {
      p_prompt: 'A fox',
      p_creator_id: creatorId,
      p_prediction_id: known,
    });
    expect(foreign).toEqual({ status: 404, body: error(`Generation not found for prediction ID: ${known}`) });
  });

  it.each([
    [{}, 422, 'Invalid prompt content'],
    [{ p_prompt: '<b></b>', p_creator_id: 'x' }, 422, 'Invalid prompt content'],
    [{ p_prompt: 7 }, 400, 'The request is not valid.'],
    [{ p_prompt: 'A fox' }, 404, 'Creator not available for generation. Please try a different creator.'],
  ])('refuses %j', async (request, status, message) => {
    const userId = await app.newUser();
    expect(await app.rpc('start_generation_by_jwt', userId, request)).toEqual({ status, body: error(message) });
    expect(await app.ledger(userId)).toEqual(['CreditsGranted']);
  });

  it('draws a square without a shape, and the shape that the fan chose', async () => {
    for (const [chosen, stored] of [
      [{}, 'square'],
      [{ p_aspect_ratio: null }, 'square'],
      [{ p_aspect_ratio: 'square' }, 'square'],
      [{ p_aspect_ratio: 'portrait' }, 'portrait'],
      [{ p_aspect_ratio: 'landscape' }, 'landscape'],
    ] as const) {
      const userId = await app.newUser();
      const request = { p_prompt: 'A fox', p_creator_id: creatorId, ...chosen };
      const { status, body } = await app.rpc('start_generation_by_jwt', userId, request);
      expect([chosen, status]).toEqual([chosen, 200]);
      const { generation_id: id } = body as { generation_id: string };
      expect((await app.row(id)).aspect_ratio).toBe(stored);
      expect(app.provider.requests.at(-1)).toMatchObject({ prompt: 'A fox', aspectRatio: stored });
      expect((await app.rpc('get_generation_by_id', userId, { p_generation_id: id })).body).toMatchObject({
        aspect_ratio: stored,
      });
    }
  });

  it.each(['round', '2:3', '', 7, ['square'], 'constructor'])('refuses the shape %j', async (shape) => {
    const userId = await app.newUser();
    const request = { p_prompt: 'A fox', p_creator_id: creatorId, p_aspect_ratio: shape };
    expect(await app.rpc('start_generation_by_jwt', userId, request)).toEqual({
      status: 400,
      body: expect.objectContaining({
        message: 'The request is not valid.',
        details: 'The aspect ratio must be square, portrait or landscape.',
      }),
    });
    expect(await app.ledger(userId)).toEqual(['CreditsGranted']);
  });

  it('repeats the first answer for the same shape, and refuses a repeat with another one', async () => {
    const userId = await app.newUser();
    const start = { p_prompt: 'A fox', p_creator_id: creatorId, p_aspect_ratio: 'portrait' };
    const { body } = await app.rpc('start_generation_by_jwt', userId, start);
    const repeat = { ...start, p_prediction_id: (body as { prediction_id: string }).prediction_id };
    expect(await app.rpc('start_generation_by_jwt', userId, repeat)).toEqual({ status: 200, body });
    expect(await app.rpc('start_generation_by_jwt', userId, { ...repeat, p_aspect_ratio: 'square' })).toEqual({
      status: 409,
      body: error('This generation was started with another aspect ratio.'),
    });
    expect(await app.ledger(userId)).toEqual(['CreditsGranted', 'CreditsDeducted']);
  });

  it('answers a repeated request with its generation, while it is drawn and after it has ended', async () => {
    const userId = await app.newUser();
    const start = { p_prompt: 'A fox', p_creator_id: creatorId, p_request_id: randomUUID() };
    const answers = await Promise.all([1, 2].map(() => app.rpc('start_generation_by_jwt', userId, start)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [first, second] = answers.map(({ body }) => body as { generation_id: string });
    expect(second?.generation_id).toBe(first?.generation_id);
    const { prediction_id: predictionId } = await app.row(first!.generation_id);
    await app.succeed(predictionId);
    expect(await app.rpc('start_generation_by_jwt', userId, start)).toEqual({
      status: 200,
      body: expect.objectContaining({ generation_id: first?.generation_id, status: 'completed' }),
    });
    expect(await app.ledger(userId)).toEqual(['CreditsGranted', 'CreditsDeducted', 'DeductionSettled']);
  });

  it('starts another generation for another request, and for the same id of another fan', async () => {
    const userId = await app.newUser();
    const other = await app.newUser();
    const start = { p_prompt: 'A fox', p_creator_id: creatorId, p_request_id: randomUUID() };
    const idOf = ({ body }: { body: unknown }): string => (body as { generation_id: string }).generation_id;
    const first = idOf(await app.rpc('start_generation_by_jwt', userId, start));
    expect(idOf(await app.rpc('start_generation_by_jwt', other, start))).not.toBe(first);
    const next = { ...start, p_request_id: randomUUID() };
    expect(await app.rpc('start_generation_by_jwt', userId, next)).toMatchObject({ status: 409 });
  });

  it('refuses a price that is not the price of the creator', async () => {
    const userId = await app.newUser();
    const request = { p_prompt: 'A fox', p_creator_id: creatorId, p_credit_cost: 1 };
    expect(await app.rpc('start_generation_by_jwt', userId, request)).toEqual({
      status: 422,
      body: error('The price of a generation has changed. Please reload the page.'),
    });
    expect(await app.ledger(userId)).toEqual(['CreditsGranted']);
  });

  it('[F9.11, F8.01] refuses visitors and a sixth call within a minute', async () => {
    expect(await app.rpc('start_generation_by_jwt', null)).toEqual({
      status: 401,
      body: error('Authentication required to generate images'),
    });
    const userId = await app.newUser();
    const start = () => app.postJson<{ message: string }>('rest/v1/rpc/start_generation_by_jwt', userId, {});
    for (let count = 0; count < 5; count += 1) expect((await start()).status).toBe(422);
    const { status, headers, body } = await start();
    expect([status, body.message]).toEqual([
      429,
      expect.stringMatching(/^Too many requests\. Please try again in \d+ seconds\.$/),
    ]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await app.ledger(userId)).toEqual(['CreditsGranted']);
  });

  it('cuts a prompt of 10 kB to 1000 characters', async () => {
    const userId = await app.newUser();
    const { body } = await app.rpc('start_generation_by_jwt', userId, {
      p_prompt: `tower ${'of quiet light '.repeat(700)}`,
      p_creator_id: creatorId,
    });
    const { generation_id: id } = body as { generation_id: string };
    expect((await app.row(id)).prompt).toHaveLength(1_000);
  });
});

describe('replicate-api', () => {
  it.each(['constructor', '__defineGetter__', 'toString', 'nonsense', null, ['generate']])(
    '[F9.11] refuses the path %j, and counts it as an unknown category',
    async (path) => {
      const userId = await app.newUser();
      const statuses: number[] = [];
      for (let count = 0; count < 6; count += 1) {
        statuses.push((await app.fn('replicate-api', userId, { path })).status);
      }
      expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
    },
  );
});

describe('replicate-api generate', () => {
  const generate = (userId: string, model: object) =>
    app.fn('replicate-api', userId, { path: 'generate', prompt: 'A fox', ...model });

  it('[F7.26] draws with the deployment or the model version of the request', async () => {
    const version = `fanvas/style:${'a1'.repeat(32)}`;
    const versionCreatorId = await app.newCreator('Vera Lind');
    const creators = () => app.creators.updateTable('creator').where('id', '=', versionCreatorId);
    await creators().set({ deployment_name: null, lora_id: version }).execute();
    const { deployment_name: deploymentName } = await app.creators
      .selectFrom('creator')
      .select('deployment_name')
      .where('id', '=', creatorId)
      .executeTakeFirstOrThrow();

    for (const [request, model, owner] of [
      [{ deploymentName }, { deploymentName }, creatorId],
      [{ modelVersion: version }, { version }, versionCreatorId],
    ] as const) {
      const userId = await app.newUser();
      const { status, body } = await generate(userId, request);
      expect([status, body]).toEqual([200, { id: expect.any(String), success: true, error: null }]);
      expect(app.provider.requests.at(-1)).toMatchObject({ prompt: 'A fox', model });
      expect(await app.balances(userId)).toMatchObject({ total: 20 });
      const row = app.db.selectFrom('generation').select('creator_id').where('user_id', '=', userId);
      expect(await row.executeTakeFirst()).toEqual({ creator_id: owner });
    }
  });

  it.each([{}, { deploymentName: 'some/other' }, { modelVersion: 'f'.repeat(64) }])(
    '[F7.26] refuses the unknown model %j without a charge',
    async (model) => {
      const userId = await app.newUser();
      const before = app.provider.requests.length;
      const message = 'Creator not available for generation. Please try a different creator.';
      expect(await generate(userId, model)).toMatchObject({ status: 404, body: error(message) });
      expect(app.provider.requests).toHaveLength(before);
      expect(await app.balances(userId)).toMatchObject({ total: 30 });
    },
  );
});

describe('a test prediction', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('[F4.20] never reaches the provider, from its start to its cancel', async () => {
    const create = jest.spyOn(app.provider, 'create');
    const get = jest.spyOn(app.provider, 'get');
    const cancel = jest.spyOn(app.provider, 'cancel');
    const userId = await app.newUser();
    const predictionId = `test-${randomUUID()}`;
    const request = { p_prediction_id: predictionId };
    const started = await app.rpc('start_generation_by_jwt', userId, {
      ...request,
      p_prompt: 'A fox',
      p_creator_id: creatorId,
    });
    expect(started).toMatchObject({ status: 200, body: { prediction_id: predictionId, new_total_balance: 20 } });

    const checked = await app.rpc('update_generation_status_by_jwt', userId, { ...request, p_status: 'completed' });
    expect(checked.body).toMatchObject({ status: 'pending' });
    await app.pass(120_000, 60_000);
    const refused = { status: 404, body: error('Test generation cancellation failed - no data returned') };
    const owned = { ...request, p_generation_id: null, p_clerk_id: userId };
    expect(await app.rpc('cancel_generation_securely', await app.newUser(), owned)).toEqual(refused);
    expect((await app.rpc('cancel_generation_securely', userId, owned)).body).toMatchObject({
      success: true,
      status: 'canceled',
      credit_refunded: 10,
    });
    await app.pass(120_000, 60_000);
    expect(await app.balances(userId)).toMatchObject({ total: 30 });
    expect([create, get, cancel].map((call) => call.mock.calls)).toEqual([[], [], []]);
  });

  it('[F4.20, F7.18] differs from a real one, which cancel_generation_securely refuses', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    app.clock.advance(10_000);
    const request = { p_prediction_id: predictionId };
    expect(await app.rpc('cancel_generation_securely', userId, request)).toEqual({
      status: 404,
      body: error('Test generation cancellation failed - no data returned'),
    });
    expect(await app.row(id)).toMatchObject({ status: 'pending' });
  });
});

describe('GET /rest/v1/generations', () => {
  const read = async (query: string, token: string | null): Promise<GenerationTableRow[]> => {
    const response = await app.read(`rest/v1/generations?${query}`, token);
    expect(response.status).toBe(200);
    return (await response.json()) as GenerationTableRow[];
  };

  it('[F7.23] lists the caller’s generations of one creator, newest first', async () => {
    const userId = await app.newUser();
    const ids: string[] = [];
    for (const creator of [creatorId, await app.newCreator('Bo Ray'), creatorId]) {
      const { generationId, predictionId } = await app.begin(userId, creator);
      await app.fail(predictionId);
      ids.push(generationId);
      app.clock.advance(60_000);
    }
    const query = `select=*&creator_id=eq.${creatorId}&order=created_at.desc`;
    const rows = await read(query, userId);
    expect(rows.map((row) => row.id)).toEqual([ids[2], ids[0]]);
    expect(rows.map((row) => row.creator_id)).toEqual([creatorId, creatorId]);
    expect(await read(query, await app.newUser())).toEqual([]);
    expect(await read(query, null)).toEqual([]);
  });

  it('[F7.24] finds one by id like get_generation_by_id, which is the fallback', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const byCall = async (token: string | null) =>
      (await app.rpc('get_generation_by_id', token, { p_generation_id: id })).status;
    const query = `select=id,status&id=eq.${id}`;
    expect([await read(query, userId), await byCall(userId)]).toEqual([[{ id, status: 'pending' }], 200]);
    expect([await read(query, null), await byCall(null)]).toEqual([[], 404]);
    await app.succeed(predictionId);
    expect([await read(query, null), await byCall(null)]).toEqual([[{ id, status: 'completed' }], 200]);
  });

  it('[F7.24] returns a sample of 100 statuses', async () => {
    const userId = await app.newUser();
    const now = app.clock.now();
    const ended = { credits_closed_at: now, not_before: now, created_at: now, updated_at: now };
    const failed = { status: 'failed', error_message: 'x', refund_reason: 'generation_failed' } as const;
    const row = { user_id: userId, creator_id: creatorId, prompt: '', model: 'm', cost: 10, ...failed, ...ended };
    const rows = Array.from({ length: 101 }, () => ({ id: randomUUID(), ...row }));
    await app.db.insertInto('generation').values(rows).execute();
    expect(await read('select=status&limit=100', userId)).toEqual(Array(100).fill({ status: 'failed' }));
    expect(await read('select=status&limit=100&offset=100', userId)).toEqual([{ status: 'failed' }]);
  });
});

describe('access to a generation', () => {
  const byId = (id: string, token: string | null) => app.rpc('get_generation_by_id', token, { p_generation_id: id });

  it('[F8.24] lets only the owner and admins see a pending or failed generation', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const hidden = { status: 404, body: error('Generation not found or access denied') };
    for (const state of ['pending', 'failed']) {
      if (state === 'failed') {
        await app.fail(predictionId);
      }
      expect(await byId(id, null)).toEqual(hidden);
      expect(await byId(id, await app.newUser())).toEqual(hidden);
      expect(await byId(id, 'admin_1')).toMatchObject({ status: 200, body: { status: state, is_owner: false } });
      expect(await byId(id, userId)).toMatchObject({ status: 200, body: { status: state, is_owner: true } });
    }
    expect((await byId(id, userId)).body).toMatchObject({
      error_message: 'Prediction interrupted',
      refunded: true,
      refund_reason: 'generation_failed',
      cancelled: false,
      cancellable_at: null,
      phase: null,
    });
  });

  it('[F2.05] lets everyone with the link see a completed generation', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const created = (await app.row(id)).created_at;
    expect((await byId(id, userId)).body).toMatchObject({
      phase: 'queued',
      cancellable_at: new Date(created.getTime() + 3_000).toISOString(),
      credit_cost: 10,
      creator_name: 'Aria Vale',
      creator_is_visible: true,
      creator_status: 'active',
    });
    await app.succeed(predictionId);
    const { body } = await byId(id, null);
    expect(body).toMatchObject({ status: 'completed', is_owner: false, refunded: false, error_message: null });
    expect((body as GenerationView).image_url).toMatch(/^\/media\//);
    expect(JSON.stringify(body)).not.toContain(userId);
    expect(JSON.stringify(body)).not.toContain(app.outputs.host);
  });

  it('[F7.12, F7.11, F6.01] shows the status to everyone and the rest to the owner, by prediction id', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const request = { p_prediction_id: predictionId };
    await app.succeed(predictionId);
    const status = (token: string | null) => app.rpc('get_generation_status_public', token, request);
    expect(await status(null)).toEqual({
      status: 200,
      body: [{ prediction_id: predictionId, status: 'completed', image_url: null }],
    });
    expect((await status(userId)).body).toMatchObject([{ image_url: expect.stringMatching(/^\/media\//) }]);
    const missing = { p_prediction_id: 'none' };
    expect((await app.rpc('get_generation_status_public', null, missing)).body).toEqual([]);
    const full = await app.rpc('get_generation_by_prediction_id_jwt', userId, request);
    expect(full).toMatchObject({ status: 200, body: [{ id }] });
    expect((await app.rpc('get_generation_by_prediction_id_jwt', await app.newUser(), request)).status).toBe(404);
  });

  it.each([
    [{}, 400, 'Generation ID is required'],
    [{ p_generation_id: 'user_2abc' }, 400, 'Invalid generationId format - appears to be a Clerk ID'],
    [{ p_generation_id: "' or 1=1 --" }, 400, 'Invalid generationId format'],
    [{ p_generation_id: '019a0000-0000-7000-8000-000000000000' }, 404, 'Generation not found or access denied'],
  ])('[F5.12, F5.13, F8.24] refuses the request %j', async (request, status, message) => {
    expect(await app.rpc('get_generation_by_id', 'user_1', request)).toEqual({ status, body: error(message) });
  });
});

describe('response fields', () => {
  it('[F3.01] hides the model and identity of a creator from visitors and shows the model to signed-in fans', async () => {
    const id = await app.newCreator('Mira Sol');
    await app.creators
      .updateTable('creator')
      .set({ twitter: '@mira', is_featured: false })
      .where('id', '=', id)
      .execute();
    const { body: creators } = await app.rpc('get_public_creators', null);
    const creator = (creators as Record<string, unknown>[]).find((row) => row['id'] === id);
    expect(creator).toEqual({
      id,
      name: 'Mira Sol',
      username: expect.any(String),
      bio: '',
      profile_image: null,
      profile: null,
      instagram: expect.stringMatching(/^@c/),
      twitter: '@mira',
      onlyfans: null,
      is_visible: true,
      is_featured: false,
      creator_status: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      style: null,
      works: [],
      paused: false,
      withdrawn: false,
      can_generate: true,
      credit_cost: 10,
    });
    const request = { p_creator_id: id };
    expect((await app.rpc('get_creator_info_for_generation_by_jwt', 'user_1', request)).body).toMatchObject({
      deployment_name: expect.stringMatching(/^fanvas\//),
      lora_id: null,
    });
    await app.creators.updateTable('creator').set({ is_visible: false }).where('id', '=', id).execute();
    expect(JSON.stringify((await app.rpc('get_public_creators', null)).body)).not.toContain('Mira Sol');
  });

  it('[F3.02, F3.03] shows defaults in a new generation', async () => {
    app.provider.creation = 'lose the answer';
    const userId = await app.newUser();
    const { generationId: id } = await app.begin(userId, creatorId, 'A fox');
    app.provider.creation = 'accept';
    const blank = {
      id,
      prediction_id: null,
      status: 'pending',
      prompt: 'A fox',
      image_url: null,
      creator_id: creatorId,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      error_message: null,
      refunded: false,
      refund_reason: null,
      refunded_at: null,
      credit_cost: 10,
    };
    expect((await app.rpc('get_generation_by_id', userId, { p_generation_id: id })).body).toMatchObject(blank);
    const response = await app.read(`rest/v1/generations?id=eq.${id}`, userId);
    expect(await response.json()).toEqual([{ ...blank, deployment_name: expect.stringMatching(/^fanvas\//) }]);
    await app.db.updateTable('generation').set({ creator_id: randomUUID() }).where('id', '=', id).execute();
    expect((await app.rpc('get_generation_by_id', userId, { p_generation_id: id })).body).toMatchObject({
      creator_username: 'unknown',
      creator_name: 'Unknown Creator',
      creator_is_visible: false,
    });
    // The other defaults of the specification are for rows without these fields, which cannot exist.
    for (const column of ['status', 'prompt', 'created_at', 'cost', 'refunded'] as const) {
      const emptied = app.db
        .updateTable('generation')
        .set({ [column]: null })
        .where('id', '=', id)
        .execute();
      await expect(emptied).rejects.toMatchObject({ code: '23502', column });
    }
  });
});

describe('calls without a session', () => {
  it.each([
    ['update_generation_status_by_jwt', 'update status'],
    ['get_generation_by_prediction_id_jwt', 'access full data'],
    ['cancel_generation_by_jwt', 'cancel generation'],
    ['has_active_pending_generation_jwt', 'check pending generations'],
    ['get_user_generations_by_jwt_paginated', 'fetch user generations'],
  ])('[F8.23] refuses %s with a request to sign in', async (name, action) => {
    expect(await app.rpc(name, null)).toEqual({ status: 401, body: error(`Authentication required to ${action}`) });
  });
});

describe('rate limits', () => {
  it.each([
    ['generation', RATE_LIMITS.imageGeneration, 'start_generation_by_jwt'],
    ['the frame', RATE_LIMITS.frame, 'get_frame'],
    ['data fetch', RATE_LIMITS.dataFetch, 'has_active_pending_generation_jwt'],
    ['data fetch', RATE_LIMITS.dataFetch, 'get_user_generations_by_jwt_paginated'],
    ['standard API', RATE_LIMITS.standardApi, 'update_generation_status_by_jwt'],
    ['financial operations', RATE_LIMITS.financialOps, 'process_automatic_refund_by_jwt'],
    ['financial operations', RATE_LIMITS.financialOps, 'process_timeout_refunds_by_jwt'],
    ['cancelling', RATE_LIMITS.cancelOperations, 'cancel_generation_by_jwt'],
  ] as const)('[F5.16] refuses %s above its limit before it checks the request (case %#)', async (_, limit, name) => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const request = { p_generation_id: id, p_reason: 'timeout' };
    const body = name === 'update_generation_status_by_jwt' ? { p_prediction_id: predictionId } : request;
    const limiter = app.get(RateLimiter);
    for (let count = 0; count < limit.max; count += 1) await limiter.hit(limit, `user:${userId}`);
    const { status, body: refused } = await app.rpc(name, userId, body);
    expect([status, (refused as { message: string }).message]).toEqual([
      429,
      expect.stringMatching(/^Too many requests\. Please try again in \d+ seconds\.$/),
    ]);
    expect(await app.row(id)).toMatchObject({ status: 'pending' });
  });
});

describe('rate limits of replicate-api', () => {
  it.each([
    ['generate', RATE_LIMITS.imageGeneration],
    ['status', RATE_LIMITS.statusCheck],
    ['cancel', RATE_LIMITS.cancelOperations],
  ] as const)('counts %s as the call that does the same', async (path, limit) => {
    const { userId, id } = await app.drawing(creatorId);
    const limiter = app.get(RateLimiter);
    for (let count = 0; count < limit.max; count += 1) await limiter.hit(limit, `user:${userId}`);
    expect((await app.fn('replicate-api', userId, { path, id })).status).toBe(429);
    expect(await app.row(id)).toMatchObject({ status: 'pending' });
  });
});

describe('status checks', () => {
  it('[F8.02, F9.12] counts 250 checks a minute across all calls', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const checks = [
      () => app.rpc('get_generation_by_id', userId, { p_generation_id: id }),
      () => app.rpc('get_generation_status_public', userId, { p_prediction_id: predictionId }),
      () => app.rpc('get_generation_by_prediction_id_jwt', userId, { p_prediction_id: predictionId }),
    ];
    const limiter = app.get(RateLimiter);
    for (let count = 0; count < 247; count += 1) await limiter.hit(RATE_LIMITS.statusCheck, `user:${userId}`);
    for (const check of checks) expect((await check()).status).toBe(200);
    for (const check of checks) {
      expect(await check()).toEqual({
        status: 429,
        body: error(
          expect.stringMatching(
            /^Too many status check requests\. Please try again in \d+ seconds\.$/,
          ) as unknown as string,
        ),
      });
    }
    app.clock.advance(60_000);
    expect((await checks[0]?.())?.status).toBe(200);
  });
});

describe('cancel_generation_by_jwt', () => {
  it('[F3.09, F4.10, F7.17] refunds the credits', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const cancel = (token: string) =>
      app.rpc('cancel_generation_by_jwt', token, {
        p_generation_id: id,
        p_reason: 'Generation canceled by user',
      });
    expect(await cancel(userId)).toEqual({
      status: 409,
      body: error('Please wait 3 more seconds before cancelling'),
    });
    app.clock.advance(3_000);
    expect((await cancel(await app.newUser())).status).toBe(404);
    expect(await cancel(userId)).toEqual({
      status: 200,
      body: {
        success: true,
        message: expect.any(String),
        status: 'canceled',
        generation_id: id,
        prediction_id: predictionId,
        credit_refunded: 10,
        refund_details: {
          new_balances: { daily_credits: 0, bonus_credits: 30, paid_credits: 0, total_balance: 30 },
          original_credit_type: 'bonus',
          refund_amount: 10,
        },
      },
    });
    const view = await app.rpc('get_generation_by_id', userId, { p_generation_id: id });
    expect(view.body).toMatchObject({ status: 'failed', cancelled: true, error_message: 'Cancelled by user' });
    expect(await cancel(userId)).toEqual({ status: 409, body: error('Generation was already canceled') });
  });

  it.each([
    [{}, 400, 'Either generationId or predictionId must be provided'],
    [{ p_generation_id: 'user_2abc' }, 400, 'Invalid generationId format - appears to be a Clerk ID'],
    [{ p_prediction_id: 'none' }, 404, 'Generation not found or access denied'],
  ])('[F5.11, F5.12] refuses %j', async (request, status, message) => {
    expect(await app.rpc('cancel_generation_by_jwt', 'user_1', request)).toEqual({ status, body: error(message) });
  });
});

describe('other calls', () => {
  it('answers 400 to text that the database cannot store', async () => {
    const request = { p_prediction_id: 'a\u0000b' };
    expect(await app.rpc('get_generation_status_public', null, request)).toEqual({
      status: 400,
      body: error('The request is not valid.'),
    });
  });

  it('[F4.05, F7.16] reports whether a generation is pending', async () => {
    const { userId, predictionId } = await app.drawing(creatorId);
    expect((await app.rpc('has_active_pending_generation_jwt', userId)).body).toBe(true);
    await app.succeed(predictionId);
    expect((await app.rpc('has_active_pending_generation_jwt', userId)).body).toBe(false);
  });

  it('[F7.19, F3.13] lists the user’s generations, newest first, in pages of 12 by default', async () => {
    const userId = await app.newUser();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { generationId, predictionId } = await app.begin(userId, creatorId);
      await app.succeed(predictionId ?? '');
      ids.unshift(generationId);
      app.clock.advance(1_000);
    }
    const page = (p_limit: number, p_offset: number) =>
      app.rpc('get_user_generations_by_jwt_paginated', userId, { p_limit, p_offset });
    const rows = async (limit: number, offset: number) =>
      (await page(limit, offset)).body as { generation: GenerationView; total_count: number }[];
    expect((await rows(2, 0)).map(({ generation }) => generation.id)).toEqual(ids.slice(0, 2));
    expect(await rows(2, 2)).toMatchObject([{ total_count: 3, generation: { id: ids[2], creator_name: 'Aria Vale' } }]);
    expect((await page(1_000, 0)).status).toBe(400);
    const filtered = (p_show: string) => app.rpc('get_user_generations_by_jwt_paginated', userId, { p_show });
    expect((await filtered('finished')).body).toHaveLength(3);
    expect((await filtered('failed')).body).toEqual([]);
    expect((await filtered('hidden')).status).toBe(400);
    const { revision: _, image, ...copied } = await app.row(ids[0] ?? '');
    const copy = () => ({ ...copied, image: JSON.stringify(image), id: randomUUID(), prediction_id: null });
    await app.db
      .insertInto('generation')
      .values(Array.from({ length: 10 }, copy))
      .execute();
    const { body } = await app.rpc('get_user_generations_by_jwt_paginated', userId);
    expect(body).toHaveLength(12);
    expect((body as { total_count: number }[])[0]?.total_count).toBe(13);
    expect((await app.rpc('get_user_generations_by_jwt_paginated', await app.newUser())).body).toEqual([]);
  });

  it('[F7.10, F4.02] takes the status from the provider and ignores the one that the browser sends', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const claim = {
      p_prediction_id: predictionId,
      p_image_url: 'https://evil.example/x.png',
      p_error_message: null,
    };
    const sync = (token: string, p_status = 'completed') =>
      app.rpc('update_generation_status_by_jwt', token, { ...claim, p_status });
    for (const status of ['completed', 'failed']) {
      expect((await sync(userId, status)).body).toMatchObject({ status: 'pending', image_url: null });
    }
    expect((await sync(await app.newUser())).status).toBe(404);
    app.provider.move(predictionId, { status: 'failed', error: 'Prediction interrupted' });
    expect((await sync(userId)).body).toMatchObject({ status: 'failed', error_message: 'Prediction interrupted' });
    await app.worker.idle();
    expect(await app.row(id)).toMatchObject({ refunded: true });
  });

  it('repeats the first answer for an old refund that the ledger no longer judges', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    await app.fail(predictionId);
    app.clock.advance(31 * 24 * 60 * 60 * 1000);
    await app.rpc('grant_daily_credits_by_jwt', userId);
    const refund = await app.rpc('process_automatic_refund_by_jwt', userId, { p_generation_id: id });
    app.clock.set(new Date());
    expect(refund).toMatchObject({
      status: 200,
      body: { refund_amount: 10, original_credit_type: 'bonus', already_refunded: true },
    });
  });

  it.each([{}, { p_generation_id: '' }, { p_generation_id: null, p_reason: 'timeout' }])(
    '[F5.10] refunds nothing without a generation id: %j',
    async (request) => {
      expect(await app.rpc('process_automatic_refund_by_jwt', 'user_1', request)).toEqual({
        status: 400,
        body: error('Generation ID is required'),
      });
    },
  );

  it('[F3.08, F4.19, F7.06, F8.26] refunds only a failed generation, once', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const refund = (token: string) =>
      app.rpc('process_automatic_refund_by_jwt', token, { p_generation_id: id, p_reason: 'timeout', p_details: {} });
    expect(await refund(userId)).toEqual({ status: 409, body: error('Only failed generations are refunded') });
    await app.fail(predictionId);
    expect((await refund(await app.newUser())).status).toBe(404);
    for (let count = 0; count < 2; count += 1) {
      expect(await refund(userId)).toEqual({
        status: 200,
        body: {
          success: true,
          error: null,
          refund_amount: 10,
          original_credit_type: 'bonus',
          new_balances: { daily_credits: 0, bonus_credits: 30, paid_credits: 0, total_balance: 30 },
          already_refunded: true,
        },
      });
    }
  });

  it('[F4.16, F4.17, F7.07, F7.08] refunds on a timeout call only generations past the timeout', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const request = { p_prediction_id: predictionId };
    const timeOut = () => app.rpc('process_generation_timeout_immediate', userId, request);
    const batch = (token: string) => app.rpc('process_timeout_refunds_by_jwt', token, { p_timeout_seconds: 0 });
    expect(await timeOut()).toEqual({ status: 409, body: error('Generation has not timed out') });
    expect((await batch(userId)).body).toEqual({ success: true, processed_count: 0, refunds: [] });
    app.clock.advance(GENERATION_TIMEOUT_MS);
    expect((await batch(await app.newUser())).body).toMatchObject({ processed_count: 0 });
    expect((await batch(userId)).body).toEqual({
      success: true,
      processed_count: 1,
      refunds: [{ generation_id: id, success: true, refund_amount: 10 }],
    });
    await app.worker.idle();
    expect(await timeOut()).toEqual({ status: 409, body: error('Generation was already refunded') });
    expect(await app.row(id)).toMatchObject({ refund_reason: 'timeout' });

    const second = await app.drawing(creatorId);
    app.clock.advance(GENERATION_TIMEOUT_MS);
    expect(
      await app.rpc('process_generation_timeout_immediate', second.userId, { p_prediction_id: second.predictionId }),
    ).toMatchObject({ status: 200, body: { success: true, refund_amount: 10, generation_id: second.id } });
    await app.worker.idle();
  });
});

describe('live status stream', () => {
  const open = (id: string, token: string | null, signal?: AbortSignal) => app.events(id, token, signal);

  it('sends each change and ends with the image', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const response = await open(id, userId);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const events = eventsOf(response);
    expect((await events.next()).value).toMatchObject({ status: 'pending', phase: 'queued' });
    app.provider.move(predictionId, { status: 'processing', startedAt: app.clock.now() });
    await app.webhook(predictionId);
    expect((await events.next()).value).toMatchObject({ status: 'pending', phase: 'drawing' });
    await app.succeed(predictionId);
    const rest: GenerationView[] = [];
    for await (const event of events) rest.push(event);
    expect(rest.at(-1)).toMatchObject({ status: 'completed', image_url: expect.stringMatching(/^\/media\//) });
    expect(rest.map((view) => view.phase ?? view.status)).toEqual(expect.arrayContaining(['completed']));
    expect(rest.length).toBeLessThanOrEqual(2);
  });

  it('ends after a failure only when the refund is known', async () => {
    const { userId, id, predictionId } = await app.drawing(creatorId);
    const events = eventsOf(await open(id, userId));
    await events.next();
    await app.fail(predictionId);
    const rest: GenerationView[] = [];
    for await (const event of events) rest.push(event);
    expect(rest.at(-1)).toMatchObject({ status: 'failed', refunded: true, refund_reason: 'generation_failed' });
    const afterwards: GenerationView[] = [];
    for await (const event of eventsOf(await open(id, userId))) afterwards.push(event);
    expect(afterwards).toHaveLength(1);
  });

  it('refuses visitors, and refuses other users while the generation is pending', async () => {
    const { id } = await app.drawing(creatorId);
    for (const [token, status] of [
      [await app.newUser(), 404],
      [null, 401],
    ] as const) {
      const response = await open(id, token);
      expect(response.status).toBe(status);
      await response.arrayBuffer();
    }
    const unknown = await open('not-an-id', 'user_1');
    expect(unknown.status).toBe(404);
    await unknown.arrayBuffer();
  });

  it('allows a user ten streams, and another one after one closes', async () => {
    const { userId, id } = await app.drawing(creatorId);
    const aborts = Array.from({ length: 10 }, () => new AbortController());
    const streams = await Promise.all(aborts.map((abort) => open(id, userId, abort.signal)));
    expect(streams.map((stream) => stream.status)).toEqual(Array(10).fill(200));
    const refused = await open(id, userId);
    expect(refused.status).toBe(429);
    await refused.arrayBuffer();
    aborts[0]?.abort();
    let status = 0;
    const last = new AbortController();
    for (let attempt = 0; attempt < 100 && status !== 200; attempt += 1) {
      status = (await open(id, userId, last.signal)).status;
    }
    expect(status).toBe(200);
    for (const abort of [...aborts, last]) abort.abort();
  });

  it('allows a user ten streams when all are requested at once', async () => {
    const { userId, id } = await app.drawing(creatorId);
    const aborts = Array.from({ length: 15 }, () => new AbortController());
    const streams = await Promise.all(aborts.map((abort) => open(id, userId, abort.signal)));
    expect(streams.filter((stream) => stream.status === 200)).toHaveLength(10);
    expect(streams.filter((stream) => stream.status === 429)).toHaveLength(5);
    for (const abort of aborts) abort.abort();
  });

  it("ends when its viewer's session ends, and other streams go on", async () => {
    const gone = await app.drawing(creatorId);
    const staying = await app.drawing(creatorId);
    const ending = eventsOf(await open(gone.id, gone.userId));
    const going = eventsOf(await open(staying.id, staying.userId));
    await Promise.all([ending.next(), going.next()]);
    (app.get(Authenticator) as TokenIsUserId).signedOut.add(gone.userId);
    await app.get(GenerationEventsController).endStreamsOfEndedSessions();
    expect(await ending.next()).toEqual({ done: true, value: undefined });
    app.provider.move(staying.predictionId, { status: 'processing', startedAt: app.clock.now() });
    await app.webhook(staying.predictionId);
    expect((await going.next()).value).toMatchObject({ phase: 'drawing' });
    await app.succeed(staying.predictionId);
    for (let event = await going.next(); !event.done;) event = await going.next();
  });

  it('ends when the server stops, and refuses new streams', async () => {
    const stopping = await GenerationApp.start();
    const { userId, id, predictionId } = await stopping.drawing(await stopping.newCreator());
    const events = eventsOf(await stopping.events(id, userId));
    await events.next();
    // The server waits for an image that is being copied.
    let copy = (): void => undefined;
    stopping.outputs.beforeAnswer = () => new Promise((resolve) => (copy = resolve));
    stopping.provider.move(predictionId, { status: 'succeeded', output: [stopping.outputs.url] });
    const asked = stopping.outputs.requests;
    await stopping.post(stopping.provider.delivery(predictionId, stopping.clock.now()));
    await until(() => stopping.outputs.requests > asked, 'the request for the image');
    const closed = stopping.close();
    for (let event = await events.next(); !event.done;) event = await events.next();
    const late = await stopping.events(id, userId);
    expect(late.status).toBe(503);
    await late.arrayBuffer();
    copy();
    await closed;
  });
});
