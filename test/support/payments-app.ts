import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Global, Module, ValidationPipe } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { CommandBus, CqrsModule, type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { type FastifyInstance } from 'fastify';
import { type Kysely } from 'kysely';
import { pino } from 'pino';
import type Stripe from 'stripe';
import { v7 } from 'uuid';
import { type RateLimit } from '../../src/contract/rate-limits.js';
import { CreditsModule } from '../../src/credits/credits.module.js';
import {
  type Balances,
  DeductCredits,
  GetDeductionStatus,
  GetPurchase,
  OpenAccount,
  type PurchaseStatus,
} from '../../src/credits/index.js';
import { GetUser, type UserSummary } from '../../src/identity/index.js';
import { PaymentProcessor } from '../../src/payments/providers/payment-processor.js';
import { type PaymentFaultPoint } from '../../src/payments/payment-steps.js';
import { PaymentWorker } from '../../src/payments/workers/payment-worker.js';
import { PaymentsModule } from '../../src/payments/payments.module.js';
import { PaymentReconciler } from '../../src/payments/workers/reconcile-payments.js';
import { STRIPE } from '../../src/payments/providers/stripe-client.js';
import { createStripe, type StripeOptions } from '../../src/payments/providers/stripe.js';
import { type CheckoutRow, type PaymentTables } from '../../src/payments/tables.js';
import { type CheckoutLookup, type CreditBundle } from '../../src/contract/payments.js';
import { Clock, ManualClock } from '../../src/platform/clock.js';
import { CONFIG } from '../../src/platform/config/config.js';
import { DATABASE, PG_POOL } from '../../src/platform/database/database.js';
import { EventStore, type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { FaultPoints } from '../../src/platform/fault-points.js';
import { AccessGuard } from '../../src/platform/http/access-guard.js';
import { ApiError } from '../../src/platform/http/api-error.js';
import { ErrorFilter } from '../../src/platform/http/error-filter.js';
import { createHttpAdapter } from '../../src/platform/http/http-server.js';
import { JsonNullInterceptor } from '../../src/platform/http/json-null.interceptor.js';
import { PostgresRateLimiter } from '../../src/platform/http/postgres-rate-limiter.js';
import { Authenticator, type Principal, type Role } from '../../src/platform/http/principal.js';
import { RateLimiter, type RateLimitState } from '../../src/platform/http/rate-limits.js';
import { IdGenerator, UuidGenerator } from '../../src/platform/ids.js';
import { Locks } from '../../src/platform/locks.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { PROVIDER_SETTINGS } from '../../src/platform/config/provider-settings.js';
import {
  createStripeSandbox,
  STRIPE_SANDBOX_PREFIX,
  type StripeSandbox,
  type TestCardName,
} from '../../src/sandbox/stripe/index.js';
import { freePort } from './app-process.js';
import { CrashingFaultPoints } from './crashing-fault-points.js';
import { type TestDatabase, withTestDatabase } from './database.js';

/** A bearer token is the user's id; those that begin with `admin` are admins. */
class TokenIsUserId extends Authenticator {
  override async authenticate(bearerToken: string): Promise<Principal> {
    if (!bearerToken.includes('_')) throw new ApiError(401, 'Authentication required');
    return Promise.resolve({ userId: bearerToken, sessionId: `session of ${bearerToken}` });
  }

  override async rolesOf(userId: string): Promise<ReadonlySet<Role>> {
    return Promise.resolve(new Set<Role>(userId.startsWith('admin') ? ['admin'] : []));
  }
}

/** The mirror knows everybody's address. */
@QueryHandler(GetUser)
class KnowEverybody implements IQueryHandler<GetUser> {
  async execute({ input: { userId: id } }: GetUser): Promise<UserSummary> {
    return Promise.resolve({ id, email: `${id.slice(-12)}@mirror.test`, name: null, imageUrl: null });
  }
}

/** The real one, until a test breaks it. */
class BreakableLimiter extends RateLimiter {
  broken = false;

  constructor(private readonly real: RateLimiter) {
    super();
  }

  override async hit(limit: RateLimit, identifier: string): Promise<RateLimitState> {
    if (this.broken) throw new Error('The limiter does not answer.');
    return this.real.hit(limit, identifier);
  }

  override async peek(limit: RateLimit, identifier: string): Promise<RateLimitState> {
    return this.real.peek(limit, identifier);
  }
}

export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface PaymentsAppOptions {
  /** Whether the sandbox sends its webhooks by itself; else tests deliver them. */
  readonly webhooks?: boolean;
  /** Of the SDK; short, since tests let calls hang. */
  readonly stripe?: StripeOptions;
  /** False: our endpoint has no secret. */
  readonly webhookSecret?: boolean;
}

/** The payments context with real credits, Postgres and SDK, the processor's sandbox, and a clock that stands still. */
export class PaymentsApp {
  private closed = false;

  private constructor(
    private readonly app: NestFastifyApplication,
    readonly url: string,
    readonly database: TestDatabase<PaymentTables>,
    readonly eventStore: PostgresEventStore,
    private readonly projections: ProjectionRunner,
    readonly clock: ManualClock,
    readonly faults: CrashingFaultPoints<PaymentFaultPoint>,
    readonly limiter: BreakableLimiter,
    readonly metrics: Metrics,
    readonly sandbox: StripeSandbox,
    private readonly folder: string,
  ) {}

  static async start(options: PaymentsAppOptions = {}): Promise<PaymentsApp> {
    const database = await withTestDatabase<PaymentTables>();
    // Ids carry the machine's time, and the ledger judges them by the clock.
    const clock = new ManualClock(new Date());
    const faults = new CrashingFaultPoints<PaymentFaultPoint>();
    const metrics = new Metrics();
    const eventStore = new PostgresEventStore(database.pool);
    const projections = new ProjectionRunner(database.pool, eventStore);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const folder = await mkdtemp(join(tmpdir(), 'fanvas-payments-'));
    const sandbox = await createStripeSandbox({
      dataDir: folder,
      ...(options.webhooks ? { webhookUrl: `${url}/webhooks/stripe` } : {}),
      now: () => clock.now(),
      settleAfterMs: 3_600_000,
    });
    const limiter = new BreakableLimiter(new PostgresRateLimiter(database.db as never, clock));
    const stripe = {
      secretKey: sandbox.settings.secretKey,
      webhookSecret: options.webhookSecret === false ? null : sandbox.settings.webhookSecret,
      baseUrl: `${url}${STRIPE_SANDBOX_PREFIX}`,
    };

    const parts = [
      { provide: DATABASE, useValue: database.db },
      { provide: PG_POOL, useValue: database.pool },
      { provide: Clock, useValue: clock },
      { provide: IdGenerator, useValue: new UuidGenerator() },
      { provide: EventStore, useValue: eventStore },
      { provide: ProjectionRunner, useValue: projections },
      { provide: RateLimiter, useValue: limiter },
      { provide: FaultPoints, useValue: faults },
      { provide: Metrics, useValue: metrics },
      { provide: Locks, useValue: new Locks(database.pool) },
      { provide: Authenticator, useClass: TokenIsUserId },
      { provide: CONFIG, useValue: { publicUrl: 'http://localhost:3000', port: 3000 } },
      {
        provide: PROVIDER_SETTINGS,
        useValue: { stripe, sandboxes: { clerk: true, replicate: true, stripe: true } },
      },
      KnowEverybody,
    ];
    @Global()
    @Module({ imports: [CqrsModule.forRoot()], providers: parts, exports: [...parts, CqrsModule] })
    class TestPlatformModule {}

    const module = await Test.createTestingModule({
      imports: [TestPlatformModule, CreditsModule, PaymentsModule],
      providers: [
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_INTERCEPTOR, useClass: JsonNullInterceptor },
        { provide: APP_PIPE, useValue: new ValidationPipe({ transform: true, whitelist: true }) },
      ],
    })
      .overrideProvider(STRIPE)
      .useValue(createStripe(stripe, { timeoutMs: 2_000, maxNetworkRetries: 0, ...options.stripe }))
      .compile();
    const adapter = await createHttpAdapter(
      { trustProxy: false, loopbackOnly: false, contentSecurityPolicy: "default-src 'self'" },
      pino({ level: 'silent' }),
    );
    await adapter.getInstance<FastifyInstance>().register(sandbox.plugin, { prefix: STRIPE_SANDBOX_PREFIX });
    const app = module.createNestApplication<NestFastifyApplication>(adapter, { rawBody: true, logger: false });
    await app.listen(port, '127.0.0.1');
    const started = new PaymentsApp(
      ...([app, url, database, eventStore, projections, clock, faults, limiter, metrics, sandbox, folder] as const),
    );
    await started.settleDown();
    // The reconciliation that every start begins with: while it runs, another one would leave things to it.
    await started.reconciler.tick();
    return started;
  }

  get db(): Kysely<PaymentTables> {
    return this.database.db;
  }

  get commands(): CommandBus {
    return this.app.get(CommandBus);
  }

  get queries(): QueryBus {
    return this.app.get(QueryBus);
  }

  get worker(): PaymentWorker {
    return this.app.get(PaymentWorker);
  }

  get reconciler(): PaymentReconciler {
    return this.app.get(PaymentReconciler);
  }

  get processor(): PaymentProcessor {
    return this.app.get(PaymentProcessor);
  }

  newUser(): string {
    return `user_${randomUUID().replaceAll('-', '')}`;
  }

  async fn<T>(name: string, token: string | null, body: object): Promise<Answer<T>> {
    return this.post(`functions/v1/${name}`, token, body);
  }

  async rpc<T>(name: string, token: string | null, body: object = {}): Promise<Answer<T>> {
    return this.post(`rest/v1/rpc/${name}`, token, body);
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

  /** An open checkout; returns its session. */
  async checkout(userId: string, bundleId?: string): Promise<string> {
    const { status, body } = await this.createCheckout(userId, bundleId);
    const id = body.url?.split('/').at(-1);
    if (status !== 200 || id === undefined) throw new Error(`No checkout: ${JSON.stringify(body)}`);
    return id;
  }

  /** A checkout that is paid; nothing has heard of it yet unless webhooks are on. */
  async paid(userId: string, card: TestCardName = 'pays', bundleId?: string): Promise<string> {
    const session = await this.checkout(userId, bundleId);
    const declined = await this.sandbox.pay(session, card);
    if (declined !== null) throw new Error(declined);
    return session;
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

  /** Spends so many paid credits on a picture, and the free ones, which go first. */
  async spend(userId: string, paid: number): Promise<void> {
    const { balances } = await this.commands.execute(new OpenAccount({ userId }));
    const amount = balances.total - balances.paid + paid;
    const id = v7({ msecs: this.clock.now().getTime() });
    await this.commands.execute(new DeductCredits({ userId, deductionId: id, amount, creatorId: 'creator_1' }));
  }

  /** Everything in the user's account. */
  async ledger(userId: string): Promise<StoredEvent[]> {
    return this.eventStore.readStream(`creditAccount-${userId}`);
  }

  /** Names of the events in the user's account. */
  async ledgerTypes(userId: string): Promise<string[]> {
    return (await this.ledger(userId)).map(({ type }) => type);
  }

  /** Everything that is due is done. */
  async settleDown(): Promise<void> {
    this.worker.wake();
    await this.worker.idle();
  }

  /** Time goes by, and the worker looks as it would. */
  async pass(ms: number, stepMs = ms): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.clock.advance(Math.min(stepMs, ms - passed));
      await this.settleDown();
    }
  }

  /** The process is gone, and a new one starts: what it held is free after its lease. */
  async restart(): Promise<void> {
    await this.worker.idle();
    this.faults.restart();
    await this.pass(61_000);
  }

  /** Applies what was written to the projections. */
  async project(): Promise<void> {
    await this.projections.catchUp();
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.faults.restart();
    await this.sandbox.close();
    await this.app.close();
    await this.eventStore.close();
    await this.database.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async post<T>(path: string, token: string | null, body: object): Promise<Answer<T>> {
    const response = await fetch(`${this.url}/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  }
}
