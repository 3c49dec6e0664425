import { generateKeyPairSync, randomBytes } from 'node:crypto';
import 'reflect-metadata';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { type Type } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Test } from '@nestjs/testing';
import { type FastifyInstance } from 'fastify';
import { type Kysely } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import type Stripe from 'stripe';
import { AppModule } from '../../src/composition/app.module.js';
import { RunThreads } from '../../src/audit/runs/run-threads.js';
import { type PaidSession } from '../../src/credits/account/decide-purchases.js';
import { DeductCredits, type DeductCreditsResult, PurchaseCredits, ReversePurchase } from '../../src/credits/index.js';
import { type ReversePurchaseResult } from '../../src/credits/use-cases/reverse-purchase.js';
import { ImageProvider } from '../../src/generation/providers/image-provider.js';
import { AddressHasher } from '../../src/identity/bonus/claim-key.js';
import { STRIPE } from '../../src/payments/providers/stripe-client.js';
import { createStripe } from '../../src/payments/providers/stripe.js';
import { ApiDescription } from '../../src/platform/api-docs/api-description.js';
import { type Clock } from '../../src/platform/clock.js';
import { testClock } from './test-clock.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { Notifications } from '../../src/platform/database/notifications.js';
import { createDatabase } from '../../src/platform/database/pool.js';
import { type EventStore, type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { FaultPoints } from '../../src/platform/fault-points.js';
import { ApiError } from '../../src/platform/http/api-error.js';
import { createHttpAdapter } from '../../src/platform/http/http-server.js';
import { type Role } from '../../src/contract/roles.js';
import { Authenticator, type Principal } from '../../src/platform/principal.js';
import { RateLimiter } from '../../src/platform/http/rate-limits.js';
import { UuidGenerator } from '../../src/platform/ids.js';
import { FolderKeys } from '../../src/platform/keys/folder-keys.js';
import { Locks } from '../../src/platform/locks.js';
import { PictureEncoder } from '../../src/platform/media/picture-encoder.js';
import { OncePerPerson } from '../../src/platform/once-per-person.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { type ProviderSettings } from '../../src/platform/config/provider-settings.js';
import { type FileStorage } from '../../src/platform/storage/file-storage.js';
import { LocalFileStorage } from '../../src/platform/storage/local-file-storage.js';
import { freePort } from './app-process.js';
import { ENCODE_PROCESS, RUN_THREAD } from './compiled-threads.js';
import { withTestDatabase } from './database.js';
import { paidSession } from './paid-session.js';
import { EveryUserIsAPerson } from './once-per-person.js';
import { validateAnswers } from './validate-answers.js';

/** Parts of the app that a suite replaces. */
export interface Overrides {
  /** By default a manual clock at the machine's time: ids carry that time, and the ledger checks it. */
  readonly clock?: Clock;
  /** By default {@link TokenIsUserId}; 'real' verifies session tokens of the identity provider. */
  readonly authenticator?: Authenticator | 'real';
  /** Must read from the suite's own database, if it reads from one. By default the Postgres store. */
  readonly eventStore?: EventStore;
  readonly imageProvider?: ImageProvider;
  readonly stripe?: Stripe;
  readonly rateLimiter?: RateLimiter;
  readonly storage?: FileStorage;
  /** Threads of full verifications; by default those of the built server. */
  readonly runThreads?: Pick<RunThreads, 'start'>;
  readonly faultPoints?: FaultPoints;
  /** By default the addresses of all providers refuse connections. */
  readonly providers?: Partial<ProviderSettings>;
}

export interface TestAppOptions {
  readonly overrides?: Overrides;
  /** A database that the caller closes. By default the app creates its own. */
  readonly database?: { readonly pool: pg.Pool };
  /** Connections of background work, which the caller closes; by default those of the database. */
  readonly jobs?: pg.Pool;
  /** Settings by the names of their environment variables. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Needed beforehand by sandboxes that call the app; a free one by default. */
  readonly port?: number;
  /** Adds further routes, such as those of a sandbox. */
  readonly mount?: (server: FastifyInstance) => unknown;
}

export interface Answer<T = unknown> {
  readonly status: number;
  readonly body: T;
}

export interface AnswerWithHeaders<T> extends Answer<T> {
  readonly headers: Headers;
}

const bearer = (token: string | null): Record<string, string> =>
  token === null ? {} : { Authorization: `Bearer ${token}` };

/** Uses the bearer token as the user id, mirrors that user, and derives the role from the beginning of the id. */
export class TokenIsUserId extends Authenticator {
  /** Users whose sessions have ended. */
  readonly signedOut = new Set<string>();
  /** Time since the last verification (milliseconds; null: unknown), by user. By default it is a minute. */
  readonly verifiedMsAgo = new Map<string, number | null>();
  private readonly mirrored = new Set<string>();

  constructor(private readonly pool: pg.Pool) {
    super();
  }

  override async authenticate(userId: string): Promise<Principal> {
    if (!userId.includes('_')) throw new ApiError(401, 'Authentication required');
    if (!this.mirrored.has(userId)) {
      await this.pool.query(
        'insert into app_user (id, email, created_at, updated_at) values ($1, $2, now(), now()) on conflict do nothing',
        [userId, `${userId.slice(-12)}@mirror.test`],
      );
      this.mirrored.add(userId);
    }
    const verified = this.verifiedMsAgo.get(userId);
    return { userId, sessionId: `session of ${userId}`, verifiedMsAgo: verified === undefined ? 60_000 : verified };
  }

  override async isActive({ userId }: Principal): Promise<boolean> {
    return Promise.resolve(!this.signedOut.has(userId));
  }

  override async rolesOf(userId: string): Promise<ReadonlySet<Role>> {
    const role = (['admin', 'finance', 'auditor'] as const).find((name) => userId.startsWith(name));
    return Promise.resolve(new Set(role ? [role] : []));
  }
}

/** Tests call the periodic jobs themselves. */
class NoSchedules extends SchedulerRegistry {
  override addInterval(_name: string, interval: unknown): void {
    clearInterval(interval as NodeJS.Timeout);
  }

  /** Workers have their first run, except that of the log, which no test expects. */
  override addTimeout(name: string, timeout: unknown): void {
    if (name === 'ledger-log-start') clearTimeout(timeout as NodeJS.Timeout);
  }
}

const REFUSING = 'http://127.0.0.1:9';
const UNREACHABLE_PROVIDERS: ProviderSettings = {
  clerk: {
    publishableKey: 'pk_test_unused',
    secretKey: 'sk_test_unused',
    webhookSecret: null,
    apiUrl: REFUSING,
    proxyUrl: '/__clerk',
  },
  replicate: { apiToken: 'r8_test', webhookSecret: 'whsec_dGVzdA==', baseUrl: REFUSING, outputHosts: [] },
  stripe: { secretKey: 'sk_test_unused', webhookSecret: null, baseUrl: REFUSING },
  sandboxes: { clerk: true, replicate: true, stripe: true },
};

/** Parts of a {@link TestApp}. */
export interface TestParts {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly pool: pg.Pool;
  readonly eventStore: EventStore;
  readonly projections: ProjectionRunner;
  readonly metrics: Metrics;
  readonly dataDir: string;
  readonly release: () => Promise<void>;
}

/** The whole app, listening, on its own database. Periodic jobs and projections run only when a test runs them. */
export class TestApp {
  private closing: Promise<void> | undefined;
  private readonly agent = new Agent({ keepAlive: true });

  constructor(protected readonly parts: TestParts) {}

  get url(): string {
    return this.parts.url;
  }

  get dataDir(): string {
    return this.parts.dataDir;
  }

  get eventStore(): EventStore {
    return this.parts.eventStore;
  }

  get projections(): ProjectionRunner {
    return this.parts.projections;
  }

  get metrics(): Metrics {
    return this.parts.metrics;
  }

  get pool(): pg.Pool {
    return this.parts.pool;
  }

  get commands(): CommandBus {
    return this.get(CommandBus);
  }

  get queries(): QueryBus {
    return this.get(QueryBus);
  }

  /** The app's database, typed with the tables that the suite reads. */
  tables<Tables>(): Kysely<Tables> {
    return createDatabase<Tables>(this.pool);
  }

  /** A provider of the app. */
  get<T>(token: Type<T> | (abstract new (...args: never[]) => T) | symbol): T {
    return this.parts.app.get(token, { strict: false });
  }

  /** Applies the stored events to the projections. */
  async project(): Promise<void> {
    await this.projections.catchUp();
  }

  /** Everything in the user's account. */
  async accountEvents(userId: string): Promise<StoredEvent[]> {
    return this.eventStore.readStream(`creditAccount-${userId}`);
  }

  /** Deducts credits for an image of a creator. */
  deduct(userId: string, deductionId: string, amount: number): Promise<DeductCreditsResult> {
    const image = { deductionId, amount, creatorId: 'creator_1', ownGeneration: false };
    return this.commands.execute(new DeductCredits({ userId, ...image }));
  }

  /** Records a purchase in the ledger, whether the processor knows it or not. */
  buy(userId: string, session: Partial<PaidSession>): Promise<{ readonly recorded: boolean }> {
    return this.commands.execute(new PurchaseCredits({ userId, ...paidSession(session) }));
  }

  /** Takes a purchase back in the ledger, in the same way. */
  reverse(
    userId: string,
    sessionId: string,
    reversalId: string,
    amountCents: number,
    cause: 'refund' | 'dispute' = 'refund',
  ): Promise<ReversePurchaseResult> {
    return this.commands.execute(new ReversePurchase({ userId, sessionId, reversalId, cause, amountCents }));
  }

  /**
   * Sends JSON as the browser does. Tests make thousands of calls, and `fetch` takes more processor time. A large body
   * fails here when the server answers before it has read it: send it with `fetch`.
   */
  async postJson<T>(path: string, token: string | null, body: object): Promise<AnswerWithHeaders<T>> {
    const headers = { 'Content-Type': 'application/json', 'User-Agent': 'test', ...bearer(token) };
    const sent = request(`${this.url}/${path}`, { method: 'POST', agent: this.agent, headers });
    sent.end(JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return {
      status: response.statusCode ?? 0,
      headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
      body: (await json(response)) as T,
    };
  }

  /** Calls a remote procedure. */
  async rpc<T>(name: string, token: string | null, body: object = {}): Promise<Answer<T>> {
    const { status, body: answer } = await this.postJson<T>(`rest/v1/rpc/${name}`, token, body);
    return { status, body: answer };
  }

  /** The answer of a remote procedure. @throws when it is refused */
  async ok<T>(name: string, token: string | null, body: object = {}): Promise<T> {
    const answer = await this.rpc<T>(name, token, body);
    if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Calls a server function. */
  async fn<T>(name: string, token: string | null, body: object): Promise<AnswerWithHeaders<T>> {
    return this.postJson(`functions/v1/${name}`, token, body);
  }

  /** Reads an address of the app. */
  async read(path: string, token: string | null, signal: AbortSignal | null = null): Promise<Response> {
    return fetch(`${this.url}/${path}`, { headers: bearer(token), signal });
  }

  /** Downloads a file from below `exports`. */
  async download(file: string, token: string | null): Promise<{ readonly status: number; readonly text: string }> {
    const response = await this.read(`exports/${file}`, token);
    return { status: response.status, text: await response.text() };
  }

  get closed(): boolean {
    return this.closing !== undefined;
  }

  /** Safe to call twice. */
  async close(): Promise<void> {
    await (this.closing ??= this.parts.release());
  }
}

/** All apps of a suite have the same keys, as instances on one database must. */
const LEDGER_SIGNING_KEY = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const BONUS_CLAIM_KEY = randomBytes(32).toString('base64');

/** Starts the app of `composition/app.module.ts` with some of its parts replaced. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  return new TestApp(await startTestParts(options));
}

/** Like {@link startTestApp}, for builders that extend {@link TestApp}. */
export async function startTestParts(options: TestAppOptions = {}): Promise<TestParts> {
  const { overrides = {} } = options;
  const { pool, close: closeDatabase } = options.database
    ? { ...options.database, close: () => Promise.resolve() }
    : await withTestDatabase<unknown>();
  const dataDir = await mkdtemp(join(tmpdir(), 'fanvas-test-'));
  const port = options.port ?? (await freePort());
  const clock = overrides.clock ?? testClock();
  const notifications = new Notifications(pool.options);
  const eventStore = overrides.eventStore ?? new PostgresEventStore(pool, { now: () => clock.now() }, notifications);
  const projections = new ProjectionRunner(pool, eventStore);
  const metrics = new Metrics();
  const providers = { ...UNREACHABLE_PROVIDERS, ...overrides.providers };

  const builder = Test.createTestingModule({
    imports: [
      AppModule.with({
        config: loadConfig({ DATA_DIR: dataDir, LEDGER_SIGNING_KEY, BONUS_CLAIM_KEY, ...options.settings }, '/'),
        providers,
        clock,
        ids: new UuidGenerator(),
        pool,
        db: createDatabase<unknown>(pool),
        notifications,
        eventStore,
        projections,
        locks: new Locks(pool),
        keys: new FolderKeys(dataDir),
        metrics,
        jobs: options.jobs ?? pool,
        records: null,
        storage: overrides.storage ?? new LocalFileStorage(join(dataDir, 'media'), join(dataDir, 'converted-media')),
        faultPoints: overrides.faultPoints ?? new FaultPoints(),
      }),
    ],
  });
  builder.overrideProvider(SchedulerRegistry).useClass(NoSchedules);
  const stripe = overrides.stripe ?? createStripe(providers.stripe, { maxNetworkRetries: 0 });
  builder.overrideProvider(STRIPE).useValue(stripe);
  if (overrides.authenticator !== 'real') {
    const authenticator = overrides.authenticator ?? new TokenIsUserId(pool);
    builder.overrideProvider(Authenticator).useValue(authenticator);
    // Its users have no verified addresses. Without a key in the database, the audit expects no claims.
    builder.overrideProvider(OncePerPerson).useValue(new EveryUserIsAPerson());
    builder.overrideProvider(AddressHasher).useValue(new AddressHasher(randomBytes(32)));
  }
  builder.overrideProvider(RunThreads).useValue(overrides.runThreads ?? new RunThreads(RUN_THREAD));
  builder.overrideProvider(PictureEncoder).useValue(new PictureEncoder(ENCODE_PROCESS));
  if (overrides.imageProvider) builder.overrideProvider(ImageProvider).useValue(overrides.imageProvider);
  if (overrides.rateLimiter) builder.overrideProvider(RateLimiter).useValue(overrides.rateLimiter);

  const adapter = await createHttpAdapter(
    { trustProxy: false, loopbackOnly: false, contentSecurityPolicy: "default-src 'self'" },
    pino({ level: 'silent' }),
  );
  await validateAnswers(adapter.getInstance<FastifyInstance>());
  await options.mount?.(adapter.getInstance<FastifyInstance>());
  const module = await builder.compile();
  const app = module.createNestApplication<NestFastifyApplication>(adapter, { logger: false });
  app.get(ApiDescription).setApp(app);
  await app.listen(port, '127.0.0.1');
  const release = async (): Promise<void> => {
    await projections.stop();
    await app.close();
    if (!overrides.eventStore) await eventStore.close();
    await notifications.close();
    await closeDatabase();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { app, url: `http://127.0.0.1:${port}`, pool, eventStore, projections, metrics, dataDir, release };
}
