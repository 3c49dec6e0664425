import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type PaymentProblem } from '../../src/contract/payments.js';
import { ProcessorUnavailableError, type ProcessorReversal } from '../../src/payments/providers/payment-processor.js';
import { ReversalRows } from '../../src/payments/reversal-rows.js';
import { type AdminRefundStatus } from '../../src/payments/tables.js';
import { PaymentBusyError, PaymentSettler } from '../../src/payments/use-cases/settle-payment.js';
import { PaymentInbox } from '../../src/payments/workers/payment-inbox.js';
import { IdGenerator } from '../../src/platform/ids.js';
import { PaymentsApp } from '../support/payments-app.js';

/** Each test protects one line of the payments code: it fails when that line is removed or inverted. */

jest.setTimeout(120_000);

const DAY_MS = 86_400_000;

let app: PaymentsApp;
let user: string;

beforeAll(async () => {
  app = await PaymentsApp.start();
});
afterAll(() => app.close());
beforeEach(() => {
  user = app.newUser();
});
afterEach(() => {
  jest.restoreAllMocks();
  app.faults.restart();
});

const succeededAt = async (): Promise<Date | undefined> =>
  (await app.db.selectFrom('payment_reconciliation').select('succeeded_at').executeTakeFirst())?.succeeded_at;

const openProblems = async (subject: string): Promise<string[]> => {
  const { body } = await app.rpc<PaymentProblem[]>('get_payment_problems', 'admin_1');
  return body.filter((problem) => problem.subject === subject).map(({ kind }) => kind);
};

/** A paid and credited session with its payment. */
async function bought(): Promise<{ session: string; payment: string }> {
  const session = await app.bought(user);
  return { session, payment: (await app.row(session)).payment_intent_id ?? '' };
}

describe('PaymentReconciler', () => {
  it('lists sessions back to its last success after an outage of weeks', async () => {
    await app.reconciler.reconcile();
    // Without a stored session id, only the processor's list contains the payment.
    app.faults.crashAt('payments.store-session.before');
    await app.createCheckout(user);
    app.faults.restart();
    let unrecorded: string | undefined;
    for await (const page of app.processor.sessions({ from: new Date(0) }))
      unrecorded ??= page.find(({ clientReferenceId }) => clientReferenceId === user)?.id;
    await app.sandbox.pay(unrecorded ?? '');
    app.clock.advance(20 * DAY_MS);
    await app.reconciler.reconcile();
    expect((await app.balances(user)).paid).toBe(250);
  });

  it('keeps its window when a session fails to settle', async () => {
    await app.reconciler.reconcile();
    const before = await succeededAt();
    await app.paid(user);
    app.clock.advance(60_000);
    const settle = jest.spyOn(app.get(PaymentSettler), 'settle');
    settle.mockRejectedValueOnce(new ProcessorUnavailableError('No answer.', 'test'));
    await app.reconciler.reconcile();
    expect(await succeededAt()).toEqual(before);
    await app.reconciler.reconcile();
    expect(await succeededAt()).not.toEqual(before);
    expect((await app.balances(user)).paid).toBe(250);
  });
});

describe('PaymentSettler', () => {
  it('keeps the problem of an uncredited payment open when its refund failed', async () => {
    const session = await app.paid(user);
    const { paymentIntentId } = await app.processor.session(session);
    await app.db.deleteFrom('checkout').where('session_id', '=', session).execute();
    const failed: ProcessorReversal = {
      id: 're_failed',
      kind: 'refund',
      amountCents: 2500,
      currency: 'usd',
      state: 'failed',
      paymentIntentId,
      adminRefundId: null,
      createdAt: app.clock.now(),
    };
    const reversals = jest.spyOn(app.processor, 'reversalsOf').mockResolvedValue([failed]);
    await app.get(PaymentSettler).settle(session);
    expect(await openProblems(session)).toEqual(['unknown_session']);
    reversals.mockResolvedValue([{ ...failed, state: 'succeeded' }]);
    await app.get(PaymentSettler).settle(session);
    expect(await openProblems(session)).toEqual([]);
  });

  it('reports a reversal in another currency and leaves the credits alone', async () => {
    const { session, payment } = await bought();
    const refund = await app.sandbox.refund(session, { amount: 500 });
    const [reversal] = await app.processor.reversalsOf(payment);
    if (!reversal) throw new Error('The sandbox made no refund.');
    const reversals = jest.spyOn(app.processor, 'reversalsOf').mockResolvedValue([{ ...reversal, currency: 'eur' }]);
    await app.get(PaymentSettler).settle(session);
    expect(await app.ledgerTypes(user)).toEqual(['CreditsPurchased']);
    expect(await openProblems(reversal.id)).toEqual(['wrong_content']);
    expect(refund).toBeDefined();
    reversals.mockResolvedValue([reversal]);
    await app.get(PaymentSettler).settle(session);
    expect(await app.ledgerTypes(user)).toEqual(['CreditsPurchased', 'PurchaseReversed']);
    expect(await openProblems(reversal.id)).toEqual([]);
  });

  it('refuses a second settlement of a payment while the first one runs', async () => {
    const { session } = await bought();
    const settler = app.get(PaymentSettler);
    const read = app.processor.session.bind(app.processor);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    jest.spyOn(app.processor, 'session').mockImplementationOnce(async (id) => {
      begin();
      await released;
      return read(id);
    });
    const first = settler.settle(session);
    await begun;
    await expect(settler.settle(session)).rejects.toBeInstanceOf(PaymentBusyError);
    release();
    await first;
    await settler.settle(session);
  });
});

describe('ReversalRows.ledgerId', () => {
  it.each<[AdminRefundStatus, boolean]>([
    ['reserving', true],
    ['reserved', true],
    ['releasing', true],
    ['refunded', true],
    ['released', false],
    ['refused', false],
  ])('uses the id of an order in state %s: %s', async (status, isOrder) => {
    const { session } = await bought();
    const order = app.get(IdGenerator).next();
    const now = app.clock.now();
    await app.db
      .insertInto('admin_refund')
      .values({
        id: order,
        session_id: session,
        user_id: user,
        credits: 250,
        amount_cents: 2500,
        status,
        actor_id: 'admin_1',
        reason: 'Test',
        not_before: new Date(now.getTime() + DAY_MS),
        created_at: now,
        updated_at: now,
        refund_id: status === 'refunded' ? 're_1' : null,
        last_error: null,
      })
      .execute();
    const reversal = { id: 're_1', adminRefundId: order, amountCents: 2500 };
    expect(await app.get(ReversalRows).ledgerId(session, reversal)).toBe(isOrder ? order : 're_1');
  });
});

describe('PaymentInbox', () => {
  /** Stores an event. `claim` returns it when it is due. */
  async function stored() {
    const inbox = app.get(PaymentInbox);
    const id = `evt_${user}`;
    const event = { id, type: 'charge.refunded', object_id: 'ch_1', payment_intent_id: null } as const;
    await inbox.store({ ...event, occurred_at: app.clock.now() });
    const claim = async () => (await inbox.claim(50)).find((claimed) => claimed.id === id);
    return { inbox, id, claim };
  }

  it('gives the event of a worker that hangs to another one within 30 seconds', async () => {
    const { inbox, id, claim } = await stored();
    expect(await claim()).toBeDefined();
    app.clock.advance(24_000);
    expect(await claim()).toBeUndefined();
    app.clock.advance(4_000);
    expect(await claim()).toMatchObject({ attempts: 2 });
    await inbox.handled([id]);
  });

  it('does not count an event of a locked payment as an attempt', async () => {
    const { inbox, id, claim } = await stored();
    const attempts: (number | undefined)[] = [];
    for (let count = 0; count < 3; count += 1) {
      const event = await claim();
      attempts.push(event?.attempts);
      if (event) await inbox.waitFor(event);
      app.clock.advance(1_000);
    }
    const event = await claim();
    if (event) await inbox.failed(event, 'test');
    app.clock.advance(3_600_000);
    attempts.push((await claim())?.attempts);
    await inbox.handled([id]);
    expect(attempts).toEqual([1, 1, 1, 2]);
  });
});
