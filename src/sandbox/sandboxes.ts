import { join } from 'node:path';
import { type FastifyInstance } from 'fastify';
import { type Clock } from '../platform/clock.js';
import { type Config } from '../platform/config/config.js';
import { sandboxNames } from '../platform/config/load-config.js';
import {
  type ClerkSettings,
  type ProviderSettings,
  type ReplicateSettings,
  type StripeSettings,
} from '../platform/providers.js';
import {
  CLERK_SANDBOX_PREFIX,
  type ClerkSandbox,
  createClerkSandbox,
  DEMO_ACCOUNTS,
  DEMO_PASSWORD,
  EMAIL_CODE,
} from './clerk/index.js';
import { type DemoParts } from './demo-seed.js';
import { createReplicateSandbox, REPLICATE_SANDBOX_PREFIX, type ReplicateSandbox } from './replicate/index.js';
import { createStripeSandbox, STRIPE_SANDBOX_PREFIX, type StripeSandbox } from './stripe/index.js';

/** The sandboxes of one process, and what the rest of the app needs to know of its providers. */
export interface Sandboxes {
  readonly settings: ProviderSettings;
  /** Names of those that run, for people. */
  readonly running: readonly string[];
  /** What the SPA is told: the identity provider, and the demo accounts where they exist. */
  readonly webSettings: object;
  /** Set when there is a demo to seed: it needs both sandboxes. */
  readonly demo: DemoParts | null;
  /** Makes them answer on the app's own server. */
  mount(server: FastifyInstance): Promise<void>;
  close(): Promise<void>;
}

/** Hosts of Replicate's own deliveries. */
const REPLICATE_OUTPUT_HOSTS = ['replicate.delivery', '*.replicate.delivery'];

/** How many pictures a demo gallery has. */
const DEMO_SIZES = { full: { creators: 8, pictures: 9 }, small: { creators: 2, pictures: 3 } } as const;

/** Starts a sandbox for every provider without keys. */
export async function startSandboxes(config: Config, clock: Clock): Promise<Sandboxes> {
  const origin = `http://${config.host === '::1' ? '[::1]' : '127.0.0.1'}:${config.port}`;
  const folder = join(config.dataDir, 'sandbox');
  const now = (): Date => clock.now();
  const clerk = config.clerk
    ? null
    : await createClerkSandbox({ dataDir: join(folder, 'clerk'), webhookUrl: `${origin}/webhooks/clerk`, now });
  const replicate = config.replicate
    ? null
    : await createReplicateSandbox({
        dataDir: join(folder, 'replicate'),
        baseUrl: `${origin}${REPLICATE_SANDBOX_PREFIX}`,
        now,
        coldMs: Math.round(config.sandbox.drawMs / 3),
        runMs: config.sandbox.drawMs,
      });
  const stripe = config.stripe
    ? null
    : await createStripeSandbox({
        dataDir: join(folder, 'stripe'),
        baseUrl: `${config.publicUrl}${STRIPE_SANDBOX_PREFIX}`,
        webhookUrl: `${origin}/webhooks/stripe`,
        now,
        settleAfterMs: config.sandbox.settleMs,
        business: 'Fanvas',
      });
  const settings: ProviderSettings = {
    clerk: clerkSettings(config, clerk, origin),
    replicate: replicateSettings(config, replicate, origin),
    stripe: stripeSettings(config, stripe, origin),
    sandboxes: { clerk: clerk !== null, replicate: replicate !== null, stripe: stripe !== null },
  };
  return {
    settings,
    running: sandboxNames(config),
    webSettings: webSettings(settings, clerk !== null),
    demo:
      clerk && replicate && config.sandbox.demo !== 'none'
        ? {
            clerk,
            dataDir: folder,
            ...DEMO_SIZES[config.sandbox.demo],
            atFullSpeed: (work) => replicate.atFullSpeed(work),
          }
        : null,
    mount: async (server) => {
      if (clerk) await server.register(clerk.plugin, { prefix: CLERK_SANDBOX_PREFIX });
      if (replicate) await server.register(replicate.plugin, { prefix: REPLICATE_SANDBOX_PREFIX });
      if (stripe) await server.register(stripe.plugin, { prefix: STRIPE_SANDBOX_PREFIX });
    },
    close: async () => {
      await stripe?.close();
      await replicate?.close();
      await clerk?.close();
    },
  };
}

function clerkSettings(config: Config, sandbox: ClerkSandbox | null, origin: string): ClerkSettings {
  if (sandbox) return { ...sandbox.settings, apiUrl: `${origin}${CLERK_SANDBOX_PREFIX}/backend` };
  if (!config.clerk) throw new Error('Clerk has neither keys nor a sandbox.');
  return config.clerk;
}

function replicateSettings(config: Config, sandbox: ReplicateSandbox | null, origin: string): ReplicateSettings {
  if (sandbox) {
    return {
      ...sandbox.settings,
      baseUrl: `${origin}${REPLICATE_SANDBOX_PREFIX}/v1`,
      outputHosts: [new URL(origin).host],
      webhookOrigin: origin,
    };
  }
  if (!config.replicate) throw new Error('Replicate has neither keys nor a sandbox.');
  return { ...config.replicate, outputHosts: REPLICATE_OUTPUT_HOSTS };
}

function stripeSettings(config: Config, sandbox: StripeSandbox | null, origin: string): StripeSettings {
  if (sandbox) return { ...sandbox.settings, baseUrl: `${origin}${STRIPE_SANDBOX_PREFIX}` };
  if (!config.stripe) throw new Error('Stripe has neither keys nor a sandbox.');
  return config.stripe;
}

function webSettings(settings: ProviderSettings, demo: boolean): object {
  return {
    clerkPublishableKey: settings.clerk.publishableKey,
    clerkProxyUrl: settings.clerk.proxyUrl ?? null,
    sandbox: Object.values(settings.sandboxes).includes(true),
    demo: demo
      ? {
          password: DEMO_PASSWORD,
          emailCode: EMAIL_CODE,
          accounts: DEMO_ACCOUNTS.map(({ email }) => ({ email, role: email.slice(0, email.indexOf('@')) })),
        }
      : null,
  };
}
