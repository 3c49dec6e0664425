import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PAYMENT_FAULT_POINTS } from '../../src/payments/payment-steps.js';
import { type PaymentProblem, type Purchase, type RefundPurchaseResponse } from '../../src/contract/payments.js';
import { PaymentsApp } from '../support/payments-app.js';
import { type Answer } from '../support/test-app.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

let app: PaymentsApp;
let user: string;

beforeAll(async () => {
  app = await PaymentsApp.start();
});
afterAll(() => app.close());
beforeEach(() => {
  app.faults.restart();
  user = app.newUser();
});

/** Delivers all events of a payment. */
async function deliverEvents(session: string): Promise<void> {
  for (const event of app.eventsOf(session)) await app.deliver(event);
  await app.settleDown();
}

async function receipt(session: string): Promise<Purchase | undefined> {
  const { body } = await app.rpc<Purchase[]>('get_user_purchases_by_jwt', user);
  return body.find(({ id }) => id === session);
}

describe('card refund', () => {
  it('takes back the bought credits part by part, each part by its own id', async () => {
    const session = await app.bought(user);
    const first = await app.sandbox.refund(session, { amount: 1000 });
    await deliverEvents(session);
    expect((await app.balances(user)).paid).toBe(150);
    expect(await receipt(session)).toMatchObject({ refunded_cents: 1000, status: 'partially_refunded' });
    const second = await app.sandbox.refund(session);
    await deliverEvents(session);
    await deliverEvents(session);
    expect((await app.balances(user)).paid).toBe(0);
    expect(await receipt(session)).toMatchObject({ refunded_cents: 2500, status: 'refunded' });
    const reversed = (await app.ledger(user)).filter(({ type }) => type === 'PurchaseReversed');
    expect(reversed.map(({ data }) => data['reversalId'])).toEqual([first.id, second.id]);
  });

  it('turns a refund of spent credits into debt, which the next purchase pays first', async () => {
    const session = await app.bought(user);
    await app.spend(user, 200);
    await app.sandbox.refund(session);
    await deliverEvents(session);
    expect((await app.balances(user)).paid).toBe(0);
    await app.bought(user);
    expect((await app.balances(user)).paid).toBe(50);
  });

  it('credits the purchase first when the refund event arrives before the payment event', async () => {
    const session = await app.paid(user);
    await app.sandbox.refund(session, { amount: 500 });
    await app.deliver(app.eventOf(session, 'charge.refunded'));
    await app.settleDown();
    expect(await app.ledgerTypes(user)).toEqual(['CreditsPurchased', 'PurchaseReversed']);
    expect((await app.balances(user)).paid).toBe(200);
  });

  it('gives the credits back when the refund fails later', async () => {
    const session = await app.bought(user, 'refundFails');
    await app.sandbox.refund(session);
    await deliverEvents(session);
    expect((await app.balances(user)).paid).toBe(0);
    app.clock.advance(3_600_000);
    await untilRefundIs('failed', session);
    await deliverEvents(session);
    expect((await app.balances(user)).paid).toBe(250);
    expect(await receipt(session)).toMatchObject({ refunded_cents: 0, status: 'paid' });
  });

  it('takes the credits back while the refund is pending, and keeps them taken when it succeeds', async () => {
    const session = await app.bought(user, 'refundPending');
    await app.sandbox.refund(session);
    await deliverEvents(session);
    expect((await app.balances(user)).paid).toBe(0);
    app.clock.advance(3_600_000);
    await untilRefundIs('succeeded', session);
    await deliverEvents(session);
    expect(await app.ledgerTypes(user)).toEqual(['CreditsPurchased', 'PurchaseReversed']);
  });
});

/** Waits until the sandbox has applied the clock. */
async function untilRefundIs(state: string, session: string): Promise<void> {
  const { payment_intent_id: payment } = await app.row(session);
  const isThere = async () => (await app.processor.reversalsOf(payment ?? '')).some((each) => each.state === state);
  await until(isThere, `a refund that is ${state}`);
}

describe('dispute', () => {
  it('takes the credits at once, gives them back when it is won, and shows on the receipt', async () => {
    const session = await app.bought(user);
    const { id } = await app.sandbox.dispute(session);
    await deliverEvents(session);
    expect((await app.balances(user)).paid).toBe(0);
    expect(await receipt(session)).toMatchObject({ refunded_cents: 2500, status: 'disputed' });
    await app.sandbox.closeDispute(id, 'won');
    await deliverEvents(session);
    expect((await app.balances(user)).paid).toBe(250);
    expect(await receipt(session)).toMatchObject({ refunded_cents: 0, status: 'paid' });
  });

  it('keeps the credits taken when the dispute is lost', async () => {
    const session = await app.bought(user);
    const { id } = await app.sandbox.dispute(session);
    await app.sandbox.closeDispute(id, 'lost');
    await deliverEvents(session);
    expect((await app.balances(user)).paid).toBe(0);
    expect(await receipt(session)).toMatchObject({ status: 'disputed' });
  });

  it('reports a won dispute that is lost again to admins, because the ledger reinstates once', async () => {
    const session = await app.bought(user);
    const { id } = await app.sandbox.dispute(session);
    await deliverEvents(session);
    await app.sandbox.closeDispute(id, 'won');
    await deliverEvents(session);
    const really = app.processor.reversalsOf.bind(app.processor);
    const asking = jest.spyOn(app.processor, 'reversalsOf');
    asking.mockImplementation(async (payment) =>
      (await really(payment)).map((each) => ({ ...each, state: 'under_review' })),
    );
    try {
      await app.deliver({ ...app.eventOf(session, 'charge.dispute.closed'), id: `evt_${session}` });
      await app.settleDown();
    } finally {
      asking.mockRestore();
    }
    const { body } = await app.rpc<PaymentProblem[]>('get_payment_problems', 'admin_1');
    expect(body).toContainEqual(expect.objectContaining({ subject: id, kind: 'ledger_refused' }));
    expect(await receipt(session)).toMatchObject({ refunded_cents: 0, status: 'paid' });
    expect((await app.balances(user)).paid).toBe(250);
  });

  it('ends in the final state when the closing event arrives first', async () => {
    const session = await app.bought(user);
    const { id } = await app.sandbox.dispute(session);
    await app.sandbox.closeDispute(id, 'won');
    await app.deliver(app.eventOf(session, 'charge.dispute.closed'));
    await app.settleDown();
    await app.deliver(app.eventOf(session, 'charge.dispute.created'));
    await app.settleDown();
    expect((await app.balances(user)).paid).toBe(250);
    // The credits were not even taken for a moment.
    expect(await app.ledgerTypes(user)).not.toContain('PurchaseReversed');
  });
});

describe('refund_purchase', () => {
  const refund = async (
    session: string,
    more: object = {},
  ): Promise<Answer<RefundPurchaseResponse & { message: string }>> =>
    app.rpc('refund_purchase', `admin_${user}`, { p_session_id: session, p_reason: 'asked for it', ...more });

  const refundsAtProcessor = async (session: string) =>
    (await app.processor.reversalsOf((await app.row(session)).payment_intent_id ?? '')).filter(
      ({ kind }) => kind === 'refund',
    );

  it('takes the credits and returns the money once, in any order of webhooks', async () => {
    const session = await app.bought(user);
    await app.spend(user, 40);
    const { status, body } = await refund(session);
    expect([status, body]).toMatchObject([
      200,
      { success: true, status: 'refunded', credits: 210, amount_cents: 2100 },
    ]);
    expect((await app.balances(user)).paid).toBe(0);
    await deliverEvents(session);
    await deliverEvents(session);
    expect((await app.ledgerTypes(user)).filter((type) => type === 'PurchaseReversed')).toHaveLength(1);
    expect(await refundsAtProcessor(session)).toMatchObject([{ amountCents: 2100, state: 'succeeded' }]);
    expect(await receipt(session)).toMatchObject({ refunded_cents: 2100, status: 'partially_refunded' });
  });

  it('stores the admin and the reason', async () => {
    const session = await app.bought(user);
    const { body } = await refund(session, { p_credits: 10 });
    const row = await app.db
      .selectFrom('admin_refund')
      .selectAll()
      .where('id', '=', body.admin_refund_id)
      .executeTakeFirst();
    expect(row).toMatchObject({ actor_id: `admin_${user}`, reason: 'asked for it', status: 'refunded', credits: 10 });
    expect(row?.refund_id).toMatch(/^re_/);
  });

  it.each([
    [{ p_credits: 251 }, 409, 'Only 250 credits of this purchase are unspent.'],
    [{ p_credits: 0 }, 400, 'The request is not valid.'],
    [{ p_credits: 1.5 }, 400, 'The request is not valid.'],
    [{ p_reason: ' ' }, 400, 'Say why, without naming a person.'],
    [{ p_session_id: 'cs_test_unknown' }, 404, 'There is no such purchase.'],
  ])('refuses the request %j with %i', async (wrong, status, message) => {
    const session = await app.bought(user);
    const answer = await refund(session, wrong);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
    expect((await app.balances(user)).paid).toBe(250);
    expect(await refundsAtProcessor(session)).toEqual([]);
  });

  it('refuses a refund of credits that are spent or already refunded', async () => {
    const session = await app.bought(user);
    expect((await refund(session)).status).toBe(200);
    expect(await refund(session)).toMatchObject({
      status: 409,
      body: { message: 'Nothing of this purchase is left to refund.' },
    });
  });

  it('returns the same refund for a repeated request id', async () => {
    const session = await app.bought(user);
    const order = { p_credits: 50, p_request_id: '0199a1b2-1111-7000-8000-000000000001' };
    expect((await refund(session, order)).status).toBe(200);
    expect((await refund(session, order)).status).toBe(200);
    expect((await app.balances(user)).paid).toBe(200);
    expect(await refundsAtProcessor(session)).toHaveLength(1);
  });

  it('makes one refund when two admins order it at once', async () => {
    const session = await app.bought(user);
    const answers = await Promise.all([refund(session), refund(session)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await refundsAtProcessor(session)).toHaveLength(1);
  });

  it('gives the credits back when the processor refuses the refund', async () => {
    const session = await app.bought(user);
    await app.sandbox.refund(session);
    // The app has received no notice of this refund: the ledger still shows 250 unspent credits.
    const { status, body } = await refund(session);
    expect([status, body.message]).toEqual([
      502,
      'The payment processor refused the refund. The credits are back with the user.',
    ]);
    expect((await app.balances(user)).paid).toBe(250);
    await deliverEvents(session);
    expect((await app.balances(user)).paid).toBe(0);
  });

  it.each(['error', 'cut', 'lost', 'timeout'] as const)(
    'completes the refund once after the fault "%s" at the processor',
    async (fault) => {
      const session = await app.bought(user);
      app.sandbox.faults.next(fault, 'POST /refunds');
      const { status, body } = await refund(session);
      expect([status, body.status]).toEqual([200, fault === 'lost' || fault === 'cut' ? expect.anything() : 'pending']);
      // Meanwhile the credits cannot be spent.
      expect((await app.balances(user)).paid).toBe(0);
      // Longer than the processor keeps our idempotency key.
      app.clock.advance(25 * 3_600_000);
      await app.settleDown();
      await deliverEvents(session);
      expect(await refundsAtProcessor(session)).toMatchObject([{ amountCents: 2500 }]);
      expect((await app.ledgerTypes(user)).filter((type) => type === 'PurchaseReversed')).toHaveLength(1);
      expect(await app.ledgerTypes(user)).not.toContain('PurchaseReinstated');
    },
  );

  it('asks the processor again only after a pause, and keeps the reason', async () => {
    const session = await app.bought(user);
    app.sandbox.faults.next('error', 'POST /refunds');
    await refund(session);
    await app.settleDown();
    const order = await app.db
      .selectFrom('admin_refund')
      .selectAll()
      .where('session_id', '=', session)
      .executeTakeFirstOrThrow();
    expect(order).toMatchObject({ attempts: 1, last_error: expect.any(String) });
    expect(order.not_before.getTime()).toBeGreaterThan(app.clock.now().getTime());
  });

  const points = PAYMENT_FAULT_POINTS.filter((point) =>
    /^payments\.(record-refund|reserve|store-reserved|create-refund|store-refunded|store-reversal)\./.test(point),
  );
  it.each(points)('completes the refund after a crash at %s', async (point) => {
    const session = await app.bought(user);
    app.faults.crashAt(point);
    await refund(session);
    const { crashed } = app.faults;
    await app.restart();
    await deliverEvents(session);
    await app.restart();
    const refunds = await refundsAtProcessor(session);
    // Before the order is stored, nothing has begun.
    const begun = point !== 'payments.record-refund.before';
    expect(refunds).toHaveLength(begun ? 1 : 0);
    expect((await app.balances(user)).paid).toBe(begun ? 0 : 250);
    expect((await app.ledgerTypes(user)).filter((type) => type === 'PurchaseReversed')).toHaveLength(begun ? 1 : 0);
    const orders = await app.db.selectFrom('admin_refund').select('status').where('session_id', '=', session).execute();
    expect(orders).toEqual(begun ? [{ status: 'refunded' }] : []);
    expect(crashed).toBe(true);
  });

  it.each(['release', 'store-released'])('gives the credits back after a refusal and a crash at %s', async (step) => {
    const session = await app.bought(user);
    await app.sandbox.refund(session);
    for (const side of ['before', 'after'] as const) {
      app.faults.crashAt(`payments.${step as 'release'}.${side}`);
      await refund(session);
      expect(app.faults.crashed).toBe(true);
      await app.restart();
      expect((await app.balances(user)).paid).toBe(250);
    }
    const rows = await app.db.selectFrom('admin_refund').select('status').where('session_id', '=', session).execute();
    expect(rows.map(({ status }) => status)).toEqual(['released', 'released']);
    await deliverEvents(session);
    expect((await app.balances(user)).paid).toBe(0);
  });

  it('refuses the refund when the credits are spent while it begins', async () => {
    const session = await app.bought(user);
    app.faults.crashAt('payments.record-refund.after');
    await refund(session);
    app.faults.restart();
    await app.spend(user, 100);
    await app.restart();
    expect((await app.balances(user)).paid).toBe(150);
    expect(await refundsAtProcessor(session)).toEqual([]);
  });
});
