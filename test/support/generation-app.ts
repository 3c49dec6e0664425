import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely } from 'kysely';
import sharp from 'sharp';
import { type AspectRatio } from '../../src/contract/aspect-ratios.js';
import { type AddApprovedCreator } from '../../src/creators/index.js';
import { type CreatorTables } from '../../src/creators/tables.js';
import { type Balances, GetDeductionStatus, OpenAccount } from '../../src/credits/index.js';
import { type DeductionStatus } from '../../src/credits/reads/get-deduction-status.js';
import { type GenerationFaultPoint } from '../../src/generation/steps/generation-steps.js';
import { ConsentFollower, type ConsentFaultPoint } from '../../src/generation/workers/follow-consent.js';
import { GenerationWorker } from '../../src/generation/steps/generation-worker.js';
import { GenerationCleaner } from '../../src/generation/workers/clean-generations.js';
import { GenerationReconciler } from '../../src/generation/workers/reconcile-generations.js';
import { StartGeneration, type StartedGeneration } from '../../src/generation/use-cases/start-generation.js';
import { type GenerationRow, type GenerationTables } from '../../src/generation/tables.js';
import { SaveGallery } from '../../src/gallery/use-cases/save-gallery.js';
import { systemActor } from '../../src/platform/acts/actor.js';
import { type Clock, type ManualClock } from '../../src/platform/clock.js';
import { testClock } from './test-clock.js';
import { FileStorage, type StoredFolder } from '../../src/platform/storage/file-storage.js';
import {
  createReplicateSandbox,
  REPLICATE_SANDBOX_PREFIX,
  type ReplicateSandbox,
} from '../../src/sandbox/replicate/index.js';
import { addingCreator } from './adding-creator.js';
import { freePort } from './app-process.js';
import { CrashingFaultPoints } from './crashing-fault-points.js';
import { type Delivery, FakeImageProvider } from './fake-image-provider.js';
import { startTestParts, TestApp, type TestParts } from './test-app.js';

class MemoryStorage extends FileStorage {
  readonly files = new Map<string, Buffer>();
  /** Deleting fails. */
  failing = false;
  /** Deleting one of these fails. */
  readonly undeletable = new Set<string>();
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
    if (this.failing || this.undeletable.has(name)) throw new Error('The storage is not available.');
    this.files.delete(name);
    return Promise.resolve();
  }

  override async *folders(): AsyncGenerator<StoredFolder> {
    for (const name of new Set([...this.files.keys()].map((file) => file.split('/')[0] ?? ''))) {
      yield Promise.resolve({ name, changedAt: new Date() });
    }
  }

  override async deleteFolder(name: string): Promise<void> {
    for (const file of this.files.keys()) if (file.startsWith(`${name}/`)) await this.delete(file);
  }
}

/** Serves the pictures of the fake provider. */
class OutputServer {
  status = 200;
  /** Sends this instead of a picture. */
  garbage: string | Buffer | null = null;
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

/** The app with an in-memory image provider and a manual clock. */
export class GenerationApp extends TestApp {
  private constructor(
    parts: TestParts,
    readonly clock: ManualClock,
    readonly provider: FakeImageProvider,
    readonly faults: CrashingFaultPoints<GenerationFaultPoint | ConsentFaultPoint>,
    readonly outputs: OutputServer,
    readonly storage: MemoryStorage,
    private readonly sandbox: ReplicateSandbox | null,
  ) {
    super(parts);
  }

  /** @param options.sandbox uses the provider's real client and sandbox; `provider` and `outputs` are then unused */
  static async start(options: { readonly sandbox?: boolean } = {}): Promise<GenerationApp> {
    const outputs = await OutputServer.start();
    const clock = testClock();
    const provider = new FakeImageProvider();
    const faultPoints = new CrashingFaultPoints<GenerationFaultPoint | ConsentFaultPoint>();
    const storage = new MemoryStorage();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const sandbox = options.sandbox ? await startSandbox(clock, url) : null;
    const replicate = sandbox
      ? {
          ...sandbox.settings,
          baseUrl: `${url}${REPLICATE_SANDBOX_PREFIX}/v1`,
          outputHosts: [new URL(url).host],
          webhookOrigin: url,
        }
      : { apiToken: 'r8_test', webhookSecret: 'whsec_dGVzdA==', outputHosts: [outputs.host] };
    const parts = await startTestParts({
      port,
      overrides: {
        clock,
        storage,
        faultPoints,
        providers: { replicate },
        ...(sandbox ? {} : { imageProvider: provider }),
      },
      mount: (server) => sandbox && server.register(sandbox.plugin, { prefix: REPLICATE_SANDBOX_PREFIX }),
    });
    return new GenerationApp(parts, clock, provider, faultPoints, outputs, storage, sandbox);
  }

  get db(): Kysely<GenerationTables> {
    return this.tables<GenerationTables>();
  }

  get creators(): Kysely<CreatorTables> {
    return this.tables<CreatorTables>();
  }

  /** A user who has 30 bonus credits. */
  async newUser(): Promise<string> {
    const userId = `user_${randomUUID()}`;
    await this.commands.execute(new OpenAccount({ userId }));
    return userId;
  }

  /** An approved creator with a model. */
  async newCreator(name = 'Aria Vale', fields: Partial<AddApprovedCreator['input']> = {}): Promise<string> {
    const id = randomUUID();
    const { creatorId } = await this.commands.execute(
      addingCreator(`c${id.slice(0, 13).replace('-', '')}`, { clerkId: `user_${id}`, name, ...fields }),
    );
    return creatorId;
  }

  get worker(): GenerationWorker {
    return this.get(GenerationWorker);
  }

  async begin(
    userId: string,
    creatorId: string,
    prompt = 'A fox in the snow',
    aspectRatio?: AspectRatio,
  ): Promise<StartedGeneration> {
    return this.commands.execute(new StartGeneration({ userId, prompt, creator: creatorId, aspectRatio }));
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

  /** Runs the reconciler and the cleaner once, and waits for all resulting work. */
  async reconcile(): Promise<void> {
    await this.get(GenerationReconciler).sweep();
    await this.get(GenerationCleaner).sweep();
    await this.worker.idle();
  }

  /** Makes images follow the consent of their creators, once, and waits for all resulting work. */
  async followConsent(): Promise<void> {
    await this.get(ConsentFollower).sweep();
    await this.worker.idle();
  }

  /** A completed generation with its files. */
  async delivered(userId: string, creatorId: string, prompt?: string): Promise<string> {
    const { generationId, predictionId } = await this.begin(userId, creatorId, prompt);
    await this.succeed(predictionId);
    return generationId;
  }

  /** Puts images into the gallery of their creator. @param expectedVersion 0 when there is no gallery yet */
  async curate(creatorId: string, generationIds: readonly string[], expectedVersion = 0): Promise<void> {
    const actor = systemActor('admin_of_galleries');
    await this.commands.execute(new SaveGallery({ creatorId, generationIds, expectedVersion, actor }));
  }

  /** Advances the clock in steps and runs the reconciler after each. */
  async pass(ms: number, stepMs = 5_000): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.clock.advance(Math.min(stepMs, ms - passed));
      await this.reconcile();
    }
  }

  /** The live event stream of a generation. */
  async events(id: string, token: string | null, signal?: AbortSignal): Promise<Response> {
    return this.read(`events/generations/${id}`, token, signal);
  }

  /** Delivers a webhook and waits for all resulting work. */
  async webhook(predictionId: string, deliveryId?: string): Promise<number> {
    const status = await this.post(this.provider.delivery(predictionId, this.clock.now(), deliveryId));
    await this.worker.idle();
    return status;
  }

  /** The provider says that the image is drawn. */
  async succeed(predictionId: string | null): Promise<number> {
    const id = String(predictionId);
    this.provider.move(id, { status: 'succeeded', output: [this.outputs.url], startedAt: this.clock.now() });
    return this.webhook(id);
  }

  /** The provider says that the image has failed. */
  async fail(predictionId: string | null, error: string | null = 'Prediction interrupted'): Promise<number> {
    const id = String(predictionId);
    this.provider.move(id, { status: 'failed', error });
    return this.webhook(id);
  }

  async post({ path, headers, body }: Delivery): Promise<number> {
    const response = await fetch(this.url + path, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  }

  override async close(): Promise<void> {
    this.faults.restart();
    await this.sandbox?.close();
    await super.close();
    await this.outputs.close();
  }
}
