import { join } from 'node:path';
import { type Clock } from '../platform/clock.js';
import { type Config } from '../platform/config/config.js';
import { type SandboxServer, type Sandboxes } from '../platform/config/sandboxes.js';
import { CLERK_SANDBOX_PREFIX, createClerkSandbox, EMAIL_CODE } from './clerk/index.js';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from './demo/demo-accounts.js';
import { closeDemoMonths } from './demo/demo-months.js';
import { DemoSeed } from './demo/demo-seed.js';
import { DEMO_SIZES } from './demo/demo-sizes.js';
import { verifyDemo } from './demo/demo-verification.js';
import { pastOf } from './demo/past/make-past.js';
import { createReplicateSandbox, REPLICATE_SANDBOX_PREFIX } from './replicate/index.js';
import { createStripeSandbox, STRIPE_SANDBOX_PREFIX } from './stripe/index.js';

export { makePast } from './demo/past/make-past.js';

/**
 * Starts a sandbox for every provider without keys. Their state lives in `DATA_DIR/sandbox`.
 * @param server by default the app's own server
 */
export async function startSandboxes(
  config: Config,
  clock: Clock,
  server: SandboxServer = ownServer(config),
): Promise<Sandboxes> {
  const origin = server.sandboxes;
  const folder = join(config.dataDir, 'sandbox');
  const now = (): Date => clock.now();
  const clerk = config.clerk
    ? null
    : await createClerkSandbox({
        dataDir: join(folder, 'clerk'),
        webhookUrl: `${server.app}/webhooks/clerk`,
        now,
        accounts: DEMO_ACCOUNTS,
      });
  const replicate = config.replicate
    ? null
    : await createReplicateSandbox({
        dataDir: join(folder, 'replicate'),
        baseUrl: `${origin}${REPLICATE_SANDBOX_PREFIX}`,
        now,
        coldMs: Math.round(config.sandbox.drawMs / 3),
        runMs: config.sandbox.drawMs,
        picturePx: config.sandbox.picturePx,
      });
  const stripe = config.stripe
    ? null
    : await createStripeSandbox({
        dataDir: join(folder, 'stripe'),
        baseUrl: `${config.publicUrl}${STRIPE_SANDBOX_PREFIX}`,
        webhookUrl: `${server.app}/webhooks/stripe`,
        now,
        settleAfterMs: config.sandbox.settleMs,
        business: 'Fanvas',
      });
  return {
    settings: {
      ...(clerk && { clerk: { ...clerk.settings, apiUrl: `${origin}${CLERK_SANDBOX_PREFIX}/backend` } }),
      ...(replicate && {
        replicate: {
          ...replicate.settings,
          baseUrl: `${origin}${REPLICATE_SANDBOX_PREFIX}/v1`,
          outputHosts: [origin],
          webhookOrigin: server.app,
        },
      }),
      ...(stripe && { stripe: { ...stripe.settings, baseUrl: `${origin}${STRIPE_SANDBOX_PREFIX}` } }),
    },
    demoAccounts: clerk && {
      password: DEMO_PASSWORD,
      emailCode: EMAIL_CODE,
      accounts: DEMO_ACCOUNTS.map(({ email }) => ({ email, role: email.slice(0, email.indexOf('@')) })),
    },
    mount: async (server) => {
      if (clerk) await server.register(clerk.plugin, { prefix: CLERK_SANDBOX_PREFIX });
      if (replicate) await server.register(replicate.plugin, { prefix: REPLICATE_SANDBOX_PREFIX });
      if (stripe) await server.register(stripe.plugin, { prefix: STRIPE_SANDBOX_PREFIX });
    },
    seedDemo: async (app, progress) => {
      if (!clerk || !replicate || config.sandbox.demo === 'none') return;
      const { demo, picturePx } = config.sandbox;
      const seed = new DemoSeed(app, { clerk, dataDir: folder, picturePx, ...DEMO_SIZES[demo] }, progress);
      await replicate.atFullSpeed(() => seed.run());
      const past = stripe && (await pastOf(folder));
      if (!past) return;
      await closeDemoMonths(app, clerk, past.now);
      await verifyDemo(app, clerk);
    },
    close: async () => {
      await stripe?.close();
      await replicate?.close();
      await clerk?.close();
    },
  };
}

function ownServer({ host, port }: Config): SandboxServer {
  const origin = `http://${host === '::1' ? '[::1]' : '127.0.0.1'}:${port}`;
  return { sandboxes: origin, app: origin };
}
