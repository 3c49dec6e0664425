import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Global, Module, type Type, ValidationPipe } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { CommandBus, CqrsModule, QueryBus } from '@nestjs/cqrs';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { type FastifyInstance } from 'fastify';
import { type Kysely } from 'kysely';
import { pino } from 'pino';
import sharp from 'sharp';
import { AddApprovedCreator } from '../../src/creators/index.js';
import { CreatorsModule } from '../../src/creators/creators.module.js';
import { type CreatorTables } from '../../src/creators/tables.js';
import { CreditsModule } from '../../src/credits/credits.module.js';
import { type Balances, GetDeductionStatus, OpenAccount } from '../../src/credits/index.js';
import { type DeductionStatus } from '../../src/credits/reads/get-deduction-status.js';
import { GalleryModule } from '../../src/gallery/gallery.module.js';
import { GenerationModule } from '../../src/generation/generation.module.js';
import { type GenerationFaultPoint } from '../../src/generation/generation-steps.js';
import { GenerationWorker } from '../../src/generation/workers/generation-worker.js';
import { ImageProvider } from '../../src/generation/providers/image-provider.js';
import { GenerationReconciler } from '../../src/generation/workers/reconcile-generations.js';
import { StartGeneration, type StartedGeneration } from '../../src/generation/use-cases/start-generation.js';
import { type GenerationRow, type GenerationTables } from '../../src/generation/tables.js';
import { type GenerationView } from '../../src/contract/generation.js';
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
import { RateLimiter } from '../../src/platform/http/rate-limits.js';
import { IdGenerator, UuidGenerator } from '../../src/platform/ids.js';
import { Locks } from '../../src/platform/locks.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { PROVIDER_SETTINGS } from '../../src/platform/config/provider-settings.js';
import { FileStorage } from '../../src/platform/storage/file-storage.js';
import {
  createReplicateSandbox,
  REPLICATE_SANDBOX_PREFIX,
  type ReplicateSandbox,
} from '../../src/sandbox/replicate/index.js';
import { freePort } from './app-process.js';
import { CrashingFaultPoints } from './crashing-fault-points.js';
import { type TestDatabase, withTestDatabase } from './database.js';
import { type Delivery, FakeImageProvider } from './fake-image-provider.js';

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

class MemoryStorage extends FileStorage {
  readonly files = new Map<string, Buffer>();
  /** Deleting fails. */
  failing = false;
  /** Calls back before a file is stored. */
  beforePut: () => Promise<unknown> = () => Promise.resolve();

  override async put(name: string, bytes: Buffer): Promise<void> {
    await this.beforePut();
    this.files.set(name, bytes);
  }

  override async get(name: string): Promise<Buffer | null> {
    return Promise.resolve(this.files.get(name) ?? null);
  }

  override async delete(name: string): Promise<void> {
    if (this.failing) throw new Error('The storage is not there.');
    this.files.delete(name);
    return Promise.resolve();
  }
}

/** Where the fake provider keeps its pictures. */
class OutputServer {
  status = 200;
  /** Sends this instead of a picture. */
  garbage: string | null = null;
  requests = 0;
  /** Calls back before a picture is sent. */
  beforeAnswer: () => Promise<void> = () => Promise.resolve();

  private constructor(
    private readonly server: Server,
    readonly host: string,
  ) {}

  static async start(): Promise<OutputServer> {
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#d96f32' } })
      .png()
      .toBuffer();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const outputs = new OutputServer(server, `127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (_request, response) => {
      outputs.requests += 1;
      void outputs.beforeAnswer().then(() => {
        if (outputs.status === 200)
          response.writeHead(200, { 'Content-Type': 'image/png' }).end(outputs.garbage ?? picture);
        else response.writeHead(outputs.status).end();
      });
    });
    return outputs;
  }

  get url(): string {
    return `http://${this.host}/out-${randomUUID()}.png`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function startSandbox(clock: Clock, url: string): Promise<ReplicateSandbox> {
  return createReplicateSandbox({
    dataDir: await mkdtemp(join(tmpdir(), 'fanvas-replicate-')),
    baseUrl: `${url}${REPLICATE_SANDBOX_PREFIX}`,
    now: () => clock.now(),
    coldMs: 0,
    runMs: 0,
  });
}

/** Reads a stream of events as the browser does. */
export async function* eventsOf(response: Response): AsyncGenerator<GenerationView> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data !== undefined) yield JSON.parse(data) as GenerationView;
    }
  }
}

/** The generation context with real credits, creators and Postgres, a provider in memory, and a clock that stands still. */
export class GenerationApp {
  closed = false;

  private constructor(
    private readonly app: NestFastifyApplication,
    readonly url: string,
    private readonly database: TestDatabase<GenerationTables>,
    private readonly eventStore: PostgresEventStore,
    readonly clock: ManualClock,
    readonly provider: FakeImageProvider,
    readonly faults: CrashingFaultPoints<GenerationFaultPoint>,
    readonly outputs: OutputServer,
    readonly storage: MemoryStorage,
    private readonly sandbox: ReplicateSandbox | null,
  ) {}

  /** @param options.sandbox draws with the real provider's client and its sandbox; `provider` and `outputs` are idle then */
  static async start(options: { readonly sandbox?: boolean } = {}): Promise<GenerationApp> {
    const database = await withTestDatabase<GenerationTables>();
    const outputs = await OutputServer.start();
    // Ids carry the machine's time, and the ledger judges them by the clock.
    const clock = new ManualClock(new Date());
    const provider = new FakeImageProvider();
    const faults = new CrashingFaultPoints<GenerationFaultPoint>();
    const storage = new MemoryStorage();
    const eventStore = new PostgresEventStore(database.pool);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const sandbox = options.sandbox ? await startSandbox(clock, url) : null;

    const parts = [
      { provide: DATABASE, useValue: database.db },
      { provide: PG_POOL, useValue: database.pool },
      { provide: Clock, useValue: clock },
      { provide: IdGenerator, useValue: new UuidGenerator() },
      { provide: EventStore, useValue: eventStore },
      { provide: ProjectionRunner, useValue: new ProjectionRunner(database.pool, eventStore) },
      { provide: FileStorage, useValue: storage },
      { provide: RateLimiter, useClass: PostgresRateLimiter },
      { provide: FaultPoints, useValue: faults },
      { provide: Locks, useValue: new Locks(database.pool) },
      { provide: Authenticator, useClass: TokenIsUserId },
      { provide: CONFIG, useValue: { publicUrl: 'http://localhost:3000' } },
      {
        provide: PROVIDER_SETTINGS,
        useValue: {
          replicate: sandbox
            ? {
                ...sandbox.settings,
                baseUrl: `${url}${REPLICATE_SANDBOX_PREFIX}/v1`,
                outputHosts: [new URL(url).host],
                webhookOrigin: url,
              }
            : { apiToken: 'r8_test', webhookSecret: 'whsec_dGVzdA==', outputHosts: [outputs.host] },
          stripe: { secretKey: 'sk_test_x', webhookSecret: null },
          sandboxes: { clerk: true, replicate: true, stripe: true },
        },
      },
    ];
    @Global()
    @Module({ imports: [CqrsModule.forRoot()], providers: parts, exports: [...parts, CqrsModule] })
    class TestPlatformModule {}

    const builder = Test.createTestingModule({
      imports: [TestPlatformModule, CreditsModule, CreatorsModule, GenerationModule, GalleryModule],
      providers: [
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_INTERCEPTOR, useClass: JsonNullInterceptor },
        { provide: APP_PIPE, useValue: new ValidationPipe({ transform: true, whitelist: true }) },
      ],
    });
    if (!sandbox) builder.overrideProvider(ImageProvider).useValue(provider);
    const module = await builder.compile();
    const adapter = await createHttpAdapter(
      { trustProxy: false, loopbackOnly: false, contentSecurityPolicy: "default-src 'self'" },
      pino({ level: 'silent' }),
    );
    if (sandbox) {
      const server = adapter.getInstance<FastifyInstance>();
      await server.register(sandbox.plugin, { prefix: REPLICATE_SANDBOX_PREFIX });
    }
    const app = module.createNestApplication<NestFastifyApplication>(adapter, { rawBody: true, logger: false });
    await app.listen(port, '127.0.0.1');
    return new GenerationApp(app, url, database, eventStore, clock, provider, faults, outputs, storage, sandbox);
  }

  get db(): Kysely<GenerationTables> {
    return this.database.db;
  }

  get creators(): Kysely<CreatorTables> {
    return this.database.db as unknown as Kysely<CreatorTables>;
  }

  /** Something of the app. */
  get<T>(what: Type<T>): T {
    return this.app.get(what);
  }

  get queries(): QueryBus {
    return this.app.get(QueryBus);
  }

  /** A user who has 30 bonus credits. */
  async newUser(): Promise<string> {
    const userId = `user_${randomUUID()}`;
    await this.commands.execute(new OpenAccount({ userId }));
    return userId;
  }

  async newCreator(name = 'Aria Vale'): Promise<string> {
    const id = randomUUID();
    const { creatorId } = await this.commands.execute(
      new AddApprovedCreator({
        clerkId: `user_${id}`,
        name,
        email: `${id}@fanvas.test`,
        instagram: `@c${id.slice(0, 13).replace('-', '')}`,
        twitter: null,
        onlyfans: null,
        bio: '',
        style: null,
        profile: null,
        deploymentName: `fanvas/${id}`,
      }),
    );
    return creatorId;
  }

  get commands(): CommandBus {
    return this.app.get(CommandBus);
  }

  get worker(): GenerationWorker {
    return this.app.get(GenerationWorker);
  }

  async begin(userId: string, creatorId: string, prompt = 'A fox in the snow'): Promise<StartedGeneration> {
    return this.commands.execute(new StartGeneration(userId, prompt, creatorId));
  }

  /** A pending generation with a known prediction. */
  async drawing(creatorId: string): Promise<{ userId: string; id: string; predictionId: string }> {
    const userId = await this.newUser();
    const { generationId, predictionId } = await this.begin(userId, creatorId);
    if (predictionId === null) throw new Error('The provider did not answer.');
    return { userId, id: generationId, predictionId };
  }

  async row(id: string): Promise<GenerationRow> {
    return this.db.selectFrom('generation').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  async deduction(userId: string, generationId: string): Promise<DeductionStatus> {
    return this.queries.execute(new GetDeductionStatus({ userId, deductionId: generationId }));
  }

  async balances(userId: string): Promise<Balances> {
    return (await this.deduction(userId, randomUUID())).balances;
  }

  /** Names of the events in the user's account. */
  async ledger(userId: string): Promise<string[]> {
    return (await this.accountEvents(userId)).map((event) => event.type);
  }

  async accountEvents(userId: string): Promise<StoredEvent[]> {
    return this.eventStore.readStream(`creditAccount-${userId}`);
  }

  /** One run of the reconciler, with everything that follows from it. */
  async reconcile(): Promise<void> {
    await this.app.get(GenerationReconciler).sweep();
    await this.worker.idle();
  }

  /** Time goes by, and the reconciler runs as it would. */
  async pass(ms: number, stepMs = 5_000): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.clock.advance(Math.min(stepMs, ms - passed));
      await this.reconcile();
    }
  }

  /** What the browser sees of it live. */
  async events(id: string, token: string | null, signal?: AbortSignal): Promise<Response> {
    return fetch(`${this.url}/events/generations/${id}`, {
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      ...(signal ? { signal } : {}),
    });
  }

  /** A webhook arrives, and everything that follows from it is done. */
  async webhook(predictionId: string, deliveryId?: string): Promise<number> {
    const status = await this.post(this.provider.delivery(predictionId, this.clock.now(), deliveryId));
    await this.worker.idle();
    return status;
  }

  async post({ path, headers, body }: Delivery): Promise<number> {
    const response = await fetch(this.url + path, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  }

  async rpc(name: string, token: string | null, body: object = {}): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.url}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }

  /** Safe to call twice. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.faults.restart();
    await this.sandbox?.close();
    await this.app.close();
    await this.eventStore.close();
    await this.outputs.close();
    await this.database.close();
  }
}
