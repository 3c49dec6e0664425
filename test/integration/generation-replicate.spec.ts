import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AspectRatio } from '../../src/contract/aspect-ratios.js';
import { GENERATION_TIMEOUT_MS } from '../../src/contract/limits.js';
import { type GenerationView } from '../../src/contract/generation.js';
import { DomainError } from '../../src/platform/domain-error.js';
import { GenerationApp } from '../support/generation-app.js';
import { eventsOf } from '../support/generation-events.js';
import { until } from '../support/until.js';

// The sandbox really draws images.
jest.setTimeout(60_000);

/** The real provider client against its sandbox, with webhooks and files over HTTP. */
let app: GenerationApp;
let creatorId: string;

beforeAll(async () => {
  app = await GenerationApp.start({ sandbox: true });
  creatorId = await app.newCreator();
});
afterAll(() => app.close());
afterEach(() => app.pass(GENERATION_TIMEOUT_MS + 120_000, 60_000));

/** Starts a generation and follows it live to its end. */
async function follow(
  prompt: string,
  aspectRatio?: AspectRatio,
): Promise<{ userId: string; views: GenerationView[]; last: GenerationView }> {
  const userId = await app.newUser();
  const { generationId } = await app.begin(userId, creatorId, prompt, aspectRatio);
  const views: GenerationView[] = [];
  for await (const view of eventsOf(await app.events(generationId, userId))) views.push(view);
  const last = views.at(-1);
  if (!last) throw new Error('The event stream was empty.');
  return { userId, views, last };
}

/** Like `follow`, with a running reconciler. The clock advances by at most two minutes. */
async function followWhileTimePasses(prompt: string): ReturnType<typeof follow> {
  let ended = false;
  const following = follow(prompt).finally(() => {
    ended = true;
  });
  let seconds = 0;
  const reconcile = async (): Promise<boolean> => {
    if (seconds < 120) app.clock.advance(1_000);
    seconds += 1;
    await app.reconcile();
    return ended;
  };
  // The sandbox draws the image in this process meanwhile, so reconcile only now and then.
  await until(reconcile, 'the end of the generation', 30_000, 50);
  return following;
}

describe('generation over the provider’s protocol', () => {
  it('draws, copies and settles an image', async () => {
    const { userId, last } = await follow('A lighthouse above a stormy sea');
    expect(last).toMatchObject({
      status: 'completed',
      image: { width: 1024, height: 1024, thumbhash: expect.any(String) },
      refunded: false,
    });
    expect(last.drawing_at).not.toBeNull();
    await app.worker.idle();
    expect(await app.deduction(userId, last.id)).toMatchObject({ state: 'settled', balances: { total: 20 } });
    expect(app.storage.files.size).toBeGreaterThanOrEqual(6);
  });

  it.each([
    ['portrait', 832, 1216],
    ['landscape', 1216, 832],
  ] as const)('draws and stores a %s in its size', async (aspectRatio, width, height) => {
    const { views, last } = await follow('A lighthouse above a stormy sea', aspectRatio);
    expect(new Set(views.map((view) => view.aspect_ratio))).toEqual(new Set([aspectRatio]));
    expect(last).toMatchObject({ status: 'completed', image: { width, height } });
    const widest = last.image?.sources.map((source) => source.width);
    expect(widest).toEqual([width, 640, 384, width, 640, 384]);
  });

  it.each([
    ['[[nsfw]] a fox', /nsfw/i, 'fatal_error'],
    ['[[missing-file]] a fox', /could not be retrieved/, 'generation_failed'],
  ])('refunds the prompt %s', async (prompt, message, reason) => {
    const { userId, last } = await follow(prompt);
    expect(last).toMatchObject({ status: 'failed', refunded: true, refund_reason: reason, cancelled: false });
    expect(last.error_message).toMatch(message);
    expect(await app.balances(userId)).toMatchObject({ total: 30 });
    expect(await app.ledger(userId)).toEqual(['CreditsGranted', 'CreditsDeducted', 'CreditsRefunded']);
  });

  it('polls when webhooks are lost', async () => {
    const { last } = await followWhileTimePasses('[[lost-webhook]] a fox');
    expect(last).toMatchObject({ status: 'completed' });
  });

  it('refuses the start without a charge when the provider’s rate limit is reached', async () => {
    const userId = await app.newUser();
    const error: unknown = await app
      .begin(userId, creatorId, '[[rate-limit]] a fox')
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ kind: 'unavailable', message: 'Failed to start image generation' });
    expect(await app.balances(userId)).toMatchObject({ total: 30 });
  });
});
