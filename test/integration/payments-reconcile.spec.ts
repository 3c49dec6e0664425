import { type LedgerProblem } from '../../src/audit/index.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import { ReinstatePurchase } from '../../src/credits/index.js';
import {
  type LedgerDifference,
  reconcileLedger,
  type ReconcileSummary,
} from '../../src/payments/workers/reconcile-ledger.js';
import { ProcessorForbiddenError } from '../../src/payments/providers/payment-processor.js';
import { PaymentSettler } from '../../src/payments/use-cases/settle-payment.js';
import { Locks } from '../../src/platform/locks.js';
import { asOwner, withoutTimeBound } from '../support/database.js';
import { PaymentsApp } from '../support/payments-app.js';
import { buyInChaos } from '../support/payments-chaos.js';
import { verifiedLedger } from '../support/verified-ledger.js';

jest.setTimeout(240_000);

const DAY_MS = 86_400_000;

let app: PaymentsApp;
let user: string;

beforeAll(async () => {
  app = await PaymentsApp.start({ webhooks: true });
});
afterAll(() => app.close());
beforeEach(() => {
  user = app.newUser();
  app.sandbox.faults.plan({ seed: 1, webhooks: { missing: 1 } });
});
afterEach(() => {
  app.sandbox.faults.plan(null);
  app.faults.restart();
});

describe('payment reconciliation', () => {
  it('credits payments and applies reversals whose webhooks never arrived', async () => {
    const session = await app.paid(user);
    await app.reconciler.reconcile();
    expect((await app.balances(user)).paid).toBe(250);
    await app.sandbox.refund(session, { amount: 500 });
    const { id } = await app.sandbox.dispute(session, { amount: 1000 });
    await app.reconciler.reconcile();
    expect((await app.balances(user)).paid).toBe(100);
    await app.sandbox.closeDispute(id, 'won');
    await app.reconciler.reconcile();
    expect((await app.balances(user)).paid).toBe(200);
  });

  it('settles delayed payments and refunds after any delay', async () => {
    const settling = await app.paid(user, 'settlesLater');
    const failing = await app.paid(user, 'failsLater', 'premium');
    await app.reconciler.reconcile();
    expect(await app.ledgerTypes(user)).toEqual([]);
    // The sandbox settles after an hour; the job looks every hour.
    for (let day = 0; day < 6; day += 1) {
      app.clock.advance(DAY_MS);
      await app.reconciler.reconcile();
    }
    await app.sandbox.settle(settling).catch(() => undefined);
    await app.sandbox.fail(failing).catch(() => undefined);
    await app.reconciler.reconcile();
    expect((await app.balances(user)).paid).toBe(250);
    expect(await app.row(failing)).toMatchObject({ status: 'failed' });
  });

  it('settles a delayed payment behind any number of ended offers', async () => {
    const session = await app.paid(user, 'settlesLater');
    app.clock.advance(10 * DAY_MS);
    await app.sandbox.settle(session).catch(() => undefined);
    await app.reconciler.reconcile();
    expect((await app.balances(user)).paid).toBe(250);

    // Restores the earlier state. The session is too old for the processor's list.
    const stuck = { status: 'processing', credited_at: null, payment_intent_id: null } as const;
    await app.db.updateTable('checkout').set(stuck).where('session_id', '=', session).execute();
    await sql`
      insert into checkout
        (id, user_id, bundle_id, bundle_name, credits, amount_cents, currency, status, return_origin, expires_at, created_at, updated_at)
      select gen_random_uuid(), 'user_of_many_' || n, 'basic', 'Basic', 100, 1000, 'usd', 'creating', 'x', then_, then_, then_
      from generate_series(1, 1000) n, (select timestamptz '2020-01-01' as then_) long_ago`.execute(app.db);
    await app.reconciler.reconcile();
    expect(await app.row(session)).toMatchObject({ status: 'credited' });
    const rows = app.db.selectFrom('checkout').select('status').distinct().where('user_id', 'like', 'user_of_many_%');
    expect(await rows.execute()).toEqual([{ status: 'expired' }]);
  });

  it('closes checkouts whose sessions were never paid', async () => {
    const session = await app.checkout(user);
    await app.sandbox.expire(session);
    await app.reconciler.reconcile();
    expect(await app.row(session)).toMatchObject({ status: 'expired' });
  });

  it('does not record a success when the processor did not answer', async () => {
    await app.reconciler.reconcile();
    const before = await succeededAt();
    app.clock.advance(3_600_000);
    app.sandbox.faults.next('error', 'GET /checkout/sessions');
    await app.reconciler.tick();
    expect(await succeededAt()).toEqual(before);
    await app.reconciler.tick();
    expect(await succeededAt()).toEqual(before);
    app.clock.advance(60_000);
    await app.reconciler.tick();
    expect(await succeededAt()).not.toEqual(before);
  });

  it('a run that another process has begun is no success, and is made a minute later unless the other one succeeded', async () => {
    await app.reconciler.reconcile();
    app.clock.advance(3_600_000);
    await app.reconciler.tick();
    const list = jest.spyOn(app.processor, 'sessions');
    for (const otherSucceeds of [false, true]) {
      app.clock.advance(3_600_000);
      const before = await succeededAt();
      const runsBefore = await runs('done');
      await app.get(Locks).withLock('payment-reconciler', () => app.reconciler.tick());
      expect([await succeededAt(), await runs('done'), list.mock.calls.length]).toEqual([before, runsBefore, 0]);
      app.clock.advance(60_000);
      if (otherSucceeds)
        await app.db.updateTable('payment_reconciliation').set({ succeeded_at: app.clock.now() }).execute();
      await app.reconciler.tick();
      expect(list.mock.calls).toHaveLength(otherSucceeds ? 0 : 1);
      list.mockClear();
    }
    list.mockRestore();
  });

  it('a run that missed a payment has failed, and is repeated after one minute and then after two', async () => {
    await app.reconciler.reconcile();
    app.clock.advance(3_600_000);
    await app.reconciler.tick();
    const session = await app.paid(user);
    app.clock.advance(3_600_000);
    const list = jest.spyOn(app.processor, 'sessions');
    const settle = jest.spyOn(app.get(PaymentSettler), 'settle').mockRejectedValue(new Error('The store is full.'));
    const before = [await runs('done'), await runs('failed')] as const;
    await app.reconciler.tick();
    expect([await runs('done'), await runs('failed')]).toEqual([before[0], before[1] + 1]);
    await app.reconciler.tick();
    expect(list).toHaveBeenCalledTimes(1);
    app.clock.advance(60_000);
    await app.reconciler.tick();
    app.clock.advance(60_000);
    await app.reconciler.tick();
    expect(list).toHaveBeenCalledTimes(2);
    settle.mockRestore();
    app.clock.advance(60_000);
    await app.reconciler.tick();
    expect(await app.row(session)).toMatchObject({ status: 'credited' });
    expect([await runs('done'), await runs('failed')]).toEqual([before[0] + 1, before[1] + 2]);
    list.mockRestore();
  });

  it('a run that may not read a payment is made again after an hour, and covers the same time', async () => {
    await app.reconciler.reconcile();
    app.clock.advance(3_600_000);
    await app.reconciler.tick();
    const since = await succeededAt();
    const session = await app.paid(user);
    app.clock.advance(3_600_000);
    const list = jest.spyOn(app.processor, 'sessions');
    const forbidden = new ProcessorForbiddenError('Not for this key.', 'StripePermissionError');
    const settle = jest.spyOn(app.get(PaymentSettler), 'settle').mockRejectedValue(forbidden);
    const failed = await runs('failed');
    await app.reconciler.tick();
    app.clock.advance(60_000);
    await app.reconciler.tick();
    expect([list.mock.calls.length, await runs('failed'), await succeededAt()]).toEqual([1, failed, since]);
    settle.mockRestore();
    app.clock.advance(3_540_000);
    await app.reconciler.tick();
    expect(await app.row(session)).toMatchObject({ status: 'credited' });
    list.mockRestore();
  });

  it('reads no session again when nothing has changed', async () => {
    const session = await app.paid(user);
    await app.reconciler.reconcile();
    const read = jest.spyOn(app.processor, 'session');
    await app.reconciler.reconcile();
    expect(read.mock.calls.filter(([id]) => id === session)).toEqual([]);
    read.mockRestore();
  });
});

/** Runs of the reconciliation that this process has counted. */
const runs = async (outcome: 'done' | 'failed'): Promise<number> => {
  const line = new RegExp(`^fanvas_payment_steps_total{step="reconcile",outcome="${outcome}"} (\\d+)$`, 'm');
  return Number(line.exec((await app.metrics.text()).body)?.[1] ?? 0);
};

const succeededAt = async (): Promise<Date | undefined> =>
  (await app.db.selectFrom('payment_reconciliation').select('succeeded_at').executeTakeFirst())?.succeeded_at;

describe('reconcileLedger', () => {
  const compare = async (
    from = new Date(app.clock.now().getTime() - 1_000),
    to = new Date(app.clock.now().getTime() + 1_000),
  ): Promise<{ summary: ReconcileSummary; differences: LedgerDifference[] }> => {
    const differences: LedgerDifference[] = [];
    const { db, eventStore, processor } = app;
    const onDifference = (difference: LedgerDifference): void => void differences.push(difference);
    return {
      summary: await reconcileLedger({ db, eventStore, processor }, { from, to }, { onDifference }),
      differences,
    };
  };

  // Each test compares its own period. The clock of the app moves only in a test, and the store's time with it.
  beforeEach(() => app.clock.set(new Date(Math.max(app.clock.now().getTime(), Date.now()) + 60_000)));

  it('reports no difference when both sides agree', async () => {
    const session = await app.bought(user);
    await app.sandbox.refund(session, { amount: 500 });
    await app.rpc('refund_purchase', `admin_${user}`, { p_session_id: session, p_reason: 'asked', p_credits: 30 });
    await app.reconciler.reconcile();
    const { summary, differences } = await compare();
    expect(differences).toEqual([]);
    expect(summary).toEqual({
      sessions: 1,
      paidCents: 2500,
      purchasedCents: 2500,
      importedCents: 0,
      returnedCents: 800,
      reversedCents: 800,
      differences: 0,
    });
  });

  it('reports a payment that was not credited', async () => {
    const session = await app.paid(user);
    const { differences } = await compare();
    expect(differences).toEqual([
      { subject: session, userId: user, what: '2500 cents were paid, but the ledger has no purchase.' },
    ]);
    // Otherwise a later test credits it, in the period of that test.
    await app.reconciler.reconcile();
  });

  it('reports no difference for changes made during the comparison', async () => {
    const session = await app.bought(user);
    const really = app.processor.reversals.bind(app.processor);
    const listing = jest.spyOn(app.processor, 'reversals');
    listing.mockImplementationOnce(async function* (period) {
      yield* really(period);
      await app.sandbox.refund(session, { amount: 700 });
      await app.reconciler.reconcile();
    });
    const { summary, differences } = await compare();
    listing.mockRestore();
    expect(differences).toEqual([]);
    expect(summary).toMatchObject({ sessions: 1, purchasedCents: 2500, returnedCents: 700, reversedCents: 700 });
  });

  it('reports no difference for an uncredited payment that was returned', async () => {
    const session = await app.paid(user);
    await app.sandbox.refund(session, { amount: 1000 });
    expect((await compare()).summary).toMatchObject({ paidCents: 2500, returnedCents: 1000, differences: 1 });
    await app.sandbox.refund(session);
    expect((await compare()).summary).toMatchObject({ paidCents: 0, returnedCents: 0, differences: 0 });
  });

  it('matches a refund by its own id when its order was abandoned', async () => {
    const session = await app.bought(user);
    const order = '0199a1b2-1111-7000-8000-0000000000aa';
    await app.reverse(user, session, order, 2500);
    await app.commands.execute(new ReinstatePurchase({ userId: user, sessionId: session, reversalId: order }));
    await app.sandbox.refund(session, { metadata: { adminRefundId: order } });
    await app.reconciler.reconcile();
    expect((await compare()).differences).toEqual([]);
  });

  it('reports credits without a payment', async () => {
    const session = await app.checkout(user);
    await app.buy(user, { sessionId: session, bundleId: 'popular', credits: 250, paymentIntentId: 'pi_none' });
    const { differences } = await compare();
    expect(differences.map(({ what: description }) => description)).toContain(
      'The ledger has a purchase for 2500 cents, but nothing was paid.',
    );
  });

  it('reports credits from nothing although a row calls them paid and their recording is dated back', async () => {
    const sessionId = `cs_of_nothing_${user}`;
    await app.buy(user, { sessionId, bundleId: 'popular', credits: 250, paymentIntentId: 'pi_none' });
    await sql`
      insert into checkout (id, user_id, session_id, bundle_id, bundle_name, credits, amount_cents, currency, status,
        return_origin, expires_at, created_at, updated_at, credited_at)
      select gen_random_uuid(), ${user}, ${sessionId}, 'popular', 'Popular', 250, 2500, 'usd', 'credited', 'x', at, at, at, at
      from (select ${app.clock.now()}::timestamptz as at) as now_`.execute(app.db);
    await withoutTimeBound(app, () =>
      asOwner(app).query(`update event set recorded_at = '2020-01-01' where stream = $1`, [`creditAccount-${user}`]),
    );
    const { differences } = await compare();
    expect(differences).toEqual([
      {
        subject: sessionId,
        userId: user,
        what: 'The ledger has a purchase for 2500 cents, but the processor has no such session.',
      },
    ]);
  });

  it('reports a purchase with another amount, other credits, another payment or another user', async () => {
    const session = await app.paid(user);
    const other = app.newUser();
    await app.db.updateTable('checkout').set({ user_id: other }).where('session_id', '=', session).execute();
    await app.buy(other, {
      sessionId: session,
      bundleId: 'popular',
      credits: 251,
      amountCents: 2499,
      paymentIntentId: 'pi_other',
    });
    const { differences } = await compare();
    const { payment_intent: payment } = app.eventOf(session, 'checkout.session.completed').data.object as {
      payment_intent: string;
    };
    expect(differences.map(({ what: description }) => description)).toEqual([
      '2500 cents were paid, but the ledger has a purchase for 2499 cents.',
      'The session was for 250 credits, but 251 were granted.',
      'The user who paid differs from the user who was credited.',
      `The session was paid by ${payment}, but the ledger has pi_other.`,
    ]);
  });

  it('reports returned money that the ledger did not take back, to the cent', async () => {
    const session = await app.bought(user);
    const refund = await app.sandbox.refund(session, { amount: 501 });
    expect((await compare()).differences.map(({ what: description }) => description)).toEqual([
      `501 cents were returned by the refund ${refund.id}, but the ledger does not reverse them.`,
    ]);
    await app.reverse(user, session, refund.id, 500);
    expect((await compare()).differences.map(({ what: description }) => description)).toEqual([
      `501 cents were returned by the refund ${refund.id}, but the ledger reverses 500.`,
    ]);
  });

  it('counts a reversal of an unknown state as returned', async () => {
    const session = await app.bought(user);
    const refund = await app.sandbox.refund(session, { amount: 501 });
    const reversalsOf = app.processor.reversalsOf.bind(app.processor);
    jest
      .spyOn(app.processor, 'reversalsOf')
      .mockImplementationOnce(async (payment) =>
        (await reversalsOf(payment)).map((reversal) => ({ ...reversal, state: 'not_known_yet' })),
      );
    expect((await compare()).differences.map(({ what: description }) => description)).toEqual([
      `501 cents were returned by the refund ${refund.id}, but the ledger does not reverse them.`,
    ]);
  });

  it('reports a reversal without a refund at the processor, and a won dispute', async () => {
    const session = await app.bought(user);
    await app.reverse(user, session, 're_none', 300);
    const { id } = await app.sandbox.dispute(session, { amount: 200 });
    await app.reverse(user, session, id, 200, 'dispute');
    await app.sandbox.closeDispute(id, 'won');
    expect((await compare()).differences.map(({ what: description }) => description)).toEqual([
      `The dispute ${id} is won, but the ledger reverses 200 cents for it.`,
      'The ledger reverses 300 cents for re_none, which the processor does not have.',
    ]);
  });

  it('accepts an imported purchase that the processor does not know', async () => {
    const session = { sessionId: 'cs_test_imported', paymentIntentId: 'pi_imported' };
    await app.buy(user, session);
    const unexplained = (await compare()).summary;
    const { db, eventStore, processor } = app;
    const differences: LedgerDifference[] = [];
    const summary = await reconcileLedger(
      { db, eventStore, processor, isImported: (stream) => stream === `creditAccount-${user}` },
      { from: new Date(app.clock.now().getTime() - 1_000), to: new Date(app.clock.now().getTime() + 1_000) },
      { onDifference: (difference) => differences.push(difference) },
    );
    expect(unexplained).toMatchObject({ importedCents: 0, differences: 1 });
    expect(summary).toMatchObject({ importedCents: 1000, purchasedCents: 0, differences: 0 });
    expect(differences).toEqual([]);
  });

  it('reports purchases of the period without a session', async () => {
    await app.buy(user, { sessionId: 'cs_test_nobody', paymentIntentId: 'pi_nobody' });
    const { differences } = await compare();
    expect(differences).toContainEqual({
      subject: 'cs_test_nobody',
      userId: user,
      what: 'The ledger has a purchase for 1000 cents, but the processor has no such session.',
    });
  });

  it('compares a refund of the period whose payment is older', async () => {
    const session = await app.bought(user);
    app.clock.advance(5 * DAY_MS);
    const { created } = await app.sandbox.refund(session);
    const { differences } = await compare();
    expect(differences.map(({ subject }) => subject)).toEqual([session]);
    const before = new Date(created * 1_000 - 1_000);
    expect((await compare(before, new Date(created * 1_000))).differences).toEqual([]);
  });
});

describe('verifyLedger with purchases', () => {
  const verify = async (): Promise<LedgerProblem[]> => {
    await app.project();
    const { problems } = await verifiedLedger(app, () => new Date());
    return problems.filter(({ stream, kind }) => stream.endsWith(user) && kind === 'payment');
  };

  it('finds the checkout of every purchase', async () => {
    const session = await app.bought(user);
    await app.sandbox.refund(session, { amount: 700 });
    await app.reconciler.reconcile();
    await app.rpc('refund_purchase', `admin_${user}`, { p_session_id: session, p_reason: 'asked', p_credits: 30 });
    expect(await verify()).toEqual([]);

    await app.reverse(user, session, 're_none', 100);
    expect(await verify()).toMatchObject([{ what: expect.stringContaining(session) }]);
  });

  it('reports a purchase without a checkout, and a checkout whose purchase is missing', async () => {
    await app.buy(user, { sessionId: `cs_${user}`, paymentIntentId: null });
    const session = await app.checkout(user);
    await app.db
      .updateTable('checkout')
      .set({ status: 'credited', credited_at: app.clock.now() })
      .where('session_id', '=', session)
      .execute();
    const descriptions = (await verify()).map(({ what: description }) => description).join('\n');
    expect(descriptions).toContain(`cs_${user}`);
    expect(descriptions).toContain(session);
  });
});

describe('purchases under random faults', () => {
  it('keeps the ledger equal to the processor, to the cent', async () => {
    const bare = await PaymentsApp.start({ webhooks: true, stripe: { timeoutMs: 2_000 } });
    try {
      const { sessions, summary, differences, wrongBalances } = await buyInChaos(bare, 40, 20_260_311);
      expect(differences).toEqual([]);
      expect(wrongBalances).toEqual([]);
      expect(sessions).toBeGreaterThan(25);
      expect(summary.paidCents).toBe(summary.purchasedCents);
      expect(summary.returnedCents).toBe(summary.reversedCents);
      // Enough must have happened.
      expect(summary.sessions).toBeGreaterThan(10);
      expect(summary.returnedCents).toBeGreaterThan(0);
    } finally {
      await bare.close();
    }
  });
});
