import { Logger } from '@nestjs/common';
import { type FastifyPluginAsync } from 'fastify';
import type Stripe from 'stripe';
import { registerApi } from './api.js';
import { BalanceLedger } from './balance.js';
import { findCard } from './cards.js';
import { Expander } from './expand.js';
import { Faults } from './faults.js';
import { newId } from './ids.js';
import { registerPages } from './pages/pages.js';
import { noSuch } from './problem.js';
import { Processor } from './processor.js';
import { type SessionRow } from './rows.js';
import { Store } from './store.js';
import { type StripeSandbox, type StripeSandboxOptions } from './stripe-sandbox.js';
import { Webhooks } from './webhooks.js';

export { type TestCardName } from './cards.js';
export { type StripeSandbox, type StripeSandboxOptions } from './stripe-sandbox.js';

/** Below this path the app serves the substitute for Stripe. */
export const STRIPE_SANDBOX_PREFIX = '/__sandbox/stripe';

/** Tests may set the clock, so no timer sleeps longer than this before it reads the clock again. */
const MAX_SLEEP_MS = 250;

const DEFAULT_SETTLE_MS = 20_000;

/** Changes that no API request caused. */
const NO_REQUEST = { requestId: null, idempotencyKey: null };

/**
 * Imitates Stripe for its unmodified SDK: checkout sessions with a hosted page, one-time payments, refunds, disputes,
 * events and signed webhooks. Its state lives in `dataDir` and survives SIGKILL. No money moves.
 */
export async function createStripeSandbox(options: StripeSandboxOptions): Promise<StripeSandbox> {
  const logger = new Logger('StripeSandbox');
  const now = (): number => (options.now?.() ?? new Date()).getTime();
  const settleAfterMs = options.settleAfterMs ?? DEFAULT_SETTLE_MS;
  const store = await Store.open(options.dataDir, now());
  const faults = new Faults();
  let base = options.baseUrl ?? '';
  let running = false;
  let timer: NodeJS.Timeout | null = null;
  let soon = false;

  const toApiSession = (row: SessionRow): Stripe.Checkout.Session => ({
    ...row.object,
    url: row.object.status === 'open' ? `${base}/pay/${row.id}` : null,
  });
  const webhooks = new Webhooks({ store, faults, now, url: () => options.webhookUrl ?? null });
  const ledger = new BalanceLedger(store, now);
  const processor = new Processor({
    store,
    ledger,
    now,
    settleAfterMs: () => settleAfterMs,
    toApiSession,
    receiptUrl: (chargeId) => `${base}/receipts/${chargeId}`,
    onEvent: (event) => {
      webhooks.enqueue(event);
      wake();
    },
  });

  /** Runs `advance` after the current transaction has ended. */
  function wake(): void {
    if (soon) return;
    soon = true;
    setImmediate(() => {
      soon = false;
      advance();
    });
  }

  /** Runs all due work, and sets the timer for the rest. */
  function advance(): void {
    if (!running) return;
    try {
      processor.advance();
      webhooks.advance(wake);
    } catch (error) {
      logger.error({ message: 'A step of the sandbox failed.', error });
    }
    const wait = (store.nextDueAt() ?? Infinity) - now();
    if (timer) clearTimeout(timer);
    // Work that is still due waits for a running delivery, which calls `wake` when it ends.
    timer = setTimeout(advance, wait > 0 ? Math.min(wait, MAX_SLEEP_MS) : MAX_SLEEP_MS).unref();
  }

  /** Applies a change that does not come through the API. It is durable when the promise resolves. */
  async function change<T>(work: () => T): Promise<T> {
    const result = processor.onBehalfOf(NO_REQUEST, work);
    await store.flushed();
    wake();
    return result;
  }

  const sandbox: Omit<StripeSandbox, 'plugin'> = {
    settings: store.keys,
    faults,
    pay: async (sessionId, card = 'pays', buyer = {}) => {
      const found = findCard(card);
      if (!found) throw new Error(`The sandbox accepts test cards only; '${card}' is not one.`);
      const email = buyer.email ?? processor.session(sessionId).object.customer_email ?? 'buyer@example.test';
      const declined = await change(() => processor.pay(sessionId, found, { email, name: buyer.name ?? null }));
      return declined?.message ?? null;
    },
    addCustomer: async (sessionId, email) =>
      change(() => {
        const session = processor.session(sessionId);
        const id = newId('cus', 14);
        const object = { id, object: 'customer', email, created: Math.floor(now() / 1000), livemode: false };
        store.put('customer', { id, object: object as Stripe.Customer });
        store.put('session', { ...session, object: { ...session.object, customer: id } });
        return id;
      }),
    settle: async (id) => void (await change(() => processor.settle(id))),
    fail: async (id) => void (await change(() => processor.fail(id))),
    expire: async (id) => void (await change(() => processor.expireSession(id))),
    refund: async (id, order = {}) =>
      change(
        () => processor.refund(processor.chargeOf(id), { amount: null, metadata: {}, reason: null, ...order }).object,
      ),
    dispute: async (id, { amount, reason } = {}) =>
      change(() => processor.dispute(processor.chargeOf(id), amount ?? null, reason)),
    openDispute: (id) => {
      const disputes = processor.disputesOf(processor.chargeOf(id));
      return disputes.find(({ status }) => status !== 'won' && status !== 'lost')?.id ?? null;
    },
    payouts: () => store.latest('payout').map(({ object }) => object),
    failPayout: async (id) => change(() => ledger.failPayout(id)),
    closeDispute: async (id, status) => change(() => processor.closeDispute(id, status)),
    events: () => store.latest('event').map(({ object }) => object),
    deliveries: () => store.latest('delivery'),
    resend: async (eventId) => {
      if (!store.get('event', eventId)) throw noSuch('event', eventId);
      await change(() => webhooks.resend(eventId));
    },
    signed: (event) => webhooks.signed(event),
    webhooksDone: async () => {
      while (webhooks.busy || store.dueBy(now()).some(({ kind }) => kind === 'delivery')) {
        advance();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    close: async () => {
      running = false;
      if (timer) clearTimeout(timer);
      await webhooks.close();
      await store.close();
    },
  };

  const plugin: FastifyPluginAsync = async (server) => {
    // The receiver of the webhooks is usually this server, so sending starts once it listens.
    server.addHook('onListen', (done) => {
      const address = server.server.address();
      if (base === '' && typeof address === 'object' && address)
        base = `http://127.0.0.1:${address.port}${server.prefix}`;
      running = true;
      advance();
      done();
    });
    // A change is visible from the moment on which it is due, also when the timer is late or the clock was moved.
    server.addHook('onRequest', (_request, _reply, done) => {
      advance();
      done();
    });
    registerApi(server, { store, processor, ledger, expander: new Expander(store), faults, now, toApiSession });
    registerPages(server, { store, processor, sandbox, now, settleAfterMs, business: options.business ?? null });
  };
  return { ...sandbox, plugin };
}
