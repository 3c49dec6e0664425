import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { inspect } from 'node:util';
import { GetUser } from '../../src/identity/index.js';
import { type CheckoutLookup, type CreditBundle, type Purchase } from '../../src/contract/payments.js';
import { PaymentsApp } from '../support/payments-app.js';
import { RateLimiter } from '../../src/platform/http/rate-limits.js';

jest.setTimeout(60_000);

let app: PaymentsApp;
let user: string;

beforeAll(async () => {
  app = await PaymentsApp.start();
});
afterAll(() => app.close());
beforeEach(() => {
  user = app.newUser();
});

const POPULAR = {
  bundleId: 'popular',
  bundleCredits: 250,
  bundlePrice: 25,
  successUrl: 'http://localhost:3000/payment-success?session_id={CHECKOUT_SESSION_ID}',
  cancelUrl: 'http://localhost:3000/payment-canceled',
};
const create = async (body: object, token: string | null = user) =>
  app.fn<{ url: string; message: string }>('create-checkout-session', token, body);

describe('get_credit_bundles', () => {
  it('lists the bundles to every caller, the cheapest first', async () => {
    const { status, body } = await app.rpc('get_credit_bundles', null);
    expect(status).toBe(200);
    expect(body).toEqual([
      { id: 'basic', name: 'Basic', credits: 100, price: 10, popular: false, description: expect.any(String) },
      { id: 'popular', name: 'Popular', credits: 250, price: 25, popular: true, description: expect.any(String) },
      { id: 'premium', name: 'Premium', credits: 750, price: 75, popular: false, description: expect.any(String) },
    ]);
  });

  const asked = { ...POPULAR, bundleId: 'basic', bundleCredits: 100, bundlePrice: 10 };

  it('sells at a new price at once and does not change open offers', async () => {
    const session = await app.paid(user, 'pays', 'basic');
    await app.setPrice('basic', 1200);
    try {
      expect((await create(asked)).status).toBe(422);
      expect((await create({ ...asked, bundlePrice: 12 })).status).toBe(200);
      expect((await app.lookUp(user, session)).body.session).toMatchObject({ amount_total: 1000, credited: true });
    } finally {
      await app.setPrice('basic', 1000);
    }
  });

  it('refuses a price that is no event, and shows the price of the policy again', async () => {
    await app.db
      .updateTable('credit_bundle')
      .set({ price_cents: 50, credits: 10_000 })
      .where('id', '=', 'basic')
      .execute();
    const cheap = await create({ ...asked, bundleCredits: 10_000, bundlePrice: 0.5 });
    expect(cheap).toMatchObject({
      status: 422,
      body: { message: 'The price of this bundle has changed. Please reload the page.' },
    });
    expect((await create(asked)).status).toBe(200);
  });

  it('does not list or sell a bundle that was never priced', async () => {
    const row = { id: 'secret', name: 'Secret', credits: 9999, price_cents: 50, description: 'Cheap' };
    await app.db
      .insertInto('credit_bundle')
      .values({ ...row, popular: false, on_sale: true, policy_version: null })
      .execute();
    try {
      expect((await app.rpc<CreditBundle[]>('get_credit_bundles', null)).body).toHaveLength(3);
      const body = { ...asked, bundleId: 'secret', bundleCredits: 9999, bundlePrice: 0.5 };
      expect((await create(body)).status).toBe(422);
    } finally {
      await app.db.deleteFrom('credit_bundle').where('id', '=', 'secret').execute();
    }
  });
});

describe('create-checkout-session', () => {
  it("[F7.30] returns the processor's page, with a session that names bundle and buyer", async () => {
    const { status, body } = await create({ ...POPULAR, userEmail: 'somebody@else.test' });
    expect(status).toBe(200);
    const sessionId = body.url.split('/').at(-1) ?? '';
    expect(body.url).toContain('/__sandbox/stripe/pay/');
    const session = await app.processor.session(sessionId);
    expect(session).toMatchObject({
      amountTotal: 2500,
      currency: 'usd',
      clientReferenceId: user,
      metadata: { userId: user, bundleId: 'popular', bundleCredits: '250' },
    });
    expect(await app.row(sessionId)).toMatchObject({ user_id: user, status: 'open', credits: 250, amount_cents: 2500 });
  });

  it("carries the address of the identity provider, not the browser's", async () => {
    const session = await app.checkout(user);
    await app.sandbox.pay(session);
    const { object } = app.eventOf(session, 'checkout.session.completed').data as {
      object: { customer_email: string };
    };
    expect(object.customer_email).toMatch(/@mirror\.test$/);
  });

  it('omits an e-mail address that the processor rejects, and never logs it', async () => {
    const address = 'somebody at home.test';
    const execute = app.queries.execute.bind(app.queries);
    jest
      .spyOn(app.queries, 'execute')
      .mockImplementation(async (query) => (query instanceof GetUser ? { email: address } : execute(query)));
    const logged: unknown[] = [];
    for (const level of ['log', 'warn', 'error'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((...words: unknown[]) => void logged.push(...words));
    }
    try {
      expect((await create(POPULAR)).status).toBe(200);
      expect((await create(POPULAR)).status).toBe(200);
      // The processor repeats the rejected value in its error.
      const really = app.processor.createSession.bind(app.processor);
      const asking = jest.spyOn(app.processor, 'createSession');
      asking.mockImplementationOnce(async (order) => really({ ...order, currency: address }));
      const basic = { bundleId: 'basic', bundleCredits: 100, bundlePrice: 10 };
      expect((await create({ ...POPULAR, ...basic })).status).toBe(502);
    } finally {
      jest.restoreAllMocks();
    }
    expect(inspect(logged, { depth: null })).toContain('refused');
    expect(inspect(logged, { depth: null })).not.toContain(address);
  });

  it('[F8.29, F5.15] refuses visitors', async () => {
    const { status, body } = await create(POPULAR, null);
    expect(status).toBe(401);
    expect(body.message).toBe('You must be signed in to purchase credits');
  });

  it.each([
    [{ bundleId: undefined }, 400, 'Bundle, credits and price are required'],
    [{ bundleCredits: undefined }, 400, 'Bundle, credits and price are required'],
    [{ bundlePrice: null }, 400, 'Bundle, credits and price are required'],
    [{ bundleId: 'gigantic' }, 422, 'This bundle is not for sale. Please reload the page.'],
    [{ bundleCredits: 750 }, 422, 'The price of this bundle has changed. Please reload the page.'],
    [{ bundlePrice: 0.01 }, 422, 'The price of this bundle has changed. Please reload the page.'],
    [{ bundlePrice: 24.999_999 }, 422, 'The price of this bundle has changed. Please reload the page.'],
    [{ bundlePrice: '25' }, 400, 'The request is not valid.'],
    [{ successUrl: 'https://evil.example/payment-success' }, 422, 'The payment must return to this site.'],
    [{ cancelUrl: '//evil.example/payment-canceled' }, 422, 'The payment must return to this site.'],
    [{ successUrl: undefined }, 400, 'The request is not valid.'],
  ])('refuses the request %j with %i', async (wrong, status, message) => {
    const answer = await create({ ...POPULAR, ...wrong });
    expect([answer.status, answer.body.message]).toEqual([status, message]);
    const rows = await app.db.selectFrom('checkout').select('id').where('user_id', '=', user).execute();
    expect(rows).toEqual([]);
  });

  it('returns the same session for repeated clicks', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(POPULAR)));
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1);
    expect((await create(POPULAR)).body.url).toBe(answers[0]?.body.url);
  });

  it('opens a new session once the last one is paid, even without a webhook', async () => {
    const first = await app.paid(user);
    const second = await app.checkout(user);
    expect(second).not.toBe(first);
    expect(await app.row(first)).toMatchObject({ status: 'credited' });
    expect((await app.balances(user)).paid).toBe(250);
  });

  it('opens a new session once the last one has expired', async () => {
    const first = await app.checkout(user);
    await app.sandbox.expire(first);
    expect(await app.checkout(user)).not.toBe(first);
    expect(await app.row(first)).toMatchObject({ status: 'expired' });
  });

  it.each(['error', 'rate-limit', 'cut'] as const)(
    'succeeds on a retry after the fault "%s" at the processor',
    async (fault) => {
      app.sandbox.faults.next(fault, 'POST /checkout/sessions');
      app.sandbox.faults.next(fault, 'POST /checkout/sessions');
      const { status, body } = await create(POPULAR);
      expect([status, body.message]).toEqual([503, 'Failed to create checkout session']);
      app.sandbox.faults.plan(null);
      expect((await create(POPULAR)).status).toBe(200);
    },
  );

  it("returns the same session on a retry when the processor's answer was lost", async () => {
    app.sandbox.faults.next('timeout', 'POST /checkout/sessions');
    expect((await create(POPULAR)).status).toBe(503);
    app.clock.advance(60_000);
    expect((await create(POPULAR)).status).toBe(200);
    const sessions = [];
    for await (const page of app.processor.sessions({ from: new Date(0) })) sessions.push(...page);
    expect(sessions.filter(({ clientReferenceId }) => clientReferenceId === user)).toHaveLength(1);
  });

  it.each(['record-checkout.after', 'create-session.before', 'create-session.after', 'store-session.after'] as const)(
    'returns one session on a retry after a crash at %s',
    async (point) => {
      app.faults.crashAt(`payments.${point}`);
      expect((await create(POPULAR)).status).toBe(500);
      app.faults.restart();
      const session = await app.checkout(user);
      await app.sandbox.pay(session);
      await app.lookUp(user, session);
      expect((await app.balances(user)).paid).toBe(250);
      const rows = await app.db.selectFrom('checkout').selectAll().where('user_id', '=', user).execute();
      expect(rows).toHaveLength(1);
    },
  );

  it('replaces an offer without a session after an hour', async () => {
    app.sandbox.faults.next('cut', 'POST /checkout/sessions');
    app.sandbox.faults.next('cut', 'POST /checkout/sessions');
    expect((await create(POPULAR)).status).toBe(503);
    app.sandbox.faults.plan(null);
    app.clock.advance(61 * 60_000);
    expect((await create(POPULAR)).status).toBe(200);
  });

  it('gives up after three attempts when the processor has no page for the open session', async () => {
    const open = await app.processor.session(await app.checkout(user));
    const read = jest.spyOn(app.processor, 'session').mockResolvedValue({ ...open, url: null });
    try {
      expect(await create(POPULAR)).toMatchObject({
        status: 503,
        body: { message: 'Failed to create checkout session' },
      });
      expect(read).toHaveBeenCalledTimes(3);
    } finally {
      read.mockRestore();
    }
  });

  it('[F8.05] fails when the limiter does not answer, while a lookup succeeds', async () => {
    const session = await app.checkout(user);
    const hit = jest.spyOn(app.get(RateLimiter), 'hit').mockRejectedValue(new Error('No answer.'));
    try {
      expect((await create(POPULAR)).status).toBe(503);
      expect((await app.lookUp(user, session)).status).toBe(200);
    } finally {
      hit.mockRestore();
    }
  });

  it('allows ten requests a minute', async () => {
    for (let count = 0; count < 10; count += 1) expect((await create(POPULAR)).status).toBe(200);
    const { status, headers, body } = await create(POPULAR);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(body.message).toMatch(/^Too many requests\. Please try again in \d+ seconds\.$/);
  });
});

describe('get-checkout-session', () => {
  it('[F3.12, F7.29] returns an open session to its owner', async () => {
    const session = await app.checkout(user);
    expect((await app.lookUp(user, session)).body.session).toEqual({
      id: session,
      is_paid: false,
      is_complete: false,
      payment_status: 'unpaid',
      status: 'open',
      amount_total: 2500,
      currency: 'usd',
      metadata: { bundleId: 'popular', bundleCredits: '250' },
      credited: false,
    });
  });

  it('credits a paid session before it answers, with or without a webhook', async () => {
    const session = await app.paid(user);
    expect((await app.lookUp(user, session)).body.session).toMatchObject({
      is_paid: true,
      is_complete: true,
      payment_status: 'paid',
      status: 'complete',
      credited: true,
    });
    expect((await app.balances(user)).paid).toBe(250);
  });

  it("answers another user's session like an unknown one", async () => {
    const session = await app.paid(user);
    const stranger = app.newUser();
    const foreign = await app.lookUp(stranger, session);
    const unknown = await app.lookUp(stranger, 'cs_test_unknown');
    expect(foreign.status).toBe(404);
    expect([foreign.status, foreign.body]).toEqual([unknown.status, unknown.body]);
    // The lookup changes nothing.
    expect(await app.row(session)).toMatchObject({ status: 'open' });
    expect((await app.balances(stranger)).paid).toBe(0);
  });

  it.each([
    [{}, 400, 'Session ID is required'],
    [{ sessionId: '' }, 400, 'Session ID is required'],
    [{ sessionId: null }, 400, 'Session ID is required'],
    [{ sessionId: 7 }, 400, 'The request is not valid.'],
    [{ sessionId: '../refunds' }, 404, 'Failed to fetch checkout session'],
  ])('answers the request %j with %i', async (body, status, message) => {
    const answer = await app.fn<{ message: string }>('get-checkout-session', user, body);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
  });

  it('[F8.30, F5.15] refuses visitors', async () => {
    const answer = await app.fn<{ message: string }>('get-checkout-session', null, { sessionId: 'cs_test_1' });
    expect([answer.status, answer.body.message]).toEqual([401, 'Authentication required for payment operations']);
  });

  it('returns a delayed payment as complete and unpaid, and a failed one as expired', async () => {
    const session = await app.paid(user, 'failsLater');
    const states = async (): Promise<Partial<CheckoutLookup['session']>> =>
      (await app.lookUp(user, session)).body.session;
    expect(await states()).toMatchObject({ is_paid: false, is_complete: true, status: 'complete', credited: false });
    await app.sandbox.fail(session);
    expect(await states()).toMatchObject({
      is_paid: false,
      is_complete: false,
      payment_status: 'unpaid',
      status: 'expired',
    });
    expect(await app.ledgerTypes(user)).toEqual([]);
  });

  it('[F8.30] fails when the processor does not answer', async () => {
    const session = await app.checkout(user);
    app.sandbox.faults.next('error', 'GET /checkout/sessions/:id');
    const { status, body } = await app.lookUp(user, session);
    expect([status, body]).toMatchObject([503, { message: 'Failed to fetch checkout session' }]);
  });

  it('returns the payment when the ledger is not writable, and credits it later', async () => {
    const session = await app.paid(user);
    app.faults.crashAt('payments.credit.before');
    expect((await app.lookUp(user, session)).body.session).toMatchObject({ is_paid: true, credited: false });
    app.faults.restart();
    expect((await app.lookUp(user, session)).body.session).toMatchObject({ is_paid: true, credited: true });
    expect((await app.balances(user)).paid).toBe(250);
  });
});

describe('get_user_purchases_by_jwt', () => {
  it("returns the user's purchases in pages, the latest first", async () => {
    const sessions: string[] = [];
    for (const bundle of ['basic', 'popular', 'premium']) {
      const session = await app.paid(user, 'pays', bundle);
      await app.lookUp(user, session);
      sessions.unshift(session);
      app.clock.advance(1_000);
    }
    await app.paid(app.newUser());
    const { body } = await app.rpc<Purchase[]>('get_user_purchases_by_jwt', user);
    expect(body.map(({ id }) => id)).toEqual(sessions);
    expect(body[1]).toEqual({
      id: sessions[1],
      purchased_at: expect.stringMatching(/^\d{4}-/),
      bundle_id: 'popular',
      bundle_name: 'Popular',
      credits: 250,
      amount_cents: 2500,
      currency: 'usd',
      refunded_cents: 0,
      status: 'paid',
      receipt_url: (await app.row(sessions[1] ?? '')).receipt_url,
    });
    const second = await app.rpc<Purchase[]>('get_user_purchases_by_jwt', user, { p_limit: 1, p_offset: 1 });
    expect(second.body.map(({ id }) => id)).toEqual([sessions[1]]);
  });
});
