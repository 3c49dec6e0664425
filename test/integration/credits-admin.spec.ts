import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AdminGrantLimit } from '../../src/credits/ledger/admin-grant-limit.js';
import { GenerationApp } from '../support/generation-app.js';

let app: GenerationApp;
let user: string;
let admin: string;

beforeAll(async () => {
  app = await GenerationApp.start();
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await app.newUser();
  // A new admin for each test, because the calls are rate-limited per admin.
  admin = `admin_${randomUUID()}`;
});

type Answer = Awaited<ReturnType<GenerationApp['rpc']>>;

const grant = (change: object = {}, token = admin): Promise<Answer> =>
  app.rpc('grant_bonus_credits', token, {
    p_user_id: user,
    p_grant_id: randomUUID(),
    p_amount: 25,
    p_reason: 'A picture was lost',
    ...change,
  });
const adjust = (change: object = {}): Promise<Answer> =>
  app.rpc('adjust_credits', admin, {
    p_user_id: user,
    p_adjustment_id: randomUUID(),
    p_amount: 12,
    p_reason: 'Given twice',
    ...change,
  });
const balances = (bonus: number): object => ({
  success: true,
  user_id: user,
  new_daily_balance: 0,
  new_bonus_balance: bonus,
  new_paid_balance: 0,
  new_total_balance: bonus,
});

describe('repair_account_clock', () => {
  const repair = (change: object = {}): Promise<Answer> =>
    app.rpc('repair_account_clock', admin, { p_user_id: user, p_reason: 'A clock was ahead', ...change });

  it('lets an account with an event 40 days ahead start generations again', async () => {
    const creator = await app.newCreator();
    const now = app.clock.now();
    app.clock.advance(40 * 86_400_000);
    await grant();
    const ahead = app.clock.now();
    app.clock.set(now);
    await expect(app.begin(user, creator)).rejects.toThrow();

    expect(await repair()).toEqual({
      status: 200,
      body: { success: true, user_id: user, repaired: true, ahead_until: ahead.toISOString() },
    });
    await app.begin(user, creator);
    expect((await app.ledger(user)).slice(-2)).toEqual(['ClockRepaired', 'CreditsDeducted']);
    expect(await repair()).toMatchObject({ status: 200, body: { repaired: false, ahead_until: null } });
    expect((await app.accountEvents(user)).find(({ type }) => type === 'ClockRepaired')).toMatchObject({
      data: { reason: 'A clock was ahead' },
      metadata: { actorId: admin, occurredAt: now.toISOString() },
    });
  });

  it('refuses a user without an account, and an empty reason', async () => {
    expect((await repair({ p_user_id: `user_${randomUUID()}` })).status).toBe(404);
    expect((await repair({ p_reason: ' ' })).status).toBe(400);
  });
});

describe('grant_bonus_credits and adjust_credits', () => {
  it('grants bonus credits once per id', async () => {
    const p_grant_id = randomUUID();
    expect(await grant({ p_grant_id })).toEqual({ status: 200, body: balances(55) });
    expect(await grant({ p_grant_id: p_grant_id.toUpperCase() })).toEqual({ status: 200, body: balances(55) });
    expect(await grant()).toEqual({ status: 200, body: balances(80) });
    expect(await app.ledger(user)).toEqual(['CreditsGranted', 'CreditsGranted', 'CreditsGranted']);
  });

  it('grants an admin no more than the limit of a day, also when grants arrive together', async () => {
    const other = await app.newUser();
    const p_grant_id = randomUUID();
    expect((await grant({ p_grant_id, p_amount: 700 })).status).toBe(200);
    const refusal = {
      status: 409,
      body: {
        code: '55000',
        message:
          'An admin may grant and take 1,000 credits a day (UTC). You have moved 700 today: 301 more need a second admin.',
      },
    };
    expect(await grant({ p_user_id: other, p_amount: 301 })).toMatchObject(refusal);
    expect((await app.balances(other)).total).toBe(30);
    expect((await grant({ p_grant_id, p_amount: 700 })).status).toBe(200);
    const together = await Promise.all([100, 100, 100, 100].map((p_amount) => grant({ p_user_id: other, p_amount })));
    expect(together.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409]);
    expect((await grant({ p_amount: 1 })).status).toBe(409);
    expect((await grant({ p_amount: 1000 }, `admin_${randomUUID()}`)).status).toBe(200);
  });

  it('counts a change on the day of its event when midnight comes between count and write', async () => {
    const limit = app.get(AdminGrantLimit);
    const count = limit.count.bind(limit);
    const atMidnight = () =>
      jest.spyOn(limit, 'count').mockImplementationOnce(async (asked) => {
        await count(asked);
        app.clock.advance(86_400_000);
      });
    const rich = await grant({ p_amount: 1_000 }, `admin_${randomUUID()}`);
    expect(rich.status).toBe(200);
    atMidnight();
    expect((await grant({ p_amount: 600 })).status).toBe(200);
    expect((await adjust({ p_amount: 401 })).status).toBe(409);
    atMidnight();
    expect((await adjust({ p_amount: 400 })).status).toBe(200);
    expect((await adjust({ p_amount: 601 })).status).toBe(409);
    expect((await adjust({ p_amount: 600 })).status).toBe(200);
    jest.restoreAllMocks();
  });

  it('counts an adjustment on the day of an account whose time is ahead', async () => {
    const midnight = (Math.floor(app.clock.now().getTime() / 86_400_000) + 1) * 86_400_000;
    app.clock.set(new Date(midnight + 1_000));
    expect((await grant({ p_amount: 700 })).status).toBe(200);
    app.clock.set(new Date(midnight - 1_000));
    expect((await adjust({ p_amount: 301 })).status).toBe(409);
    expect((await adjust({ p_amount: 300 })).status).toBe(200);
  });

  it('counts a repeated grant once, also when both calls arrive together', async () => {
    const asked = { p_grant_id: randomUUID(), p_amount: 600 };
    const both = await Promise.all([grant(asked), grant(asked)]);
    expect(both).toEqual([
      { status: 200, body: balances(630) },
      { status: 200, body: balances(630) },
    ]);
    expect((await grant({ p_amount: 400 })).status).toBe(200);
    // Nothing is counted for a user without an account
    expect((await grant({ p_user_id: `user_${randomUUID()}` })).status).toBe(404);
  });

  it('takes credits once per id', async () => {
    const p_adjustment_id = randomUUID();
    expect(await adjust({ p_adjustment_id })).toEqual({ status: 200, body: balances(18) });
    expect(await adjust({ p_adjustment_id })).toEqual({ status: 200, body: balances(18) });
    expect(await app.ledger(user)).toEqual(['CreditsGranted', 'CreditsAdjusted']);
  });

  it('stores the admin and the reason in the ledger', async () => {
    await grant({ p_reason: '  A picture was lost  ' });
    await adjust();
    const events = await app.accountEvents(user);
    expect(events.slice(1)).toMatchObject([
      { data: { reason: 'A picture was lost' }, metadata: { actorId: admin } },
      { data: { reason: 'Given twice' }, metadata: { actorId: admin } },
    ]);
  });

  it('refuses a repeated id with another amount or reason', async () => {
    const p_grant_id = randomUUID();
    const p_adjustment_id = randomUUID();
    await grant({ p_grant_id });
    await adjust({ p_adjustment_id });
    for (const change of [{ p_amount: 26 }, { p_reason: 'Another' }]) {
      expect(await grant({ p_grant_id, ...change })).toMatchObject({
        status: 409,
        body: { message: `Grant ${p_grant_id} was made with another amount or reason.` },
      });
      expect(await adjust({ p_adjustment_id, ...change })).toMatchObject({
        status: 409,
        body: { message: `Adjustment ${p_adjustment_id} was made with another amount or reason.` },
      });
    }
    expect((await app.balances(user)).total).toBe(43);
  });

  it('refuses to take more credits than the user has', async () => {
    expect(await adjust({ p_amount: 31 })).toMatchObject({
      status: 409,
      body: { code: '55000', message: 'The user has 30 credits; 31 cannot be taken.' },
    });
    expect((await app.balances(user)).total).toBe(30);
  });

  it('refuses a user without an account', async () => {
    const noAccount = { status: 404, body: { message: 'There is no account of this user.' } };
    const p_user_id = `user_${randomUUID()}`;
    expect(await grant({ p_user_id })).toMatchObject(noAccount);
    expect(await adjust({ p_user_id })).toMatchObject(noAccount);
    expect(await app.ledger(p_user_id)).toEqual([]);
  });

  it.each([
    { p_amount: 0 },
    { p_amount: -5 },
    { p_amount: 1.5 },
    { p_amount: 1_000_000_001 },
    { p_reason: '' },
    { p_reason: '   ' },
    { p_reason: 'x'.repeat(501) },
    { p_reason: 'a\u0000b' },
    { p_reason: undefined },
    { p_grant_id: 'lost', p_adjustment_id: 'lost' },
    { p_user_id: 'user 1' },
  ])('refuses %j', async (change) => {
    expect((await grant(change)).status).toBe(400);
    expect((await adjust(change)).status).toBe(400);
    expect((await app.balances(user)).total).toBe(30);
  });
});
