import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type Stripe from 'stripe';
import { PAYMENT_FAULT_POINTS } from '../../src/payments/payment-steps.js';
import { type PaymentProblem } from '../../src/contract/payments.js';
import { StreamDeletedError } from '../../src/platform/event-store/event-store.js';
import { PaymentsApp } from '../support/payments-app.js';
import { inSoak } from '../support/soak.js';
import { until } from '../support/until.js';

jest.setTimeout(180_000);

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

const TIMES = inSoak(20, 5);

/** Delivers all events at once, each several times. */
async function deliverManyTimes(events: readonly Stripe.Event[]): Promise<void> {
  const deliveries = events.flatMap((event) => Array.from({ length: TIMES }, () => app.deliver(event)));
  await Promise.all(deliveries);
}

function permutationsOf<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, place) =>
    permutationsOf(items.filter((_, other) => other !== place)).map((rest) => [item, ...rest]),
  );
}

/** The same event under another id, as a second event about one payment. */
const twin = (event: Stripe.Event, id: string): Stripe.Event => ({ ...event, id: `${event.id}_${id}` });

async function expectOneGrant(userId: string, session: string, credits = 250): Promise<void> {
  const types = await app.ledgerTypes(userId);
  expect(types.filter((type) => type === 'CreditsPurchased')).toHaveLength(1);
  expect(await app.purchase(userId, session)).toMatchObject({ credits });
  expect(await app.row(session)).toMatchObject({ status: 'credited' });
}

describe('payment events', () => {
  it.each([2, 3, 4])(
    'grants once and applies each reversal once for any number of deliveries in every order of %i',
    async (length) => {
      for (const places of permutationsOf(Array.from({ length }, (_, place) => place))) {
        const buyer = app.newUser();
        const session = await app.paid(buyer);
        const refund = await app.sandbox.refund(session, { amount: 500 });
        const happened = [app.eventOf(session, 'checkout.session.completed'), app.eventOf(session, 'charge.refunded')];
        if (length > 2) {
          const dispute = await app.sandbox.dispute(session, { amount: 2000 });
          happened.push(app.eventOf(session, 'charge.dispute.created'));
          if (length > 3) {
            await app.sandbox.closeDispute(dispute.id, 'won');
            happened.push(app.eventOf(session, 'charge.dispute.closed'));
          }
        }
        for (const place of places) await deliverManyTimes([happened[place]!]);
        await app.settleDown();
        await expectOneGrant(buyer, session);
        const left = { 2: 200, 3: 0, 4: 200 }[length];
        expect({ places, paid: (await app.balances(buyer)).paid }).toEqual({ places, paid: left });
        const { reversals } = (await app.purchase(buyer, session))!;
        expect(reversals).toHaveLength(length === 3 ? 2 : 1);
        expect(reversals).toContain(refund.id);
      }
    },
  );

  it("ends in the processor's state when all events arrive at once during further changes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...Array(12).keys()], { minLength: 5 }),
        fc.constantFrom(null, ...PAYMENT_FAULT_POINTS),
        fc.integer({ min: 1, max: 3 }),
        async (order, point, occurrence) => {
          const buyer = app.newUser();
          const session = await app.paid(buyer, 'settlesLater');
          await app.sandbox.settle(session);
          await app.sandbox.refund(session, { amount: 700 });
          const dispute = await app.sandbox.dispute(session, { amount: 1000 });
          await app.sandbox.closeDispute(dispute.id, 'won');
          await app.sandbox.refund(session, { amount: 300 });
          const happened = app.eventsOf(session);
          const events = order.map((place) =>
            twin(happened[place % happened.length]!, place < happened.length ? 'first' : 'again'),
          );
          if (point !== null) app.faults.crashAt(point, occurrence);
          await deliverManyTimes(events.slice(0, 3));
          await app.settleDown();
          await app.restart();
          await deliverManyTimes(events);
          // The processor repeats each event until it is acknowledged.
          await deliverManyTimes(happened);
          await app.restart();
          await expectOneGrant(buyer, session);
          expect((await app.balances(buyer)).paid).toBe(150);
        },
      ),
      { numRuns: inSoak(60, 5), seed: 20_260_310, endOnFailure: true },
    );
  });

  it('grants a delayed payment when it has settled, and not before', async () => {
    const session = await app.paid(user, 'settlesLater');
    await deliverManyTimes([app.eventOf(session, 'checkout.session.completed')]);
    await app.settleDown();
    expect(await app.ledgerTypes(user)).toEqual([]);
    expect(await app.row(session)).toMatchObject({ status: 'processing' });
    await app.sandbox.settle(session);
    const settled = app.eventOf(session, 'checkout.session.async_payment_succeeded');
    await deliverManyTimes([settled, app.eventOf(session, 'checkout.session.completed')]);
    await app.settleDown();
    await expectOneGrant(user, session);
  });

  it('grants nothing for a failed delayed payment or an expired session', async () => {
    const failing = await app.paid(user, 'failsLater');
    await app.sandbox.fail(failing);
    const expiring = await app.checkout(user);
    await app.sandbox.expire(expiring);
    await deliverManyTimes([...app.eventsOf(failing), ...app.eventsOf(expiring)]);
    await app.settleDown();
    expect(await app.ledgerTypes(user)).toEqual([]);
    expect(await app.row(failing)).toMatchObject({ status: 'failed' });
    expect(await app.row(expiring)).toMatchObject({ status: 'expired' });
  });

  it('grants once when webhook and success page arrive at once', async () => {
    const session = await app.paid(user);
    const looks = Array.from({ length: 10 }, () => app.lookUp(user, session));
    const [answers] = await Promise.all([
      Promise.all(looks),
      deliverManyTimes([app.eventOf(session, 'checkout.session.completed')]),
    ]);
    await app.settleDown();
    expect(answers.every(({ body }) => body.session.credited)).toBe(true);
    await expectOneGrant(user, session);
  });

  it('finds the checkout of an event that arrives before our session id was stored', async () => {
    app.faults.crashAt('payments.store-session.before');
    await app.createCheckout(user);
    app.faults.restart();
    const [session] = (await firstPage()).filter(({ clientReferenceId }) => clientReferenceId === user);
    await app.sandbox.pay(session!.id);
    await app.deliver(app.eventOf(session!.id, 'checkout.session.completed'));
    await app.settleDown();
    await expectOneGrant(user, session!.id);
  });

  it('grants for events that arrive days late', async () => {
    const session = await app.paid(user);
    app.clock.advance(12 * 86_400_000);
    await app.deliver(app.eventOf(session, 'checkout.session.completed'));
    await app.settleDown();
    await expectOneGrant(user, session);
  });
});

async function firstPage() {
  for await (const page of app.processor.sessions({ from: new Date(0) })) return page;
  return [];
}

it('the payment worker credits purchases while a refund waits for the processor', async () => {
  const refunded = await app.bought(user);
  app.sandbox.faults.next('error', 'POST /refunds');
  await app.rpc('refund_purchase', `admin_${user}`, { p_session_id: refunded, p_reason: 'asked for it' });
  const asking = jest.spyOn(app.processor, 'reversalsOf');
  let answer: (reversals: never[]) => void = () => undefined;
  asking.mockReturnValueOnce(new Promise<never[]>((resolve) => void (answer = resolve)));
  app.clock.advance(3_600_000);
  app.worker.wake();
  await until(async () => asking.mock.calls.length > 0);

  const buyer = app.newUser();
  const session = await app.paid(buyer);
  await app.deliver(app.eventOf(session, 'checkout.session.completed'));
  await until(async () => (await app.row(session)).status === 'credited').finally(() => answer([]));
  await app.settleDown();
  asking.mockRestore();
  expect((await app.purchase(user, refunded))?.reversals).toHaveLength(1);
});

/** Steps that a payment passes when its events are delivered. */
const STEPS =
  /^payments\.(store-event|claim-event|credit|store-credited|reverse|reinstate|store-reversal|store-handled)\./;

describe('recovery from a crash', () => {
  const points = PAYMENT_FAULT_POINTS.filter((point) => STEPS.test(point));

  it.each(points)('grants the payment once and applies its reversals after a crash at %s', async (point) => {
    const session = await app.paid(user);
    const dispute = await app.sandbox.dispute(session, { amount: 1000 });
    const crashing: { crashed: boolean }[] = [];
    const crashOn = async (events: readonly Stripe.Event[]): Promise<void> => {
      app.faults.crashAt(point);
      await deliverManyTimes(events);
      await app.settleDown();
      crashing.push({ crashed: app.faults.crashed });
      await app.restart();
      await deliverManyTimes(events);
      await app.settleDown();
    };
    await crashOn([app.eventOf(session, 'checkout.session.completed'), app.eventOf(session, 'charge.dispute.created')]);
    expect((await app.balances(user)).paid).toBe(150);
    await app.sandbox.closeDispute(dispute.id, 'won');
    await crashOn([app.eventOf(session, 'charge.dispute.closed')]);
    expect((await app.balances(user)).paid).toBe(250);
    await expectOneGrant(user, session);
    expect(crashing).toContainEqual({ crashed: true });
    const open = await app.db.selectFrom('payment_event').select('id').where('handled_at', 'is', null).execute();
    expect(open).toEqual([]);
  });
});

describe('payment problems', () => {
  const problems = async (): Promise<PaymentProblem[]> =>
    (await app.rpc<PaymentProblem[]>('get_payment_problems', 'admin_1')).body;

  it('shows a paid session without a checkout to admins, and credits it once its checkout exists', async () => {
    const session = await app.paid(user);
    const row = await app.row(session);
    await app.db.deleteFrom('checkout').where('id', '=', row.id).execute();
    await app.deliver(app.eventOf(session, 'checkout.session.completed'));
    await app.settleDown();
    expect(await problems()).toContainEqual(expect.objectContaining({ subject: session, kind: 'unknown_session' }));
    expect(await app.ledgerTypes(user)).toEqual([]);

    await app.db.insertInto('checkout').values(row).execute();
    await app.deliver(twin(app.eventOf(session, 'checkout.session.completed'), 'resent'));
    await app.settleDown();
    await expectOneGrant(user, session);
    expect((await problems()).filter(({ subject }) => subject === session)).toEqual([]);
  });

  it.each([
    [{ amount_cents: 2600 }, 'wrong_amount'],
    [{ currency: 'eur' }, 'wrong_currency'],
    [{ user_id: 'user_other' }, 'wrong_owner'],
    [{ credits: 2500 }, 'wrong_content'],
  ])('shows a payment whose checkout says %j to admins as %s', async (change, kind) => {
    const session = await app.paid(user);
    await app.db.updateTable('checkout').set(change).where('session_id', '=', session).execute();
    await app.deliver(app.eventOf(session, 'checkout.session.completed'));
    await app.settleDown();
    expect(await problems()).toContainEqual(expect.objectContaining({ subject: session, kind }));
    expect(await app.row(session)).toMatchObject({ status: 'processing', url: null });
    expect(await app.ledgerTypes(user)).toEqual([]);
    expect(await app.ledgerTypes('user_other')).toEqual([]);
  });

  it('shows payments and refunds of an account that was deleted, and tries them no more', async () => {
    const paid = await app.paid(user);
    const other = app.newUser();
    const refunded = await app.paid(other);
    await app.lookUp(other, refunded);
    await app.sandbox.refund(refunded);
    const append = jest.spyOn(app.eventStore, 'append').mockImplementation((stream) => {
      throw new StreamDeletedError(stream);
    });
    await app.deliver(app.eventOf(paid, 'checkout.session.completed'));
    await app.deliver(app.eventOf(refunded, 'charge.refunded'));
    await app.settleDown();
    append.mockRestore();
    const sentence = 'The account of the fan was deleted in the event store.';
    const found = (await problems()).filter((each) => each.what === sentence);
    expect(found.map(({ kind }) => kind)).toEqual(['ledger_refused', 'ledger_refused']);
    expect(found.map(({ subject }) => subject)).toContain(paid);
    const waiting = await app.db.selectFrom('payment_event').select('id').where('handled_at', 'is', null).execute();
    expect(waiting).toEqual([]);
  });

  it('lets the fan buy again, and resolves the problem once all money is returned', async () => {
    const session = await app.paid(user);
    await app.db.updateTable('checkout').set({ amount_cents: 2400 }).where('session_id', '=', session).execute();
    await app.setPrice('popular', 2400);
    try {
      const unknown = await app.paid(app.newUser());
      await app.db.deleteFrom('checkout').where('session_id', '=', unknown).execute();
      const ours = [session, unknown];
      const open = async () => (await problems()).filter(({ subject }) => ours.includes(subject));
      const hear = async (type: Stripe.Event['type'], id: string) => {
        for (const each of ours) await app.deliver(twin(app.eventOf(each, type), id));
        await app.settleDown();
      };
      await hear('checkout.session.completed', 'first');
      expect(await open()).toHaveLength(2);
      const answer = await app.createCheckout(user);
      expect(answer).toMatchObject({ status: 200, body: { url: expect.not.stringContaining(session) } });
      expect((await app.lookUp(user, session)).body.session).toMatchObject({ is_paid: true, credited: false });

      for (const each of ours) await app.sandbox.refund(each, { amount: 1000 });
      await hear('charge.refunded', 'part');
      expect(await open()).toHaveLength(2);
      for (const each of ours) await app.sandbox.refund(each);
      await hear('charge.refunded', 'rest');
      expect(await open()).toEqual([]);
      expect((await app.lookUp(user, session)).body.session).toMatchObject({ is_paid: false, status: 'expired' });
      expect(await app.ledgerTypes(user)).toEqual([]);
    } finally {
      await app.setPrice('popular', 2500);
    }
  });

  it('retries with growing pauses, reports to metrics and admins, and credits in the end', async () => {
    const session = await app.paid(user);
    for (let count = 0; count < 4; count += 1) app.sandbox.faults.next('error', 'GET /checkout/sessions/:id');
    await app.deliver(app.eventOf(session, 'checkout.session.completed'));
    const pauses: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      await app.settleDown();
      const event = await app.db
        .selectFrom('payment_event')
        .selectAll()
        .where('object_id', '=', session)
        .executeTakeFirstOrThrow();
      expect(event.handled_at).toBeNull();
      expect(event.last_error).toMatch(/StripeAPIError/);
      pauses.push(event.not_before.getTime() - app.clock.now().getTime());
      app.clock.set(event.not_before);
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(await problems()).toContainEqual(
      expect.objectContaining({ kind: 'event_failing', attempts: 4, what: expect.stringContaining(session) }),
    );
    const { body } = await app.metrics.text();
    expect(body).toMatch(/^fanvas_payment_events_failing 1$/m);
    expect(body).toMatch(/^fanvas_payment_oldest_event_age_seconds 30$/m);

    await app.settleDown();
    await expectOneGrant(user, session);
    expect((await problems()).filter(({ kind }) => kind === 'event_failing')).toEqual([]);
    expect((await app.metrics.text()).body).toMatch(/^fanvas_payment_events_waiting 0$/m);
  });
});
