import { type CommandBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { v7 } from 'uuid';
import {
  GetPurchase,
  GrantBonusCredits,
  RefundDeduction,
  ReinstatePurchase,
  SettleDeduction,
} from '../../src/credits/index.js';
import { AdjustCredits } from '../../src/credits/use-cases/adjust-credits.js';
import { systemActor } from '../../src/platform/acts/actor.js';
import { type CreditTables } from '../../src/credits/tables.js';
import { type CreditBreakdown, type CreditTransaction } from '../../src/contract/credits.js';
import { ManualClock } from '../../src/platform/clock.js';
import { Locks } from '../../src/platform/locks.js';
import { type ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { asOwner } from '../support/database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const NOW = new Date('2026-03-10T09:00:00Z');

let app: TestApp;
let commands: CommandBus;
let projections: ProjectionRunner;
let user: string;
const clock = new ManualClock(NOW);

beforeAll(async () => {
  app = await startTestApp({ overrides: { clock } });
  ({ commands, projections } = app);
  projections.start(new Locks(app.pool));
});
afterAll(() => app.close());
beforeEach(() => {
  clock.set(NOW);
  user = `user_${v7()}`;
});

async function call(
  name: string,
  body: object = {},
  token: string | null = user,
): Promise<{ status: number; json: unknown }> {
  const { status, body: json } = await app.rpc(name, token, body);
  return { status, json };
}
const breakdown = async (): Promise<CreditBreakdown> =>
  (await call('get_user_credit_breakdown')).json as CreditBreakdown;
const transactions = async (body: object = {}): Promise<CreditTransaction[]> =>
  (await call('get_user_transactions_by_jwt', body)).json as CreditTransaction[];
const newGeneration = (): string => v7({ msecs: NOW.getTime() });
const gift = (amount: number) => {
  const grant = { grantId: `gift ${amount}`, amount, by: systemActor('admin_1'), reason: 'Contest' };
  return commands.execute(new GrantBonusCredits({ userId: user, ...grant }));
};

describe('get_user_credit_breakdown', () => {
  it('[F1.03, F9.01, F7.01, F3.04] opens the account with 30 credits on the first of many concurrent calls', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, breakdown));
    for (const answer of answers) {
      expect(answer).toEqual({
        success: true,
        debt: 0,
        daily_credits: 0,
        bonus_credits: 30,
        paid_credits: 0,
        total_balance: 30,
        free_credits: 30,
        daily_credits_last_granted: null,
        lifetime_earned: 30,
        lifetime_spent: 0,
        sign_up_bonus: 'granted',
      });
    }
  });

  it('opens the account of a user who got credits from an admin before', async () => {
    await gift(5);
    expect(await breakdown()).toMatchObject({ bonus_credits: 35, lifetime_earned: 35 });
  });

  it('includes what a command has just written', async () => {
    const id = newGeneration();
    await app.deduct(user, id, 10);
    expect(await breakdown()).toMatchObject({ total_balance: 20, lifetime_earned: 30, lifetime_spent: 10 });
    await commands.execute(new RefundDeduction({ userId: user, deductionId: id, reason: 'timeout' }));
    expect(await breakdown()).toMatchObject({ total_balance: 30, lifetime_earned: 30, lifetime_spent: 0 });
  });

  it('[F1.05] omits lapsed credits before their expiry is recorded', async () => {
    await call('grant_daily_credits_by_jwt');
    expect(await breakdown()).toMatchObject({ daily_credits: 10, total_balance: 40, free_credits: 40 });
    clock.set(new Date('2026-03-11T00:00:00Z'));
    expect(await breakdown()).toMatchObject({
      daily_credits: 0,
      total_balance: 30,
      daily_credits_last_granted: '2026-03-10',
    });
    expect(await app.eventStore.readStream(`creditAccount-${user}`)).toHaveLength(2);
  });

  it('refuses a call without a token', async () => {
    expect(await call('get_user_credit_breakdown', {}, null)).toMatchObject({
      status: 401,
      json: { message: 'Authentication required to view credits' },
    });
  });
});

describe('grant_daily_credits_by_jwt', () => {
  it('[F1.04, F4.27, F3.05, F7.04] grants 10 credits and opens a new account', async () => {
    expect(await call('grant_daily_credits_by_jwt')).toEqual({
      status: 200,
      json: {
        success: true,
        error_code: null,
        error: null,
        credits_granted: 10,
        grant_date: '2026-03-10',
        last_granted_date: '2026-03-10',
        new_daily_balance: 10,
        new_total_balance: 40,
        current_daily_credits: 10,
        current_total_balance: 40,
      },
    });
  });

  it('[F4.27, F8.06] answers the second call of a day with success and ALREADY_GRANTED_TODAY', async () => {
    await call('grant_daily_credits_by_jwt');
    expect((await call('grant_daily_credits_by_jwt')).json).toMatchObject({
      success: true,
      error_code: 'ALREADY_GRANTED_TODAY',
      error: 'Daily credits already received today',
      credits_granted: 0,
      current_total_balance: 40,
    });
  });

  it('[F8.03, F9.12] refuses the sixth request in 300 seconds with the text of the spec', async () => {
    for (let i = 0; i < 5; i += 1) expect((await call('grant_daily_credits_by_jwt')).status).toBe(200);
    expect(await call('grant_daily_credits_by_jwt')).toMatchObject({
      status: 429,
      json: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: expect.stringMatching(/^Too many daily credit requests\. Please try again in \d+ seconds\.$/),
      },
    });
  });

  it('[F8.06] refuses a call without a session with the text of the spec', async () => {
    expect(await call('grant_daily_credits_by_jwt', {}, null)).toMatchObject({
      status: 401,
      json: { message: 'Authentication failed: Your session may have expired. Please sign in again.' },
    });
  });
});

describe('is_rate_limited', () => {
  const check = async (operation: string): Promise<unknown> =>
    (await call('is_rate_limited', { p_operation: operation })).json;

  it('[F3.10] returns is_limited, remaining_requests and reset_time, which follow the requests of the window', async () => {
    const reset_time = '2026-03-10T09:05:00.000Z';
    expect(await check('daily_grant')).toEqual([{ is_limited: false, remaining_requests: 5, reset_time }]);
    for (let i = 0; i < 4; i += 1) await call('grant_daily_credits_by_jwt');
    expect(await check('daily_grant')).toEqual([{ is_limited: false, remaining_requests: 1, reset_time }]);
    await call('grant_daily_credits_by_jwt');
    expect(await check('daily_grant')).toEqual([{ is_limited: true, remaining_requests: 0, reset_time }]);
    clock.advance(300_000);
    expect(await check('daily_grant')).toEqual([
      { is_limited: false, remaining_requests: 5, reset_time: '2026-03-10T09:10:00.000Z' },
    ]);
  });

  it('says that nothing is limited while the limits cannot be read', async () => {
    await asOwner(app).query('alter table rate_limit rename to rate_limit_away');
    try {
      expect(await check('daily_grant')).toEqual([
        { is_limited: false, remaining_requests: 5, reset_time: NOW.toISOString() },
      ]);
    } finally {
      await asOwner(app).query('alter table rate_limit_away rename to rate_limit');
    }
  });
});

describe('get_user_transactions_by_jwt and count_user_transactions_by_jwt', () => {
  it('[F3.06, F7.03] lists every change of the balance, newest first, right after it was made', async () => {
    const first = newGeneration();
    const second = newGeneration();
    await call('grant_daily_credits_by_jwt');
    await app.deduct(user, first, 15);
    await commands.execute(new RefundDeduction({ userId: user, deductionId: first, reason: 'generation_failed' }));
    await commands.execute(new RefundDeduction({ userId: user, deductionId: newGeneration(), reason: 'timeout' }));
    clock.set(new Date('2026-03-11T08:00:00Z'));
    await app.deduct(user, second, 10);

    const rows = await transactions();
    expect(rows.map(({ description, amount, balance_after }) => [description, amount, balance_after])).toEqual([
      ['Image generation', -10, 20],
      ['Daily credits expired', -10, 30],
      ['Refund: generation failed', 15, 40],
      ['Image generation', -15, 25],
      ['Daily credits', 10, 40],
      ['Sign-up bonus', 30, 30],
    ]);
    expect(rows[0]).toEqual({
      id: expect.any(String),
      description: 'Image generation',
      transaction_type: 'deduction',
      amount: -10,
      balance_after: 20,
      reference_id: second,
      metadata: { creator_id: 'creator_1' },
      created_at: '2026-03-11T08:00:00.000Z',
    });
    expect(rows[5]).toMatchObject({ transaction_type: 'signup_bonus', reference_id: null, metadata: {} });
    expect(await call('count_user_transactions_by_jwt')).toEqual({ status: 200, json: 6 });
  });

  it('shows no transactions of other users and none to a new user', async () => {
    await call('grant_daily_credits_by_jwt');
    user = `user_${v7()}`;
    expect(await transactions()).toEqual([]);
    expect(await call('count_user_transactions_by_jwt')).toEqual({ status: 200, json: 0 });
  });

  it('[F9.06, F7.02] returns 10 rows by default and as many as page_size asks for', async () => {
    for (let i = 1; i <= 12; i += 1) await gift(i);
    const amounts = async (body: object): Promise<number[]> => (await transactions(body)).map(({ amount }) => amount);
    expect(await amounts({})).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(await amounts({ page_number: 1 })).toEqual(await amounts({ page_size: 10 }));
    expect(await amounts({ page_size: 20 })).toHaveLength(12);
    expect(await amounts({ page_number: 2 })).toEqual([2, 1]);
    expect(await amounts({ page_size: 5, page_number: 2 })).toEqual([7, 6, 5, 4, 3]);
    expect(await amounts({ page_number: 3 })).toEqual([]);
  });

  it.each([
    { page_size: 0 },
    { page_size: 101 },
    { page_size: 1.5 },
    { page_size: '10; drop table event' },
    { page_number: 0 },
    { page_number: -1 },
    { page_number: 1e300 },
    { page_number: { gt: 1 } },
  ])('refuses %j', async (body) => {
    expect(await call('get_user_transactions_by_jwt', body)).toMatchObject({ status: 400, json: { code: '22023' } });
  });
});

describe('purchases and reversals', () => {
  const buy = (sessionId: string) => app.buy(user, { sessionId });

  it('shows them as transactions with continuing balances, and the debt in the breakdown', async () => {
    const generation = newGeneration();
    expect(await buy('cs_1')).toEqual({ recorded: true });
    await app.deduct(user, generation, 90);
    await commands.execute(new SettleDeduction({ userId: user, deductionId: generation }));
    const dispute = () => app.reverse(user, 'cs_1', 'du_1', 500, 'dispute');
    expect(await dispute()).toMatchObject({ recorded: true, revoked: 40, debt: 10 });
    expect(await dispute()).toMatchObject({ recorded: false, revoked: 40, debt: 10 });
    await app.reverse(user, 'cs_1', 're_1', 250);
    expect(await breakdown()).toMatchObject({ paid_credits: 0, total_balance: 0, debt: 35, lifetime_earned: 130 });

    expect(await buy('cs_2')).toEqual({ recorded: true });
    expect(await buy('cs_2')).toEqual({ recorded: false });
    expect(await breakdown()).toMatchObject({ paid_credits: 65, debt: 0 });
    await commands.execute(new ReinstatePurchase({ userId: user, sessionId: 'cs_1', reversalId: 'du_1' }));
    await commands.execute(
      new AdjustCredits({
        userId: user,
        adjustmentId: 'a1',
        amount: 15,
        admin: systemActor('admin_1'),
        reason: 'Granted by mistake',
      }),
    );
    expect(await breakdown()).toMatchObject({ paid_credits: 100, debt: 0, lifetime_earned: 230, lifetime_spent: 90 });

    const rows = await transactions({ page_size: 20 });
    expect(rows.map(({ description, amount, balance_after }) => [description, amount, balance_after])).toEqual([
      ['Correction by Fanvas', -15, 100],
      ['Purchase restored: credits given back', 50, 115],
      ['Owed credits paid back', -35, 65],
      ['Purchased Basic package', 100, 100],
      ['Refund of a purchase: 25 credits owed', 0, 0],
      ['Disputed payment: credits taken back, 10 more owed', -40, 0],
      ['Image generation', -90, 40],
      ['Sign-up bonus', 30, 130],
      ['Purchased Basic package', 100, 100],
    ]);
    expect(rows.map(({ transaction_type }) => transaction_type).slice(0, 5)).toEqual([
      'adjustment',
      'purchase_reinstatement',
      'debt_repayment',
      'purchase',
      'purchase_reversal',
    ]);
    expect(rows[3]).toMatchObject({ reference_id: 'cs_2', metadata: {} });
  });

  it('answers GetPurchase with the state of the purchase', async () => {
    const queries = app.queries;
    expect(await queries.execute(new GetPurchase({ userId: user, sessionId: 'cs_1' }))).toBeNull();
    await buy('cs_1');
    await app.reverse(user, 'cs_1', 're_1', 255);
    await app.reverse(user, 'cs_1', 'du_1', 100, 'dispute');
    await commands.execute(new ReinstatePurchase({ userId: user, sessionId: 'cs_1', reversalId: 'du_1' }));
    expect(await queries.execute(new GetPurchase({ userId: user, sessionId: 'cs_1' }))).toEqual({
      sessionId: 'cs_1',
      credits: 100,
      amountCents: 1000,
      remaining: 75,
      reversedCredits: 25,
      reversedCents: 255,
      reversals: ['re_1'],
    });
  });

  it('accepts ids with quotes, braces and the word null', async () => {
    await app.buy(user, { sessionId: 'cs_"{a\\b},NULL', bundleId: 'null', credits: 5, paymentIntentId: null });
    const [row] = await transactions();
    expect(row).toMatchObject({ reference_id: 'cs_"{a\\b},NULL', description: 'Purchased Null package', amount: 5 });
  });
});

describe('account projection', () => {
  it('produces the same rows when it is rebuilt from the first event', async () => {
    const id = newGeneration();
    await call('grant_daily_credits_by_jwt');
    await app.deduct(user, id, 15);
    await commands.execute(new RefundDeduction({ userId: user, deductionId: id, reason: 'user_cancelled' }));
    const rows = async (): Promise<unknown[]> => [
      await app.tables<CreditTables>().selectFrom('credit_balance').selectAll().orderBy('user_id').execute(),
      await app
        .tables<CreditTables>()
        .selectFrom('credit_transaction')
        .selectAll()
        .orderBy('user_id')
        .orderBy('version')
        .execute(),
    ];
    await projections.catchUp();
    const before = await rows();
    await projections.stop();
    await app.pool.query('update projection_checkpoint set version = 0');
    await projections.catchUp();
    expect(await rows()).toEqual(before);
    projections.start(new Locks(app.pool));
  });

  it('delays a read of transactions until it includes the latest command', async () => {
    await projections.stop();
    await call('grant_daily_credits_by_jwt');
    // The read waits for at most two seconds, which a busy machine may need for the other calls.
    const time = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    let answered = 0;
    const answer = <T>(value: T): T => ((answered += 1), value);
    const asked = Promise.all([transactions().then(answer), call('count_user_transactions_by_jwt').then(answer)]);
    for (let round = 0; round < 5; round += 1) await breakdown();
    expect(answered).toBe(0);
    projections.start(new Locks(app.pool));
    const [rows, { json: count }] = await asked;
    time.mockRestore();
    expect(rows.map(({ transaction_type }) => transaction_type)).toEqual(['daily_grant', 'signup_bonus']);
    expect(count).toBe(2);
  });

  it('delays a read by at most two seconds and then shows the rows that exist', async () => {
    await projections.stop();
    await call('grant_daily_credits_by_jwt');
    const waited = jest.spyOn(projections, 'waitFor');
    const start = performance.now();
    const time = jest.spyOn(performance, 'now').mockReturnValue(start);
    let answered = false;
    const asked = transactions().finally(() => (answered = true));
    await until(() => waited.mock.calls.length > 0);
    expect(waited).toHaveBeenCalledWith(expect.any(String), { name: 'credit_account', timeoutMs: 2_000 });
    for (let round = 0; round < 5; round += 1) await breakdown();
    expect(answered).toBe(false);
    time.mockReturnValue(start + 2_000);
    expect(await asked).toEqual([]);
    expect(await waited.mock.results[0]?.value).toBe(false);
    time.mockRestore();
    waited.mockRestore();
    projections.start(new Locks(app.pool));
  });

  it('does not delay balances: they add the events that are not projected yet', async () => {
    await projections.stop();
    await call('grant_daily_credits_by_jwt');
    await app.deduct(user, newGeneration(), 10);
    expect(await breakdown()).toMatchObject({ daily_credits: 0, bonus_credits: 30, lifetime_spent: 10 });
    projections.start(new Locks(app.pool));
  });
});
