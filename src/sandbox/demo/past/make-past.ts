import { renameSync, writeFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fastify } from 'fastify';
import { importHistory, lastSeal, signingKeyOf } from '../../../audit/index.js';
import { ACCOUNT_STREAM_PREFIX, PolicyStore } from '../../../credits/index.js';
import { ImageProvider, OutputCopier } from '../../../generation/index.js';
import { providerSettings } from '../../../platform/config/provider-settings.js';
import { PastBusyError, type PastOptions } from '../../../platform/config/sandboxes.js';
import { PG_POOL } from '../../../platform/database/database.js';
import { EventStore } from '../../../platform/event-store/event-store.js';
import { UuidGenerator } from '../../../platform/ids.js';
import { InstallationKeys } from '../../../platform/keys/installation-keys.js';
import { ProjectionRunner } from '../../../platform/projections/projection-runner.js';
import { CLERK_SANDBOX_PREFIX, createClerkSandbox, type ClerkSandbox } from '../../clerk/index.js';
import { readJson, writeJson } from '../../json-file.js';
import { createStripeSandbox, STRIPE_SANDBOX_PREFIX, type StripeSandbox } from '../../stripe/index.js';
import { DEMO_ACCOUNTS } from '../demo-accounts.js';
import { DEMO_CREATORS } from '../demo-roster.js';
import { DEMO_SIZES, SEED_FILE } from '../demo-sizes.js';
import { Patience } from '../patience.js';
import { PastClock, PastIds } from './past-clock.js';
import { PastPictures, PastProvider } from './past-pictures.js';
import { imagesOf, planPast, type PastSize, type PastStep } from './past-plan.js';
import { PastStory, type Members, type StoryParts } from './past-story.js';

const FILE = 'demo-past.json';
const LOCK = 'demo-past';
/** The few fans of the past earn their creators less than the usual minimum of a payout. */
const MINIMUM_CENTS = 100;
/** Time between two visits of a fan that an interrupted one may have used. */
const VISIT_MS = 45 * 60_000;

/** Stored progress: an interrupted past continues after its last step. */
interface Progress {
  completed: boolean;
  readonly importId: string;
  /** The present that the plan ends with. */
  readonly now: string;
  readonly size: PastSize;
  /** The step that is performed. */
  next: number;
  readonly members: Members;
}

/**
 * Gives an empty installation a past, as `SandboxUnit.makePast` promises. The clock of this app runs from then to now.
 * A signed record names its events (ADR 32): without it, the audit would report every one of them as back-dated.
 * @throws PastBusyError while another process makes it: the files of the sandboxes have one writer
 */
export async function makePast(options: PastOptions): Promise<void> {
  const { config, locks } = options;
  if (config.clerk || config.replicate || config.stripe || config.sandbox.demo === 'none') return;
  const folder = join(config.dataDir, 'sandbox');
  if (!(await isDue(folder, config))) return;
  const acquired = await locks.withLock(LOCK, async () => {
    // Another process may have completed it since.
    if (!(await isDue(folder, config))) return true;
    const stored = await readJson<Progress>(join(folder, FILE));
    await new Past(options, folder, stored ?? newProgress(config.sandbox)).make(stored !== null);
    return true;
  });
  if (!acquired) throw new PastBusyError();
}

/** The completed past of an installation; null without one. */
export async function pastOf(folder: string): Promise<{ readonly now: string } | null> {
  const stored = await readJson<Progress>(join(folder, FILE));
  return stored?.completed === true ? stored : null;
}

/** Without a record of its events, an interrupted past must be completed regardless of the settings. */
async function isDue(folder: string, { sandbox }: PastOptions['config']): Promise<boolean> {
  const stored = await readJson<Progress>(join(folder, FILE));
  if (stored) return !stored.completed;
  return sandbox.pastMonths > 0 && (await readJson(join(folder, SEED_FILE))) === null;
}

function newProgress({ demo, pastMonths: months }: PastOptions['config']['sandbox']): Progress {
  const { creators, pictures, fans, imagesPerMonth } = DEMO_SIZES[demo === 'none' ? 'full' : demo];
  const size = { months, images: months * imagesPerMonth, creators, pictures, fans };
  const importId = new UuidGenerator().next();
  return { completed: false, importId, now: new Date().toISOString(), size, next: 0, members: {} };
}

class Past {
  private readonly clock = new PastClock();
  private readonly file: string;

  constructor(
    private readonly options: PastOptions,
    private readonly folder: string,
    private readonly progress: Progress,
  ) {
    this.file = join(folder, FILE);
  }

  /** @param begun an earlier attempt has begun, so the ledger has events */
  async make(begun: boolean): Promise<void> {
    const { config } = this.options;
    const now = (): Date => this.clock.now();
    // The demo accounts are as old as the past.
    this.clock.moveTo(Date.parse(this.progress.now) - this.progress.size.months * 31 * 86_400_000);
    const clerk = await createClerkSandbox({
      dataDir: join(this.folder, 'clerk'),
      webhookUrl: null,
      now,
      accounts: DEMO_ACCOUNTS,
    });
    const stripe = await createStripeSandbox({
      dataDir: join(this.folder, 'stripe'),
      baseUrl: `${config.publicUrl}${STRIPE_SANDBOX_PREFIX}`,
      now,
      business: 'Fanvas',
    });
    this.clock.return();
    const server = fastify({ forceCloseConnections: true });
    try {
      // The product's SDKs reach the sandboxes by HTTP. Only this process knows the port.
      await server.register(clerk.plugin, { prefix: CLERK_SANDBOX_PREFIX });
      await server.register(stripe.plugin, { prefix: STRIPE_SANDBOX_PREFIX });
      await server.listen({ host: '127.0.0.1', port: 0 });
      const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
      await this.makeWith(clerk, stripe, origin, begun);
    } finally {
      await server.close();
      await stripe.close();
      await clerk.close();
    }
  }

  private async makeWith(clerk: ClerkSandbox, stripe: StripeSandbox, origin: string, begun: boolean): Promise<void> {
    const { config, storage, mediaDir, open } = this.options;
    const { clock } = this;
    const ids = new PastIds(clock);
    const pictures = new PastPictures(storage, mediaDir, config.sandbox.picturePx);
    const provider = new PastProvider(
      () => clock.now(),
      () => ids.next(),
    );
    const steps = planPast(this.progress.size, new Date(this.progress.now));
    const context = await open({
      clock,
      ids,
      storage,
      config: { ...config, payoutMinimumCents: MINIMUM_CENTS },
      providers: providerSettings(config, {
        clerk: { ...clerk.settings, apiUrl: `${origin}${CLERK_SANDBOX_PREFIX}/backend` },
        replicate: { apiToken: 'unused', webhookSecret: 'unused', outputHosts: [] },
        stripe: { ...stripe.settings, baseUrl: `${origin}${STRIPE_SANDBOX_PREFIX}` },
      }),
      replacements: [
        { provide: ImageProvider, useValue: provider },
        { provide: OutputCopier, useValue: pictures },
      ],
      // The workers end what an interrupted attempt has left, at its time.
      begin: () => clock.moveTo((steps[this.progress.next]?.at ?? Date.now()) + (begun ? VISIT_MS : 0)),
    });
    try {
      const pool = context.get<PastPool>(PG_POOL);
      const eventStore = context.get(EventStore);
      const isEmpty =
        (await lastSeal(pool)) === null && (await eventStore.lastPosition(ACCOUNT_STREAM_PREFIX)) === null;
      if (!begun && !isEmpty) return;
      this.save();
      const { signingKey } = config.ledger;
      const keys = context.get(InstallationKeys);
      const key = await signingKeyOf(pool, { configuredKey: signingKey, keys, dataDir: config.dataDir });
      const policies = context.get(PolicyStore, { strict: false });
      const { importId } = this.progress;
      const record = { importId, reason: 'The demo has a past.', fromBeginning: true };
      await importHistory({ pool, eventStore, policies, key }, record, async () => {
        this.drawAll(pictures, steps);
        const story = this.story(steps, { context, clerk, stripe, clock, pictures, provider });
        await this.perform(story, steps, begun);
        clock.return();
      });
      await context.get(ProjectionRunner).catchUp();
      await writeJson(join(this.folder, SEED_FILE), { completed: true, pictures: {} });
      this.progress.completed = true;
      this.save();
    } finally {
      clock.return();
      await context.close();
    }
  }

  /** Draws all pictures in the background, in the order in which the steps need them. */
  private drawAll(pictures: PastPictures, steps: readonly PastStep[]): void {
    const { creators, pictures: perCreator } = this.progress.size;
    let drawn = 0;
    const onDrawn = (): void => {
      drawn += 1;
      this.options.progress.drawn(drawn, creators * perCreator);
    };
    for (const step of steps) {
      const creator = step.kind === 'join' || step.kind === 'draw' ? DEMO_CREATORS[step.creator] : undefined;
      if (!creator || !('pictures' in step)) continue;
      if (step.kind === 'join') pictures.beginPortrait(creator);
      for (const picture of step.pictures) pictures.begin(creator, creator.galleryPrompts[picture] ?? '', onDrawn);
    }
  }

  private story(
    steps: readonly PastStep[],
    parts: Pick<StoryParts, 'context' | 'clerk' | 'stripe' | 'clock' | 'pictures' | 'provider'>,
  ): PastStory {
    const { progress: report, config } = this.options;
    const { members, size } = this.progress;
    // An interrupted attempt has made these.
    let made = steps.slice(0, this.progress.next).reduce((sum, step) => sum + imagesOf(step), 0);
    return new PastStory({
      ...parts,
      members,
      publicUrl: config.publicUrl,
      roster: DEMO_CREATORS,
      perCreator: size.pictures,
      patience: new Patience((reason) => report.waiting(reason)),
      onImage: () => {
        made += 1;
        report.remembered(made, size.images);
      },
    });
  }

  private async perform(story: PastStory, steps: readonly PastStep[], begun: boolean): Promise<void> {
    // An interrupted visit is over. The other steps continue.
    if (begun && steps[this.progress.next]?.kind === 'visit') this.progress.next += 1;
    for (let step = steps[this.progress.next]; step; step = steps[this.progress.next]) {
      this.save();
      await story.perform(step);
      this.progress.next += 1;
    }
    await story.end();
    this.save();
  }

  /** At once: in the thread pool, the call would wait for the pictures that are being drawn. */
  private save(): void {
    writeFileSync(`${this.file}.new`, JSON.stringify(this.progress));
    renameSync(`${this.file}.new`, this.file);
  }
}

type PastPool = Parameters<typeof signingKeyOf>[0];
