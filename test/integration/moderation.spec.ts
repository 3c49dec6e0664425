import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DAY_MS } from '../../src/contract/durations.js';
import { GENERATION_TIMEOUT_MS } from '../../src/contract/limits.js';
import { GENERATION_COST } from '../../src/contract/prices.js';
import { MESSAGES, POLICY_MESSAGES } from '../../src/generation/messages.js';
import { type ModerationCase, type ModerationCaseRow } from '../../src/contract/moderation.js';
import { GenerationApp } from '../support/generation-app.js';

jest.setTimeout(30_000);

const ADMIN = 'admin_ada';
let app: GenerationApp;
let creatorId: string;

beforeAll(async () => {
  app = await GenerationApp.start();
  creatorId = await app.newCreator();
});
afterAll(() => app.close());

async function refusals(page: object = {}): Promise<ModerationCaseRow[]> {
  const { status, body } = await app.rpc('list_moderation_cases', ADMIN, { p_kind: 'refusal', ...page });
  expect(status).toBe(200);
  return body as ModerationCaseRow[];
}

async function refusal(p_id?: string): Promise<ModerationCase> {
  return (await app.rpc('get_moderation_case', ADMIN, { p_kind: 'refusal', p_id })).body as ModerationCase;
}

describe('moderation refusals', () => {
  it('refuses the prompt with the text the page recognises, takes no credits and records it for admins', async () => {
    const userId = await app.newUser();
    const prompt = 'a n u d e portrait';
    const request = { p_prompt: `<b>${prompt}</b>`, p_creator_id: creatorId };
    const { status, body } = await app.rpc('start_generation_by_jwt', userId, request);
    expect(status).toBe(422);
    expect(body).toMatchObject({ message: POLICY_MESSAGES.sexual, details: 'sexual' });
    expect(POLICY_MESSAGES.sexual).toContain('violates our content policy');
    expect(POLICY_MESSAGES.sexual).toContain('explicit sexual content');

    expect(await app.ledger(userId)).toEqual(['CreditsGranted']);
    const rows = await app.db.selectFrom('generation').select('id').where('user_id', '=', userId).execute();
    expect(rows).toEqual([]);

    const recorded = await refusals();
    expect(recorded).toMatchObject([
      { generation_id: null, reason: 'sexual', creator_id: creatorId, opened_at: app.clock.now().toISOString() },
    ]);
    expect(await refusal(recorded[0]?.id)).toMatchObject({ prompt, maker: { user_id: userId } });
  });

  it('judges no prompt of a fan who draws already or cannot pay', async () => {
    const drawing = await app.drawing(creatorId);
    const poor = await app.newUser();
    while ((await app.balances(poor)).total >= GENERATION_COST) await app.delivered(poor, creatorId);
    const before = (await refusals()).length;
    const start = (userId: string) =>
      app.rpc('start_generation_by_jwt', userId, { p_prompt: 'a nude portrait', p_creator_id: creatorId });
    expect(await start(drawing.userId)).toMatchObject({ status: 409, body: { message: MESSAGES.alreadyPending } });
    expect(await start(poor)).toMatchObject({ status: 402, body: { message: MESSAGES.insufficientCredits } });
    expect(await refusals()).toHaveLength(before);
  });

  it("lists our refusals and the provider's verdicts in pages, the oldest first", async () => {
    const { id, userId, predictionId } = await app.drawing(creatorId);
    app.clock.advance(1_000);
    await app.fail(predictionId, 'NSFW content detected');
    expect((await app.row(id)).refunded).toBe(true);
    const listed = await refusals();
    expect(listed).toMatchObject([{ generation_id: null }, { id, generation_id: id, reason: 'sexual' }]);
    expect(await refusal(id)).toMatchObject({ maker: { user_id: userId } });
    expect(await refusals({ p_limit: 1, p_offset: 1 })).toEqual([listed[1]]);
  });

  it('opens no case about a technical failure that contains a part of such a word', async () => {
    const { id, predictionId } = await app.drawing(creatorId);
    await app.fail(predictionId, 'Model failed to load: not explicitly allowed');
    expect(await app.row(id)).toMatchObject({ refund_reason: 'fatal_error', refunded: true });
    expect((await refusals()).map((listed) => listed.id)).not.toContain(id);
  });

  it("keeps the prompt of a deleted image when the provider's check refused it, not after another fault", async () => {
    const prompt = 'A fox in the snow';
    for (const [error, kept] of [
      ['CUDA out of memory', ''],
      ['NSFW content detected', prompt],
    ] as const) {
      const { id, userId, predictionId } = await app.drawing(creatorId);
      await app.fail(predictionId, error);
      await app.rpc('delete_generation_by_jwt', userId, { p_generation_id: id });
      expect(await app.row(id)).toMatchObject({ refund_reason: 'fatal_error', prompt: kept });
    }
  });

  it('deletes refused prompts and their cases after 90 days, without another refusal', async () => {
    const refused = await app.drawing(creatorId);
    await app.fail(refused.predictionId, 'NSFW content detected');
    const failed = await app.drawing(creatorId);
    await app.fail(failed.predictionId, 'CUDA out of memory');
    const texts = async () => [(await app.row(refused.id)).prompt, (await app.row(failed.id)).prompt];
    const prompts = await texts();
    expect(prompts).toEqual(['A fox in the snow', 'A fox in the snow']);

    app.clock.advance(60 * DAY_MS);
    await app.rpc('start_generation_by_jwt', await app.newUser(), { p_prompt: 'a swastika', p_creator_id: creatorId });
    app.clock.advance(30 * DAY_MS - 60_000);
    await app.reconcile();
    expect(await texts()).toEqual(prompts);
    app.clock.advance(120_000);
    await app.reconcile();
    expect(await texts()).toEqual(['', prompts[1]]);
    expect(await app.row(refused.id)).toMatchObject({ deleted_at: null, status: 'failed' });
    const kept = await app.db.selectFrom('moderation_refusal').select('category').execute();
    expect(kept).toEqual([{ category: 'hate' }]);
    expect((await refusals()).map(({ reason }) => reason)).toEqual(['hate']);
    await app.pass(GENERATION_TIMEOUT_MS);
  });
});
