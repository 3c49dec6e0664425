import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type GenerationCredits } from '../../src/contract/generation.js';
import { OpenAccount, ReinstatePurchase } from '../../src/credits/index.js';
import { AdjustCredits } from '../../src/credits/use-cases/adjust-credits.js';
import { systemActor } from '../../src/platform/acts/actor.js';
import { GenerationApp } from '../support/generation-app.js';

// Postgres starts slowly on a loaded machine.
jest.setTimeout(60_000);

const UNKNOWN = '01a00000-0000-7000-8000-000000000000';
let app: GenerationApp;
let creatorId: string;

beforeAll(async () => {
  app = await GenerationApp.start();
  creatorId = await app.newCreator();
});
afterAll(() => app.close());

const ask = (token: string | null, id: string) =>
  app.rpc('get_own_generation_credits_by_jwt', token, { p_generation_id: id });

/** The answer for a user's own image, once the projections have caught up. */
async function creditsOf(userId: string, id: string): Promise<GenerationCredits> {
  await app.project();
  const { status, body } = await ask(userId, id);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as GenerationCredits;
}

/** Buys 100 credits for 10 dollars. */
async function buy(userId: string): Promise<string> {
  const sessionId = `cs_${randomUUID()}`;
  await app.buy(userId, { sessionId });
  return sessionId;
}

async function spendBonus(userId: string, amount: number): Promise<void> {
  const adjustment = { userId, adjustmentId: randomUUID(), amount, reason: 'A test', admin: systemActor('user_admin') };
  await app.commands.execute(new AdjustCredits(adjustment));
}

/** A user who has 100 purchased credits and what is left of 30 bonus credits, less than the price of an image. */
async function payingUser(spentBonus = 30): Promise<{ userId: string; sessionId: string }> {
  const userId = await app.newUser();
  await spendBonus(userId, spentBonus);
  return { userId, sessionId: await buy(userId) };
}

describe('get_own_generation_credits_by_jwt', () => {
  it('returns what an image of purchased credits earned', async () => {
    const { userId } = await payingUser();
    const id = await app.delivered(userId, creatorId);
    expect(await creditsOf(userId, id)).toEqual({ credits: 10, kind: 'paid', paid_credits: 10, creator_cents: 50 });
  });

  it('returns that an image of free credits earned nothing', async () => {
    const userId = await app.newUser();
    const id = await app.delivered(userId, creatorId);
    expect(await creditsOf(userId, id)).toEqual({ credits: 10, kind: 'bonus', paid_credits: 0, creator_cents: 0 });
  });

  it('returns the earning of the purchased part when the credits are mixed', async () => {
    const { userId } = await payingUser(25);
    const id = await app.delivered(userId, creatorId);
    expect(await creditsOf(userId, id)).toEqual({ credits: 10, kind: 'mixed', paid_credits: 5, creator_cents: 25 });
  });

  it("returns that a creator's own image earned nothing", async () => {
    const userId = `user_${randomUUID()}`;
    const ownStyle = await app.newCreator('Bo Reed', { clerkId: userId });
    await app.commands.execute(new OpenAccount({ userId }));
    await spendBonus(userId, 30);
    await buy(userId);
    const id = await app.delivered(userId, ownStyle);
    expect(await creditsOf(userId, id)).toEqual({ credits: 10, kind: 'paid', paid_credits: 10, creator_cents: 0 });
  });

  it('does not return an earning before the settlement is recorded', async () => {
    const { userId } = await payingUser();
    await app.project();
    const id = await app.delivered(userId, creatorId);
    const { body } = await ask(userId, id);
    expect(body).toEqual({ credits: 10, kind: 'paid', paid_credits: null, creator_cents: null });
  });

  it('lowers the earning when the purchase is disputed, and restores it when the dispute is won', async () => {
    const { userId, sessionId } = await payingUser();
    const id = await app.delivered(userId, creatorId);
    const reversalId = `dp_${sessionId}`;
    await app.reverse(userId, sessionId, reversalId, 1_000, 'dispute');
    expect(await creditsOf(userId, id)).toMatchObject({ paid_credits: 10, creator_cents: 0 });
    await app.commands.execute(new ReinstatePurchase({ userId, sessionId, reversalId }));
    expect(await creditsOf(userId, id)).toMatchObject({ paid_credits: 10, creator_cents: 50 });
  });
  it('answers 404 for an image of another user, and for images that are pending, failed, deleted or unknown', async () => {
    const statusOf = async (userId: string, id: string) => (await ask(userId, id)).status;
    const owner = await app.newUser();
    const id = await app.delivered(owner, creatorId);
    expect(await statusOf(owner, id)).toBe(200);
    for (const other of [await app.newUser(), 'user_admin']) expect(await statusOf(other, id)).toBe(404);
    await app.rpc('delete_generation_by_jwt', owner, { p_generation_id: id });
    const pending = await app.drawing(creatorId);
    expect(await statusOf(pending.userId, pending.id)).toBe(404);
    await app.fail(pending.predictionId, 'It failed');
    expect((await app.row(pending.id)).status).toBe('failed');
    expect(await statusOf(pending.userId, pending.id)).toBe(404);
    for (const missing of [id, UNKNOWN]) expect(await statusOf(owner, missing)).toBe(404);
    expect(await statusOf(owner, 'no id')).toBe(400);
  });

  it('refuses a visitor, and a call without an id', async () => {
    expect((await ask(null, UNKNOWN)).status).toBe(401);
    const { status, body } = await app.rpc('get_own_generation_credits_by_jwt', 'user_fan');
    expect({ status, body }).toMatchObject({ status: 400, body: { message: 'Generation ID is required' } });
  });
});
