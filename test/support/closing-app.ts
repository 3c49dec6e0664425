import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { type ClosingFaultPoint } from '../../src/privacy/closing/closing-steps.js';
import { ClosingWorker } from '../../src/privacy/closing/workers/closing-worker.js';
import { ClosingReconciler } from '../../src/privacy/closing/workers/reconcile-closings.js';
import { type AccountClosing, type AccountClosure, type CloseAccountResponse } from '../../src/contract/closing.js';
import { type ImageInfo } from '../../src/contract/media.js';
import { DeductCredits, OpenAccount, SettleDeduction } from '../../src/credits/index.js';
import { EarningPoster } from '../../src/finance/index.js';
import { GenerationWorker } from '../../src/generation/steps/generation-worker.js';
import { createStripe } from '../../src/payments/providers/stripe.js';
import { PaymentWorker } from '../../src/payments/workers/payment-worker.js';
import { PaymentReconciler } from '../../src/payments/workers/reconcile-payments.js';
import { type ManualClock } from '../../src/platform/clock.js';
import { testClock } from './test-clock.js';
import { FileStorage } from '../../src/platform/storage/file-storage.js';
import { CLERK_SANDBOX_PREFIX, createClerkSandbox, type ClerkSandbox } from '../../src/sandbox/clerk/index.js';
import { createStripeSandbox, STRIPE_SANDBOX_PREFIX, type StripeSandbox } from '../../src/sandbox/stripe/index.js';
import { addingCreator } from './adding-creator.js';
import { freePort } from './app-process.js';
import { CrashingFaultPoints } from './crashing-fault-points.js';
import { FakeImageProvider } from './fake-image-provider.js';
import { storeGeneration } from './stored-generation.js';
import { type Answer, type Overrides, startTestParts, TestApp, type TestParts } from './test-app.js';
import { verifiedLedger } from './verified-ledger.js';

const BACKEND = `${CLERK_SANDBOX_PREFIX}/backend`;

/** The app with the sandboxes of the identity provider and the payment processor, and a manual clock. */
export class ClosingApp extends TestApp {
  /** The identity provider answers with errors. */
  identityDown = false;
  /** The users that the creators are. */
  private readonly identities = new Map<string, string>();

  private constructor(
    parts: TestParts,
    readonly clock: ManualClock,
    readonly faults: CrashingFaultPoints<ClosingFaultPoint>,
    readonly stripe: StripeSandbox,
    readonly clerk: ClerkSandbox,
    private readonly folders: readonly string[],
  ) {
    super(parts);
  }

  static async start({ storage }: Pick<Overrides, 'storage'> = {}): Promise<ClosingApp> {
    const clock = testClock();
    const faultPoints = new CrashingFaultPoints<ClosingFaultPoint>();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const folders = await Promise.all(['stripe', 'clerk'].map((name) => mkdtemp(join(tmpdir(), `fanvas-${name}-`))));
    const [stripeFolder = '', clerkFolder = ''] = folders;
    const sandbox = await createStripeSandbox({
      dataDir: stripeFolder,
      now: () => clock.now(),
      settleAfterMs: 3_600_000,
    });
    const clerk = await createClerkSandbox({ dataDir: clerkFolder, webhookUrl: `${url}/webhooks/clerk`, accounts: [] });
    const stripe = { ...sandbox.settings, baseUrl: `${url}${STRIPE_SANDBOX_PREFIX}` };
    const started: { app?: ClosingApp } = {};
    const parts = await startTestParts({
      port,
      overrides: {
        clock,
        faultPoints,
        imageProvider: new FakeImageProvider(),
        ...(storage && { storage }),
        stripe: createStripe(stripe, { timeoutMs: 2_000, maxNetworkRetries: 0 }),
        providers: { stripe, clerk: { ...clerk.settings, apiUrl: url + BACKEND } },
      },
      mount: async (server) => {
        server.addHook('onRequest', async (request, reply) => {
          if (started.app?.identityDown && request.url.startsWith(BACKEND)) await reply.code(503).send({ errors: [] });
        });
        await server.register(sandbox.plugin, { prefix: STRIPE_SANDBOX_PREFIX });
        await server.register(clerk.plugin, { prefix: CLERK_SANDBOX_PREFIX });
      },
    });
    started.app = new ClosingApp(parts, clock, faultPoints, sandbox, clerk, folders);
    await started.app.work();
    return started.app;
  }

  /** A user of the identity provider with an account of 30 bonus credits. */
  async newUser(): Promise<string> {
    const email = `${randomUUID()}@fans.test`;
    const { userId } = await this.clerk.ensureUser({ email, password: 'correct-horse-9' });
    await this.commands.execute(new OpenAccount({ userId }));
    return userId;
  }

  async newCreator(
    userId = `user_${randomUUID().replaceAll('-', '')}`,
  ): Promise<{ creatorId: string; username: string }> {
    const handle = randomUUID().slice(0, 12);
    const added = await this.commands.execute(
      addingCreator(`c${handle}`, {
        clerkId: userId,
        twitter: '@aria',
        bio: 'Paints the sea',
        deploymentName: `fanvas/${handle}`,
      }),
    );
    this.identities.set(added.creatorId, userId);
    return added;
  }

  /** Spends credits on an image that is finished, with its files and in the gallery of its creator. */
  async image(userId: string, creatorId: string, amount = 10): Promise<{ id: string; file: string; image: ImageInfo }> {
    const id = v7({ msecs: this.clock.now().getTime() });
    await this.commands.execute(
      new DeductCredits({
        userId,
        deductionId: id,
        amount,
        creatorId,
        ownGeneration: this.identities.get(creatorId) === userId,
      }),
    );
    await this.commands.execute(new SettleDeduction({ userId, deductionId: id }));
    const file = `${randomUUID()}/64.webp`;
    const url = `/media/${file}`;
    const image: ImageInfo = {
      url,
      width: 64,
      height: 64,
      thumbhash: '',
      sources: [{ type: 'image/webp', url, width: 64 }],
    };
    await this.get(FileStorage).put(file, Buffer.from('picture'), 'image/webp');
    await storeGeneration(this.pool, {
      id,
      user_id: userId,
      creator_id: creatorId,
      prompt: `A fox of ${userId}`,
      cost: amount,
      prediction_id: `p-${id}`,
      image,
      at: this.clock.now(),
    });
    await this.pool.query(
      `insert into gallery (creator_id, updated_at, updated_by) values ($1, now(), 'x') on conflict do nothing`,
      [creatorId],
    );
    await this.pool.query(
      `insert into gallery_item (creator_id, place, generation_id)
       select $1, coalesce(max(place), -1) + 1, $2 from gallery_item where creator_id = $1`,
      [creatorId, id],
    );
    return { id, file, image };
  }

  /** Opens a checkout for 100 credits. Returns its session. */
  async checkout(userId: string): Promise<string> {
    const { status, body } = await this.tryCheckout(userId);
    const session = body.url?.split('/').at(-1);
    if (status !== 200 || session === undefined) throw new Error(`No checkout: ${JSON.stringify(body)}`);
    return session;
  }

  async tryCheckout(userId: string): Promise<Answer<{ url?: string; message?: string }>> {
    return this.fn('create-checkout-session', userId, {
      bundleId: 'basic',
      bundleCredits: 100,
      bundlePrice: 10,
      successUrl: 'http://localhost:3000/payment-success?session_id={CHECKOUT_SESSION_ID}',
      cancelUrl: 'http://localhost:3000/payment-canceled',
    });
  }

  /** Buys 100 credits for 1,000 cents. Returns the session. */
  async purchase(userId: string): Promise<string> {
    const session = await this.checkout(userId);
    await this.stripe.pay(session);
    await this.fn('get-checkout-session', userId, { sessionId: session });
    return session;
  }

  async closeAccount(userId: string, p_choice: 'refund' | 'waive' = 'refund'): Promise<CloseAccountResponse> {
    const { status, body } = await this.rpc<CloseAccountResponse>('close_account', userId, {
      p_choice,
      p_confirmation: ' close ',
    });
    if (status !== 200) throw new Error(`Not closed: ${JSON.stringify(body)}`);
    return body;
  }

  async preview(userId: string): Promise<AccountClosing> {
    return (await this.rpc<AccountClosing>('get_account_closing', userId)).body;
  }

  /** The closure as admins see it. */
  async closure(userId: string): Promise<AccountClosure> {
    return (await this.rpc<AccountClosure>('get_account_closure', 'admin_1', { p_user_id: userId })).body;
  }

  /** The counts of a closure by name. */
  async counts(userId: string): Promise<Record<string, number>> {
    const { steps } = await this.closure(userId);
    return Object.fromEntries(steps.flatMap(({ counts }) => counts.map(({ name, count }) => [name, count])));
  }

  /** Runs all due work of all contexts. */
  async work(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      this.get(ClosingWorker).wake();
      await this.get(ClosingWorker).idle();
      this.get(PaymentWorker).wake();
      await Promise.all([this.get(PaymentWorker).idle(), this.get(GenerationWorker).idle()]);
    }
  }

  /** Lets this time pass, in which leases and pauses end, and runs all due work. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.work();
  }

  /** Keeps the worker from running until the returned function is called. */
  hold(): () => Promise<void> {
    const worker = this.get(ClosingWorker) as { wake?: () => void };
    worker.wake = () => undefined;
    return async () => {
      delete worker.wake;
      await this.work();
    };
  }

  /** Simulates a restart after a crash. */
  async restart(): Promise<void> {
    await this.get(ClosingWorker).idle();
    await Promise.all([this.get(PaymentWorker).idle(), this.get(GenerationWorker).idle()]);
    this.faults.restart();
    await this.pass(61_000);
  }

  /** Runs the search for leftovers, and what follows from it. */
  async findLeftovers(): Promise<void> {
    await this.project();
    await this.get(ClosingReconciler).findLeftovers();
    await this.work();
  }

  /** Reads the processor's payments again, as the hourly reconciliation does. */
  async reconcilePayments(): Promise<void> {
    await this.get(PaymentReconciler).reconcile();
  }

  /** The problems that the audit of the ledger finds, as sentences. */
  async audit(): Promise<string[]> {
    await this.project();
    await this.get(EarningPoster).runOnce();
    const { problems } = await verifiedLedger(this, () => this.clock.now());
    return problems.map((problem) => problem.what);
  }

  override async close(): Promise<void> {
    this.faults.restart();
    await this.stripe.close();
    await this.clerk.close();
    await super.close();
    await Promise.all(this.folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}
