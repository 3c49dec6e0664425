import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type Stripe from 'stripe';
import { StripePaymentProcessor } from '../../src/payments/providers/stripe-payment-processor.js';
import { API_FAULTS, type ApiFault, Faults } from '../../src/sandbox/stripe/faults.js';
import { type ReceivedEvent, StripeReceiver, StripeServer } from '../support/stripe-server.js';
import { until } from '../support/until.js';

const HOUR = 60 * 60_000;
const MINUTE = 60_000;

jest.setTimeout(30_000);

let stripe: StripeServer;
let receiver: StripeReceiver;

beforeAll(async () => {
  receiver = new StripeReceiver();
  await receiver.listen();
  stripe = await StripeServer.start({ webhookUrl: receiver.url });
});
afterAll(async () => {
  await stripe.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.answers.length = 0;
});
afterEach(async () => {
  stripe.sandbox.faults.plan(null);
  await stripe.sandbox.webhooksDone();
});

const order = (
  more: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Stripe.Checkout.SessionCreateParams & { line_items: Stripe.Checkout.SessionCreateParams.LineItem[] } => ({
  mode: 'payment',
  success_url: 'https://shop.example/payment-success?session_id={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://shop.example/payment-canceled',
  line_items: [
    { quantity: 1, price_data: { currency: 'usd', unit_amount: 2500, product_data: { name: '250 credits & more' } } },
  ],
  ...more,
});

const created = (more: Partial<Stripe.Checkout.SessionCreateParams> = {}, server = stripe) =>
  server.sdk().checkout.sessions.create(order(more));
const read = (id: string, server = stripe) =>
  server.sdk().checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });

async function paid(card = 'pays'): Promise<{ session: Stripe.Checkout.Session; payment: string; charge: string }> {
  const { id } = await created();
  expect(await stripe.sandbox.pay(id, card)).toBeNull();
  const session = await read(id);
  const payment = session.payment_intent as Stripe.PaymentIntent;
  return { session, payment: payment.id, charge: (payment.latest_charge as Stripe.Charge).id };
}

/** Returns the error that the SDK throws; fails when it throws none. */
async function failureOf(work: Promise<unknown>): Promise<Partial<Stripe.errors.StripeError> & { type: string }> {
  try {
    await work;
  } catch (error) {
    return error as Stripe.errors.StripeError;
  }
  throw new Error('The call did not fail.');
}

const eventsOf = (id: string, from = receiver): ReceivedEvent[] =>
  from.received.filter(({ event }) => {
    const object = event.data.object as { id?: string; payment_intent?: unknown };
    return object.id === id || object.payment_intent === id;
  });
const typesOf = (id: string) => eventsOf(id).map(({ event }) => event.type);

/** The SDK's fetch client returns the headers of the response. */
function isReplay({ lastResponse }: { lastResponse: { headers: unknown } }): boolean {
  return (lastResponse.headers as Headers).get('idempotent-replayed') === 'true';
}

describe('Stripe sandbox checkout sessions', () => {
  it('creates an open session with its URL, items and metadata', async () => {
    const session = await created({
      client_reference_id: 'user-1',
      customer_email: 'fan@fanvas.test',
      metadata: { bundleId: 'popular', note: 'a=b&c[d]' },
    });
    expect(session).toMatchObject({
      object: 'checkout.session',
      mode: 'payment',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 2500,
      currency: 'usd',
      client_reference_id: 'user-1',
      customer_email: 'fan@fanvas.test',
      metadata: { bundleId: 'popular', note: 'a=b&c[d]' },
      payment_intent: null,
      livemode: false,
    });
    expect(session.url).toBe(`${stripe.origin}/__sandbox/stripe/pay/${session.id}`);
    expect(session.expires_at - session.created).toBe(24 * 60 * 60);
  });

  it.each<[string, Record<string, unknown>, string, string | undefined]>([
    ['no mode', { mode: undefined }, 'mode', 'parameter_missing'],
    ['a subscription', { mode: 'subscription' }, 'mode', undefined],
    ['no items', { line_items: [] }, 'line_items', 'parameter_missing'],
    ['no success_url', { success_url: undefined }, 'success_url', 'parameter_missing'],
    ['a success_url that is not a URL', { success_url: 'shop' }, 'success_url', 'url_invalid'],
    ['a javascript address', { cancel_url: 'javascript:alert(1)' }, 'cancel_url', 'url_invalid'],
    ['an empty text', { client_reference_id: '' }, 'client_reference_id', 'parameter_invalid_empty'],
    ['an invalid e-mail address', { customer_email: 'fan' }, 'customer_email', 'email_invalid'],
    ['an expiry time that is too early', { expires_at: 1 }, 'expires_at', undefined],
    [
      'a parameter that the sandbox does not support',
      { allow_promotion_codes: true },
      'allow_promotion_codes',
      'parameter_unknown',
    ],
    ['an unknown expansion', { expand: ['shipping'] }, 'expand', undefined],
  ])('refuses a session with %s', async (_, change, param, code) => {
    const before = stripe.sandbox.events().length;
    const error = await failureOf(created(change));
    expect(error).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, param });
    expect(error.code).toBe(code);
    expect(stripe.sandbox.events()).toHaveLength(before);
  });

  it('refuses an invalid amount, quantity or currency', async () => {
    const priced = (change: object, quantity = 1) =>
      failureOf(
        created({
          line_items: [
            { quantity, price_data: { currency: 'usd', unit_amount: 100, product_data: { name: 'x' }, ...change } },
          ],
        }),
      );
    expect(await priced({ unit_amount: 49 })).toMatchObject({ code: 'amount_too_small' });
    expect(await priced({ unit_amount: 1.5 })).toMatchObject({
      code: 'parameter_invalid_integer',
      param: 'line_items[0][price_data][unit_amount]',
    });
    expect(await priced({ unit_amount: 99_999_999 }, 2)).toMatchObject({ code: 'amount_too_large' });
    expect(await priced({ currency: 'credits' })).toMatchObject({ param: 'line_items[0][price_data][currency]' });
    expect(await priced({}, 0)).toMatchObject({ param: 'line_items[0][quantity]' });
  });

  it('creates one session for an idempotency key and refuses other parameters under that key', async () => {
    const sdk = stripe.sdk();
    const once = { idempotencyKey: `key-${Date.now()}` };
    const first = await sdk.checkout.sessions.create(order(), once);
    const second = await sdk.checkout.sessions.create(order(), once);
    expect(second).toEqual(first);
    expect(isReplay(second)).toBe(true);
    expect(isReplay(first)).toBe(false);
    const other = order({ client_reference_id: 'someone else' });
    expect(await failureOf(sdk.checkout.sessions.create(other, once))).toMatchObject({
      type: 'StripeIdempotencyError',
    });
    const all = await Promise.all(
      Array.from({ length: 10 }, () => sdk.checkout.sessions.create(order(), { idempotencyKey: `${first.id}-b` })),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });

  it('discards an idempotency key after a refusal and after a day', async () => {
    const sdk = stripe.sdk();
    const key = { idempotencyKey: `later-${Date.now()}` };
    await failureOf(sdk.checkout.sessions.create(order({ customer_email: 'fan' }), key));
    const { id } = await sdk.checkout.sessions.create(order(), key);
    stripe.clock.advance(25 * HOUR);
    expect((await sdk.checkout.sessions.create(order(), key)).id).not.toBe(id);
  });

  it('shows a session as expired from its expiry time on, and expires it on request', async () => {
    const { id } = await created();
    const soon = await created({ expires_at: Math.floor(stripe.clock.now().getTime() / 1000) + 1800 });
    const expired = await stripe.sdk().checkout.sessions.expire((await created()).id);
    expect(expired).toMatchObject({ status: 'expired', payment_status: 'unpaid', url: null });
    stripe.clock.advance(31 * MINUTE);
    expect((await read(soon.id)).status).toBe('expired');
    expect((await read(id)).status).toBe('open');
    stripe.clock.advance(24 * HOUR);
    expect((await read(id)).status).toBe('expired');
    await until(() => typesOf(id).length > 0);
    expect(typesOf(id)).toEqual(['checkout.session.expired']);
    expect(await failureOf(stripe.sdk().checkout.sessions.expire(id))).toMatchObject({ statusCode: 400 });
    await expect(stripe.sandbox.pay(id)).rejects.toThrow('can no longer be paid');
  });
});

describe('Stripe sandbox payments', () => {
  it('completes the session with a payment and a charge', async () => {
    const { id } = await created({
      metadata: { of: 'session' },
      payment_intent_data: { metadata: { of: 'payment' }, description: '250 credits' },
    });
    expect(await stripe.sandbox.pay(id, '4242 4242 4242 4242', { email: 'fan@fanvas.test' })).toBeNull();
    const session = await read(id);
    expect(session).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
    expect(session.customer_details?.email).toBe('fan@fanvas.test');
    const payment = session.payment_intent as Stripe.PaymentIntent;
    expect(payment).toMatchObject({ status: 'succeeded', amount_received: 2500, metadata: { of: 'payment' } });
    const charge = payment.latest_charge as Stripe.Charge;
    expect(charge).toMatchObject({ status: 'succeeded', paid: true, amount: 2500, payment_intent: payment.id });
    expect(charge.payment_method_details?.card?.last4).toBe('4242');
    expect((await fetch(charge.receipt_url ?? '')).status).toBe(200);
    const sdk = stripe.sdk();
    expect((await sdk.paymentIntents.retrieve(payment.id)).latest_charge).toBe(charge.id);
    expect((await sdk.charges.retrieve(charge.id, { expand: ['payment_intent'] })).payment_intent).toMatchObject({
      object: 'payment_intent',
    });
  });

  it('creates four events for a payment', async () => {
    const { session, payment } = await paid();
    await stripe.sandbox.webhooksDone();
    expect(eventsOf(session.id)).toHaveLength(1);
    expect(typesOf(payment).sort()).toEqual([
      'charge.succeeded',
      'checkout.session.completed',
      'payment_intent.created',
      'payment_intent.succeeded',
    ]);
  });

  it.each([
    ['declines', 'card_declined', 'generic_decline'],
    ['noFunds', 'card_declined', 'insufficient_funds'],
    ['expired', 'expired_card', undefined],
  ])('declines the card %s and accepts another one', async (card, code, declineCode) => {
    const { id } = await created();
    expect(await stripe.sandbox.pay(id, card)).toMatch(/^Your card /);
    const open = await read(id);
    expect(open).toMatchObject({ status: 'open', payment_status: 'unpaid' });
    const payment = open.payment_intent as Stripe.PaymentIntent;
    expect(payment).toMatchObject({ status: 'requires_payment_method', last_payment_error: { code } });
    expect(payment.last_payment_error?.decline_code).toBe(declineCode);
    expect(await stripe.sandbox.pay(id)).toBeNull();
    const done = await read(id);
    expect(done.payment_status).toBe('paid');
    expect((done.payment_intent as Stripe.PaymentIntent).id).toBe(payment.id);
    await stripe.sandbox.webhooksDone();
    expect(typesOf(payment.id)).toContain('payment_intent.payment_failed');
  });

  it('settles a delayed payment after a minute', async () => {
    const { id } = await created();
    await stripe.sandbox.pay(id, 'settlesLater');
    const waiting = await read(id);
    expect(waiting).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
    expect(waiting.payment_intent).toMatchObject({ status: 'processing' });
    await stripe.sandbox.webhooksDone();
    expect(typesOf(id)).toEqual(['checkout.session.completed']);
    stripe.clock.advance(MINUTE);
    await until(async () => (await read(id)).payment_status === 'paid');
    await until(() => typesOf(id).length === 2);
    expect(typesOf(id)[1]).toBe('checkout.session.async_payment_succeeded');
  });

  it('fails a delayed payment after a minute', async () => {
    const { id } = await created();
    await stripe.sandbox.pay(id, 'failsLater');
    await stripe.sandbox.webhooksDone();
    stripe.clock.advance(MINUTE);
    await until(() => typesOf(id).length === 2);
    expect(typesOf(id)[1]).toBe('checkout.session.async_payment_failed');
    const failed = await read(id);
    expect(failed).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
    expect(failed.payment_intent).toMatchObject({ status: 'requires_payment_method' });
    expect(await failureOf(stripe.sdk().refunds.create({ charge: await latestCharge(failed) }))).toMatchObject({
      statusCode: 400,
    });
  });

  it('settles or fails a payment once on request', async () => {
    const first = await created();
    const second = await created();
    await stripe.sandbox.pay(first.id, 'failsLater');
    await stripe.sandbox.pay(second.id, 'settlesLater');
    await stripe.sandbox.settle(first.id);
    await stripe.sandbox.fail(second.id);
    expect((await read(first.id)).payment_status).toBe('paid');
    expect((await read(second.id)).payment_status).toBe('unpaid');
    await expect(stripe.sandbox.settle(second.id)).rejects.toThrow('not waiting');
  });

  const latestCharge = async (session: Stripe.Checkout.Session): Promise<string> =>
    ((session.payment_intent as Stripe.PaymentIntent).latest_charge as Stripe.Charge).id;
});

describe('Stripe sandbox refunds', () => {
  it('refunds a whole payment only once', async () => {
    const { payment, charge } = await paid();
    const sdk = stripe.sdk();
    const refund = await sdk.refunds.create({ payment_intent: payment, reason: 'requested_by_customer' });
    expect(refund).toMatchObject({
      object: 'refund',
      amount: 2500,
      status: 'succeeded',
      charge,
      payment_intent: payment,
    });
    expect(await sdk.charges.retrieve(charge)).toMatchObject({ refunded: true, amount_refunded: 2500 });
    expect(await failureOf(sdk.refunds.create({ charge }))).toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'charge_already_refunded',
    });
    await stripe.sandbox.webhooksDone();
    expect(typesOf(payment)).toEqual(expect.arrayContaining(['refund.created', 'charge.refunded']));
  });

  it('refunds parts of a payment up to the paid amount', async () => {
    const { payment, charge } = await paid();
    const sdk = stripe.sdk();
    await sdk.refunds.create({ charge, amount: 1000, metadata: { why: 'half of it' } });
    const key = { idempotencyKey: `refund-${charge}` };
    const [first, again] = await Promise.all([
      sdk.refunds.create({ charge, amount: 500 }, key),
      sdk.refunds.create({ charge, amount: 500 }, key),
    ]);
    expect(again.id).toBe(first.id);
    expect(await failureOf(sdk.refunds.create({ charge, amount: 1001 }))).toMatchObject({
      param: 'amount',
      message: expect.stringContaining('($10.01) is greater than unrefunded amount on charge ($10.00)'),
    });
    expect(await failureOf(sdk.refunds.create({ charge, amount: 0 }))).toMatchObject({ param: 'amount' });
    expect(await failureOf(sdk.refunds.create({ charge, reason: 'boredom' as 'fraudulent' }))).toMatchObject({
      param: 'reason',
    });
    expect(await failureOf(sdk.refunds.create({}))).toMatchObject({ statusCode: 400 });
    expect(await sdk.charges.retrieve(charge)).toMatchObject({ refunded: false, amount_refunded: 1500 });
    expect((await sdk.refunds.list({ charge })).data.map(({ amount }) => amount)).toEqual([500, 1000]);
    expect((await sdk.refunds.list({ payment_intent: payment })).data).toHaveLength(2);
    expect(await sdk.refunds.retrieve(first.id)).toMatchObject({ amount: 500 });
  });

  it('delays the refund for one card and fails it later for another', async () => {
    const slow = await paid('refundPending');
    const failing = await paid('refundFails');
    const sdk = stripe.sdk();
    const pending = await sdk.refunds.create({ charge: slow.charge });
    const doomed = await sdk.refunds.create({ charge: failing.charge });
    expect([pending.status, doomed.status]).toEqual(['pending', 'succeeded']);
    stripe.clock.advance(MINUTE);
    await until(async () => (await sdk.refunds.retrieve(pending.id)).status === 'succeeded');
    await until(async () => (await sdk.refunds.retrieve(doomed.id)).status === 'failed');
    expect(await sdk.charges.retrieve(failing.charge)).toMatchObject({ refunded: false, amount_refunded: 0 });
    await until(() => typesOf(doomed.id).includes('refund.failed'));
    await until(() => typesOf(pending.id).includes('refund.updated'));
  });
});

describe('Stripe sandbox disputes', () => {
  it('opens a dispute for its test card, and closes it once', async () => {
    const { payment, charge } = await paid('disputed');
    const sdk = stripe.sdk();
    expect((await sdk.disputes.list({ charge })).data).toEqual([]);
    stripe.clock.advance(MINUTE);
    const dispute = await until(async () => (await sdk.disputes.list({ payment_intent: payment })).data[0]);
    expect(dispute).toMatchObject({ amount: 2500, charge, status: 'needs_response', reason: 'fraudulent' });
    expect((await sdk.charges.retrieve(charge)).disputed).toBe(true);
    expect(await failureOf(sdk.refunds.create({ charge }))).toMatchObject({ code: 'charge_disputed' });
    expect((await stripe.sandbox.closeDispute(dispute.id, 'lost')).status).toBe('lost');
    await expect(stripe.sandbox.closeDispute(dispute.id, 'lost')).rejects.toThrow();
    await stripe.sandbox.webhooksDone();
    await until(() => typesOf(payment).includes('charge.dispute.closed'));
    expect(typesOf(payment)).toContain('charge.dispute.created');
    expect(typesOf(payment)).not.toContain('charge.dispute.funds_reinstated');
  });

  it('disputes the amount that was not refunded, and lets the shop win', async () => {
    const { session, payment, charge } = await paid();
    const sdk = stripe.sdk();
    await sdk.refunds.create({ charge, amount: 700 });
    const { id, amount } = await stripe.sandbox.dispute(session.id, { reason: 'product_not_received' });
    expect(amount).toBe(1800);
    expect((await stripe.sandbox.closeDispute(id, 'won')).status).toBe('won');
    await stripe.sandbox.webhooksDone();
    expect(typesOf(payment)).toEqual(
      expect.arrayContaining(['charge.dispute.closed', 'charge.dispute.funds_reinstated']),
    );
    expect((await sdk.refunds.create({ charge })).amount).toBe(1800);
    await expect(stripe.sandbox.dispute(session.id)).rejects.toThrow();
  });

  it('disputes a part of a payment', async () => {
    const { session } = await paid();
    await expect(stripe.sandbox.dispute(session.id, { amount: 2501 })).rejects.toThrow('at most');
    expect((await stripe.sandbox.dispute(session.id, { amount: 900 })).amount).toBe(900);
  });
});

describe('StripePaymentProcessor', () => {
  it('finds the payment of a charge, of a refund and of a dispute by their ids', async () => {
    const { session, payment, charge } = await paid();
    const { id: refund } = await stripe.sdk().refunds.create({ charge, amount: 500 });
    const { id: dispute } = await stripe.sandbox.dispute(session.id);
    const processor = new StripePaymentProcessor(stripe.sdk());
    for (const id of [charge, refund, dispute]) expect([id, await processor.paymentOf(id)]).toEqual([id, payment]);
  });
});

describe('Stripe sandbox lists', () => {
  let shop: StripeServer;
  const ids: string[] = [];
  beforeAll(async () => {
    shop = await StripeServer.start();
    for (let index = 0; index < 7; index += 1) {
      ids.push((await created({ client_reference_id: `n${index}` }, shop)).id);
      shop.clock.advance(10_000);
    }
    await shop.sandbox.pay(ids[2] ?? '');
    await shop.sandbox.expire(ids[3] ?? '');
  });
  afterAll(() => shop.close());

  const listed = async (params: Stripe.Checkout.SessionListParams) => {
    const { data, has_more } = await shop.sdk().checkout.sessions.list(params);
    return [data.map(({ id }) => ids.indexOf(id)), has_more];
  };
  const at = (index: number): number => Math.floor(new Date('2026-11-20T12:00:00Z').getTime() / 1000) + index * 10;

  it('pages through a list in both directions, the latest first', async () => {
    expect(await listed({ limit: 3 })).toEqual([[6, 5, 4], true]);
    expect(await listed({ limit: 3, starting_after: ids[4] ?? '' })).toEqual([[3, 2, 1], true]);
    expect(await listed({ limit: 3, starting_after: ids[1] ?? '' })).toEqual([[0], false]);
    expect(await listed({ limit: 2, ending_before: ids[3] ?? '' })).toEqual([[5, 4], true]);
    expect(await listed({ limit: 5, ending_before: ids[4] ?? '' })).toEqual([[6, 5], false]);
    const all: number[] = [];
    for await (const { id } of shop.sdk().checkout.sessions.list({ limit: 2 })) all.push(ids.indexOf(id));
    expect(all).toEqual([6, 5, 4, 3, 2, 1, 0]);
  });

  it('filters lists by time, status and payment', async () => {
    expect(await listed({ created: { gte: at(2), lt: at(4) } })).toEqual([[3, 2], false]);
    expect(await listed({ created: { gt: at(2), lte: at(4) } })).toEqual([[4, 3], false]);
    expect(await listed({ created: at(5) })).toEqual([[5], false]);
    expect(await listed({ status: 'complete' })).toEqual([[2], false]);
    expect(await listed({ status: 'expired' })).toEqual([[3], false]);
    const payment = (await shop.sdk().checkout.sessions.retrieve(ids[2] ?? '')).payment_intent as string;
    expect(await listed({ payment_intent: payment })).toEqual([[2], false]);
    const expanded = await shop.sdk().checkout.sessions.list({ status: 'complete', expand: ['data.payment_intent'] });
    expect(expanded.data[0]?.payment_intent).toMatchObject({ id: payment, status: 'succeeded' });
  });

  it('refuses invalid limits and cursors', async () => {
    const { sessions } = shop.sdk().checkout;
    expect(await failureOf(sessions.list({ limit: 0 }))).toMatchObject({ param: 'limit' });
    expect(await failureOf(sessions.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
    expect(await failureOf(sessions.list({ starting_after: 'cs_none' }))).toMatchObject({ code: 'resource_missing' });
    expect(await failureOf(sessions.list({ customer: 'cus_1' }))).toMatchObject({ code: 'parameter_unknown' });
  });
});

describe('Stripe sandbox events', () => {
  it('stores the cause of an event and the object at that time', async () => {
    const { charge } = await paid();
    const sdk = stripe.sdk();
    await sdk.refunds.create({ charge, amount: 100 }, { idempotencyKey: `cause-${charge}` });
    await sdk.refunds.create({ charge, amount: 200 });
    const [second, first] = stripe.sandbox.events().filter(({ type }) => type === 'charge.refunded');
    expect(first).toMatchObject({ object: 'event', api_version: '2026-10-28.endive', livemode: false });
    expect(first?.request?.idempotency_key).toBe(`cause-${charge}`);
    expect(first?.data.object).toMatchObject({ amount_refunded: 100 });
    expect(second?.data.object).toMatchObject({ amount_refunded: 300 });
  });
});

describe('Stripe sandbox refusals', () => {
  it('refuses unknown routes, objects and keys', async () => {
    const sdk = stripe.sdk();
    for (const unknown of [
      sdk.customers.list(),
      sdk.customers.create({ email: 'fan@fanvas.test' }),
      sdk.webhookEndpoints.del('we_1'),
      sdk.checkout.sessions.retrieve('cs_test_unknown'),
      sdk.paymentIntents.retrieve('pi_unknown'),
      sdk.refunds.retrieve('re_unknown'),
      sdk.disputes.retrieve('du_unknown'),
      sdk.refunds.create({ payment_intent: 'pi_unknown' }),
    ]) {
      expect(await failureOf(unknown)).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 404 });
    }
    const stranger = stripe.sdk({ secretKey: 'sk_test_wrong' });
    expect(await failureOf(stranger.balance.retrieve())).toMatchObject({
      type: 'StripeAuthenticationError',
      statusCode: 401,
    });
  });

  it('answers malformed requests in the format of Stripe', async () => {
    const base = `${stripe.settings.baseUrl}/v1`;
    const auth = { authorization: `Bearer ${stripe.settings.secretKey}` };
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${base}${path}`, { ...init, headers: { ...auth, ...init.headers } });
      const { error } = (await response.json()) as { error: { type: string; message: string } };
      expect(error).toMatchObject({ type: 'invalid_request_error', message: expect.any(String) });
      expect(response.headers.get('request-id')).toMatch(/^req_/);
      return response.status;
    };
    const json = { 'content-type': 'application/json' };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await ask('/nothing')).toBe(404);
    expect(await ask('')).toBe(404);
    expect(await ask('/charges', { method: 'DELETE' })).toBe(404);
    expect(await ask('/balance', { headers: { authorization: '' } })).toBe(401);
    expect(await ask('/refunds', { method: 'POST', headers: json, body: '{"charge":"ch_1"}' })).toBe(400);
    expect(await ask('/refunds', { method: 'POST', headers: form, body: 'charge=a&charge[b]=c' })).toBe(400);
    expect(await ask('/refunds', { method: 'POST', headers: form, body: 'charge[a]=b' })).toBe(400);
    expect(await ask('/refunds', { method: 'POST', headers: form, body: '__proto__[x]=y&charge=ch_1' })).toBe(400);
    expect(await ask('/refunds', { method: 'POST' })).toBe(400);
    expect(await ask('/refunds', { method: 'POST', headers: form, body: 'a'.repeat(2_000_000) })).toBe(400);
  });
});

describe('Stripe sandbox webhooks', () => {
  const verify = (delivery: ReceivedEvent, change: { body?: string; at?: number; secret?: string } = {}) =>
    stripe
      .sdk()
      .webhooks.constructEvent(
        change.body ?? delivery.body,
        delivery.signature,
        change.secret ?? stripe.settings.webhookSecret ?? '',
        300,
        undefined,
        change.at ?? stripe.clock.now().getTime(),
      );

  it('signs the raw bytes so that the SDK accepts only them', async () => {
    const { session } = await paid();
    const delivery = await until(() => eventsOf(session.id)[0]);
    expect(verify(delivery)).toMatchObject({ id: delivery.event.id, type: 'checkout.session.completed' });
    const body = delivery.body.toString('utf8');
    expect(() => verify(delivery, { body: body.replace('"paid"', '"free"') })).toThrow(/signature/i);
    expect(() => verify(delivery, { secret: 'whsec_other' })).toThrow(/signature/i);
    expect(() => verify(delivery, { at: stripe.clock.now().getTime() + 6 * MINUTE })).toThrow(/tolerance/);
    const { body: signedBody, signature } = stripe.sandbox.signed(delivery.event);
    expect(verify({ ...delivery, body: Buffer.from(signedBody), signature })).toMatchObject({ id: delivery.event.id });
  });

  it('repeats a webhook under one event id with growing pauses until it is acknowledged', async () => {
    const { id } = await created();
    await stripe.sandbox.webhooksDone();
    receiver.answers.push(500, 302, 404);
    await stripe.sandbox.expire(id);
    await until(() => {
      stripe.clock.advance(100);
      return eventsOf(id).length === 4;
    });
    const times = eventsOf(id).map(({ signature }) => Number(/t=(\d+)/.exec(signature)?.[1]));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(3);
    expect(new Set(eventsOf(id).map(({ event }) => event.id)).size).toBe(1);
    await stripe.sandbox.webhooksDone();
    expect(stripe.sandbox.deliveries()[0]).toMatchObject({ state: 'delivered', attempts: 4, answer: 200, dueAt: null });
    const sent = stripe.sandbox.events().find((event) => event.id === eventsOf(id)[0]?.event.id);
    expect(sent?.pending_webhooks).toBe(0);
  });

  it('completes a payment before its webhook is acknowledged, and sends an event again on request', async () => {
    const { id } = await created();
    stripe.sandbox.faults.holdWebhooks(true);
    expect(await stripe.sandbox.pay(id)).toBeNull();
    expect((await read(id)).payment_status).toBe('paid');
    expect(typesOf(id)).toEqual([]);
    stripe.sandbox.faults.holdWebhooks(false);
    const { event } = await until(() => eventsOf(id)[0]);
    await stripe.sandbox.resend(event.id);
    await until(() => eventsOf(id).length === 2);
    await expect(stripe.sandbox.resend('evt_unknown')).rejects.toThrow('No such event');
  });

  it('drops, repeats and delays webhooks according to the fault plan', async () => {
    const { faults } = stripe.sandbox;
    const lost = await created();
    const doubled = await created();
    const late = await created();
    faults.plan({ seed: 1, webhooks: { missing: 1 } });
    await stripe.sandbox.expire(lost.id);
    faults.plan({ seed: 1, webhooks: { duplicate: 1 } });
    await stripe.sandbox.expire(doubled.id);
    await until(() => eventsOf(doubled.id).length === 2);
    faults.plan({ seed: 1, webhooks: { delayed: 1 }, delayMs: 10_000 });
    await stripe.sandbox.expire(late.id);
    faults.plan(null);
    const overtaking = await created();
    await stripe.sandbox.expire(overtaking.id);
    await until(() => eventsOf(overtaking.id).length === 1);
    expect(eventsOf(late.id)).toEqual([]);
    stripe.clock.advance(10_000);
    await until(() => eventsOf(late.id).length === 1);
    expect(eventsOf(lost.id)).toEqual([]);
    expect(stripe.sandbox.events().some(({ data }) => (data.object as { id?: string }).id === lost.id)).toBe(true);
  });
});

describe('Stripe sandbox API faults', () => {
  const CREATE = 'POST /checkout/sessions';
  const count = async (reference: string) =>
    (await stripe.sdk().checkout.sessions.list({ limit: 100 })).data.filter(
      ({ client_reference_id }) => client_reference_id === reference,
    ).length;
  let reference: string;
  let attempts = 0;
  beforeEach(() => {
    attempts += 1;
    reference = `fault-${attempts}`;
  });
  /** Only the call that hangs needs a short time limit. The sandbox waits for the disk before it answers. */
  const limitFor = (fault: ApiFault) => (fault === 'timeout' ? { timeoutMs: 2_000 } : {});
  const create = (options = {}) =>
    stripe.sdk(options).checkout.sessions.create(order({ client_reference_id: reference }));

  it.each([
    ['error', 'StripeAPIError', 0],
    ['rate-limit', 'StripeRateLimitError', 0],
    ['cut', 'StripeConnectionError', 0],
    ['lost', 'StripeConnectionError', 1],
    ['timeout', 'StripeConnectionError', 1],
  ] as const)('makes the SDK fail on %s with %s after creating %i sessions', async (fault, type, made) => {
    stripe.sandbox.faults.next(fault, CREATE);
    expect(await failureOf(create(limitFor(fault)))).toMatchObject({ type });
    expect(await count(reference)).toBe(made);
    await create();
    expect(await count(reference)).toBe(made + 1);
  });

  it.each(['error', 'cut', 'lost', 'timeout'] as const)(
    'creates one session on %s when the SDK retries',
    async (fault) => {
      stripe.sandbox.faults.next(fault, CREATE);
      const { id } = await create({ maxNetworkRetries: 2, ...limitFor(fault) });
      expect((await read(id)).client_reference_id).toBe(reference);
      expect(await count(reference)).toBe(1);
    },
  );

  it('repeats the same faults for the same seed', () => {
    const drawn = (seed: number) => {
      const faults = new Faults();
      faults.plan({ seed, api: { error: 0.2, lost: 0.2 }, webhooks: { missing: 0.3, delayed: 0.3 } });
      return Array.from({ length: 200 }, () => [faults.forCall(CREATE), faults.forWebhook('charge.succeeded')]);
    };
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
    const calls = drawn(7).map(([fault]) => fault);
    expect(new Set(calls)).toEqual(new Set([null, 'error', 'lost']));
    expect(API_FAULTS.length).toBeGreaterThan(2);
  });
});

describe('Stripe sandbox after a kill', () => {
  let killed: StripeServer;
  let next: StripeServer | null;
  beforeEach(async () => {
    next = null;
    killed = await StripeServer.start({ webhookUrl: receiver.url });
  });
  afterEach(() => (next ?? killed).close());

  it('restores keys, sessions, idempotency keys and scheduled work', async () => {
    const open = await created({}, killed);
    const key = { idempotencyKey: 'kept' };
    const kept = await killed.sdk().checkout.sessions.create(order(), key);
    const later = await created({}, killed);
    await killed.sandbox.pay(later.id, 'settlesLater');
    next = await killed.afterKill();
    expect(next.sandbox.settings).toEqual(killed.sandbox.settings);
    expect((await next.sdk().checkout.sessions.create(order(), key)).id).toBe(kept.id);
    expect((await read(later.id, next)).payment_status).toBe('unpaid');
    next.clock.advance(MINUTE);
    await until(async () => (await read(later.id, next ?? killed)).payment_status === 'paid');
    next.clock.advance(24 * HOUR);
    await until(async () => (await read(open.id, next ?? killed)).status === 'expired');
    expect((await next.sdk().checkout.sessions.list()).data.map(({ id }) => id)).toEqual([later.id, kept.id, open.id]);
  });

  it('repeats a webhook that was not acknowledged', async () => {
    const { id } = await created({}, killed);
    receiver.answers.push(500);
    await killed.sandbox.expire(id);
    const [first] = await until(() => (eventsOf(id).length > 0 ? eventsOf(id) : null));
    next = await killed.afterKill();
    const { clock } = next;
    await until(() => {
      clock.advance(100);
      return eventsOf(id).length === 2;
    });
    expect(eventsOf(id)[1]?.event.id).toBe(first?.event.id);
  });

  it('discards only a half-written transaction', async () => {
    const { id } = await created({}, killed);
    await appendFile(join(killed.folder, 'journal.ndjson'), '[["session",{"id":"cs_test_half","obj');
    next = await killed.afterKill();
    const { id: second } = await created({}, next);
    expect((await next.sdk().checkout.sessions.list()).data.map((session) => session.id)).toEqual([second, id]);
  });
});

describe('Stripe sandbox control routes', () => {
  const control = async (
    action: string,
    fields: object,
    headers: Record<string, string> = {},
  ): Promise<[status: number, body: { result?: { id?: string } }]> => {
    const response = await fetch(`${stripe.settings.baseUrl}/control/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(fields),
    });
    return [response.status, (await response.json()) as { result?: { id?: string } }];
  };

  it('performs the same operations as the methods', async () => {
    const session = (await created()).id;
    expect(await control('pay', { session, card: 'declines' })).toEqual([
      200,
      { result: { declined: 'Your card was declined.' } },
    ]);
    await control('pay', { session, card: 'settlesLater' });
    await control('settle', { session });
    expect((await read(session)).payment_status).toBe('paid');
    const [, refund] = await control('refund', { session, amount: 500 });
    expect(refund).toMatchObject({ result: { object: 'refund', amount: 500 } });
    const [, { result }] = await control('dispute', { session });
    expect(await control('win', { dispute: result?.id })).toMatchObject([200, { result: { status: 'won' } }]);
    await control('faults', { next: { fault: 'error', call: 'GET /balance' } });
    expect(await failureOf(stripe.sdk().balance.retrieve())).toMatchObject({ type: 'StripeAPIError' });
    await control('faults', { plan: null });
    expect(await control('refund', { session: 'cs_test_unknown' })).toMatchObject([
      404,
      { error: { code: 'resource_missing' } },
    ]);
    expect(await control('nonsense', {})).toMatchObject([404, { error: {} }]);
  });

  it('refuses requests from pages of other sites', async () => {
    const session = (await created()).id;
    expect(await control('expire', { session }, { origin: 'https://evil.example' })).toMatchObject([403, {}]);
    expect(await control('expire', { session }, { 'content-type': 'text/plain' })).toMatchObject([415, {}]);
    expect((await read(session)).status).toBe('open');
    expect((await control('expire', { session }, { origin: stripe.origin }))[0]).toBe(200);
  });
});
