import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely } from 'kysely';
import type Stripe from 'stripe';
import { v7 } from 'uuid';
import {
  type Balances,
  GetDeductionStatus,
  GetPurchase,
  OpenAccount,
  type PurchaseStatus,
} from '../../src/credits/index.js';
import { CHECKPOINT_FILE } from '../../src/audit/index.js';
import { PaymentProcessor } from '../../src/payments/providers/payment-processor.js';
import { type PaymentFaultPoint } from '../../src/payments/payment-steps.js';
import { PaymentWorker } from '../../src/payments/workers/payment-worker.js';
import { BundlePrices } from '../../src/payments/bundle-prices.js';
import { PaymentReconciler } from '../../src/payments/workers/reconcile-payments.js';
import { createStripe, type StripeOptions } from '../../src/payments/providers/stripe.js';
import { type CheckoutRow, type PaymentTables } from '../../src/payments/tables.js';
import { type CheckoutLookup, type CreditBundle } from '../../src/contract/payments.js';
import { type ManualClock } from '../../src/platform/clock.js';
import { testClock } from './test-clock.js';
import { type StoredEvent } from '../../src/platform/event-store/event-store.js';
import {
  createStripeSandbox,
  STRIPE_SANDBOX_PREFIX,
  type StripeSandbox,
  type TestCardName,
} from '../../src/sandbox/stripe/index.js';
import { FakeImageProvider } from './fake-image-provider.js';
import { freePort } from './app-process.js';
import { CrashingFaultPoints } from './crashing-fault-points.js';
import { keepRows } from './database.js';
import { LEDGER_TABLES } from './ledger-app.js';
import { type Answer, startTestParts, TestApp, type TestParts } from './test-app.js';

export interface PaymentsAppOptions {
  /** True when the sandbox sends its webhooks. By default, tests deliver them. */
  readonly webhooks?: boolean;
  /** Options of the SDK; timeouts are short because tests let calls hang. */
  readonly stripe?: StripeOptions;
  /** False: our endpoint has no secret. */
  readonly webhookSecret?: boolean;
}

const KEPT_TABLES = [
  ...['payment_reversal', 'admin_refund', 'payment_event', 'payment_problem', 'payment_reconciliation'],
  ...LEDGER_TABLES,
  ...['log_checkpoint', 'log_reach', 'admin_act_head', 'month_close'],
  ...['reconciliation_gap', 'reconciliation_session', 'reconciliation_run'],
];

const HOUR_MS = 3_600_000;

/** The app with the real SDK of the payment processor, its sandbox and a manual clock. */
export class PaymentsApp extends TestApp {
  private constructor(
    parts: TestParts,
    readonly clock: ManualClock,
    readonly faults: CrashingFaultPoints<PaymentFaultPoint>,
    readonly sandbox: StripeSandbox,
    private readonly folder: string,
  ) {
    super(parts);
  }

  static async start(options: PaymentsAppOptions = {}): Promise<PaymentsApp> {
    const clock = testClock();
    const faultPoints = new CrashingFaultPoints<PaymentFaultPoint>();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const folder = await mkdtemp(join(tmpdir(), 'fanvas-payments-'));
    const sandbox = await createStripeSandbox({
      dataDir: folder,
      ...(options.webhooks ? { webhookUrl: `${url}/webhooks/stripe` } : {}),
      now: () => clock.now(),
      settleAfterMs: 3_600_000,
    });
    const settings = {
      secretKey: sandbox.settings.secretKey,
      webhookSecret: options.webhookSecret === false ? null : sandbox.settings.webhookSecret,
      baseUrl: `${url}${STRIPE_SANDBOX_PREFIX}`,
    };
    const stripe = createStripe(settings, { timeoutMs: 2_000, maxNetworkRetries: 0, ...options.stripe });
    const parts = await startTestParts({
      port,
      overrides: {
        clock,
        faultPoints,
        stripe,
        imageProvider: new FakeImageProvider(),
        providers: { stripe: settings },
      },
      mount: (server) => server.register(sandbox.plugin, { prefix: STRIPE_SANDBOX_PREFIX }),
    });
    const started = new PaymentsApp(parts, clock, faultPoints, sandbox, folder);
    await started.settleDown();
    // Waits for the reconciliation at the start, because a second one would skip its work meanwhile.
    await started.reconciler.tick();
    return started;
  }

  get db(): Kysely<PaymentTables> {
    return this.tables<PaymentTables>();
  }

  get worker(): PaymentWorker {
    return this.get(PaymentWorker);
  }

  get reconciler(): PaymentReconciler {
    return this.get(PaymentReconciler);
  }

  get processor(): PaymentProcessor {
    return this.get(PaymentProcessor);
  }

  newUser(): string {
    return `user_${randomUUID().replaceAll('-', '')}`;
  }

  async createCheckout(userId: string, bundleId = 'popular'): Promise<Answer<{ url: string }>> {
    const { body } = await this.rpc<CreditBundle[]>('get_credit_bundles', userId);
    const bundle = body.find(({ id }) => id === bundleId);
    return this.fn('create-checkout-session', userId, {
      userEmail: 'somebody@else.test',
      bundleId,
      bundleCredits: bundle?.credits,
      bundlePrice: bundle?.price,
      successUrl: 'http://localhost:3000/payment-success?session_id={CHECKOUT_SESSION_ID}',
      cancelUrl: 'http://localhost:3000/payment-canceled',
    });
  }

  /** Changes the price of a bundle, as the command line does. */
  async setPrice(bundleId: string, priceCents: number): Promise<void> {
    const row = await this.db
      .selectFrom('credit_bundle')
      .selectAll()
      .where('id', '=', bundleId)
      .executeTakeFirstOrThrow();
    await this.get(BundlePrices).set('operator', { bundleId, credits: row.credits, priceCents, onSale: true });
  }

  /** An open checkout; returns its session. */
  async checkout(userId: string, bundleId?: string): Promise<string> {
    const { status, body } = await this.createCheckout(userId, bundleId);
    const id = body.url?.split('/').at(-1);
    if (status !== 200 || id === undefined) throw new Error(`No checkout: ${JSON.stringify(body)}`);
    return id;
  }

  /** A paid checkout. Without `webhooks` the app is not notified. */
  async paid(userId: string, card: TestCardName = 'pays', bundleId?: string): Promise<string> {
    const session = await this.checkout(userId, bundleId);
    const declined = await this.sandbox.pay(session, card);
    if (declined !== null) throw new Error(declined);
    return session;
  }

  /** A purchase that is in the ledger; returns its session. */
  async bought(userId: string, card?: TestCardName): Promise<string> {
    const session = await this.paid(userId, card);
    await this.lookUp(userId, session);
    return session;
  }

  /** A payment for which the ledger has another amount; returns its session. */
  async boughtForOther(userId: string, amountCents: number): Promise<string> {
    const sessionId = await this.paid(userId);
    const { paymentIntentId } = await this.processor.session(sessionId);
    const checkout = this.db.updateTable('checkout').where('session_id', '=', sessionId);
    await checkout.set({ payment_intent_id: paymentIntentId }).execute();
    await this.buy(userId, { sessionId, paymentIntentId, amountCents });
    return sessionId;
  }

  /** A paid session at the processor that has no checkout; returns it. */
  async paidElsewhere(userId: string, amountCents: number): Promise<string> {
    const { id } = await this.processor.createSession({
      checkoutId: randomUUID(),
      userId,
      email: null,
      bundleId: 'popular',
      bundleName: 'Elsewhere',
      credits: 250,
      amountCents,
      currency: 'usd',
      successUrl: 'https://a.test',
      cancelUrl: 'https://a.test',
      expiresAt: new Date(this.clock.now().getTime() + HOUR_MS),
    });
    await this.sandbox.pay(id);
    return id;
  }

  async lookUp(userId: string, sessionId: string): Promise<Answer<CheckoutLookup>> {
    return this.fn('get-checkout-session', userId, { sessionId });
  }

  /** Events about one payment, in the order in which they happened. */
  eventsOf(sessionId: string): Stripe.Event[] {
    const all = [...this.sandbox.events()].reverse();
    const ids = new Set<string>([sessionId]);
    for (const event of all) {
      const object = event.data.object as { id?: string; payment_intent?: string | null };
      if (object.id === sessionId && object.payment_intent) ids.add(object.payment_intent);
    }
    return all.filter((event) => {
      const object = event.data.object as { id?: string; payment_intent?: string | null };
      return ids.has(object.id ?? '') || ids.has(object.payment_intent ?? '');
    });
  }

  eventOf(sessionId: string, type: Stripe.Event['type']): Stripe.Event {
    const event = this.eventsOf(sessionId).find((each) => each.type === type);
    if (!event) throw new Error(`There is no ${type} of ${sessionId}.`);
    return event;
  }

  /** Delivers an event as the processor does; returns the status. */
  async deliver(event: Stripe.Event): Promise<number> {
    const { body, signature } = this.sandbox.signed(event);
    return this.deliverRaw(body, signature);
  }

  async deliverRaw(body: string, signature: string | null): Promise<number> {
    const response = await fetch(`${this.url}/webhooks/stripe`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(signature === null ? {} : { 'stripe-signature': signature }),
      },
    });
    await response.arrayBuffer();
    return response.status;
  }

  async row(sessionId: string): Promise<CheckoutRow> {
    return this.db.selectFrom('checkout').selectAll().where('session_id', '=', sessionId).executeTakeFirstOrThrow();
  }

  async purchase(userId: string, sessionId: string): Promise<PurchaseStatus | null> {
    return this.queries.execute(new GetPurchase({ userId, sessionId }));
  }

  async balances(userId: string): Promise<Balances> {
    return (await this.queries.execute(new GetDeductionStatus({ userId, deductionId: randomUUID() }))).balances;
  }

  /** Spends this many paid credits on a picture, after the free ones. */
  async spend(userId: string, paid: number): Promise<void> {
    const { balances } = await this.commands.execute(new OpenAccount({ userId }));
    const amount = balances.total - balances.paid + paid;
    const id = v7({ msecs: this.clock.now().getTime() });
    await this.deduct(userId, id, amount);
  }

  /** Everything in the user's account. */
  async ledger(userId: string): Promise<StoredEvent[]> {
    return this.eventStore.readStream(`creditAccount-${userId}`);
  }

  /** Names of the events in the user's account. */
  async ledgerTypes(userId: string): Promise<string[]> {
    return (await this.ledger(userId)).map(({ type }) => type);
  }

  /** Runs all due work. */
  async settleDown(): Promise<void> {
    this.worker.wake();
    await this.worker.idle();
  }

  /** Advances the clock in steps and runs the worker after each. */
  async pass(ms: number, stepMs = ms): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.clock.advance(Math.min(stepMs, ms - passed));
      await this.settleDown();
    }
  }

  /** Simulates a restart after a crash. Leases of the old process expire. */
  async restart(): Promise<void> {
    await this.worker.idle();
    this.faults.restart();
    await this.pass(61_000);
  }

  /**
   * Keeps the ledger, its log and the time, for tests that begin alike. What the processor has, the rate limits and the
   * files of the app stay as the last test left them.
   * @returns puts them back
   */
  async keep(): Promise<() => Promise<void>> {
    const putBack = await keepRows(this, KEPT_TABLES);
    const now = this.clock.now();
    return async () => {
      await putBack();
      // That of a later checkpoint: nothing would be signed after it.
      await rm(join(this.dataDir, CHECKPOINT_FILE), { force: true });
      this.clock.set(now);
    };
  }

  override async close(): Promise<void> {
    this.faults.restart();
    await this.sandbox.close();
    await super.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
