import { cp, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import type Stripe from 'stripe';
import { createStripe, type StripeOptions } from '../../src/payments/providers/stripe.js';
import { ManualClock } from '../../src/platform/clock.js';
import { type StripeSettings } from '../../src/platform/config/provider-settings.js';
import {
  createStripeSandbox,
  STRIPE_SANDBOX_PREFIX,
  type StripeSandbox,
  type StripeSandboxOptions,
} from '../../src/sandbox/stripe/index.js';
import { WebhookReceiver } from './webhook-receiver.js';

export interface ReceivedEvent {
  readonly body: Buffer;
  readonly signature: string;
  readonly event: Stripe.Event;
}

/** Receives Stripe's webhooks. */
export class StripeReceiver extends WebhookReceiver<ReceivedEvent> {
  constructor() {
    super('/webhooks/stripe', (body, headers) => ({
      body,
      signature: String(headers['stripe-signature']),
      event: JSON.parse(body.toString('utf8')) as Stripe.Event,
    }));
  }
}

interface StripeServerOptions extends Pick<StripeSandboxOptions, 'webhookUrl' | 'settleAfterMs'> {
  readonly folder?: string;
  readonly clock?: ManualClock;
}

/** The sandbox on a server of its own, as the product mounts it, with the real SDK pointed at it. */
export class StripeServer {
  private constructor(
    readonly folder: string,
    readonly clock: ManualClock,
    readonly sandbox: StripeSandbox,
    private readonly server: FastifyInstance,
    private readonly options: StripeServerOptions,
  ) {}

  /** Uses a manual clock. */
  static async start(options: StripeServerOptions = {}): Promise<StripeServer> {
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'fanvas-stripe-')));
    const clock = options.clock ?? new ManualClock(new Date('2026-11-20T12:00:00Z'));
    const sandbox = await createStripeSandbox({
      dataDir: folder,
      now: () => clock.now(),
      settleAfterMs: options.settleAfterMs ?? 60_000,
      business: 'Fanvas',
      ...(options.webhookUrl === undefined ? {} : { webhookUrl: options.webhookUrl }),
    });
    const server = fastify({ forceCloseConnections: true });
    await server.register(sandbox.plugin, { prefix: STRIPE_SANDBOX_PREFIX });
    // The product answers every other address itself.
    server.get('/*', (request, reply) =>
      reply.type('text/html').send(`<h1>The shop</h1><p id="at">${request.url}</p>`),
    );
    await server.listen({ port: 0, host: '127.0.0.1' });
    return new StripeServer(folder, clock, sandbox, server, options);
  }

  /** Origin of the sandbox and the shop. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  get settings(): StripeSettings {
    return { ...this.sandbox.settings, baseUrl: `${this.origin}${STRIPE_SANDBOX_PREFIX}` };
  }

  /** The SDK, without retries by default. */
  sdk(options: StripeOptions & { readonly secretKey?: string } = {}): Stripe {
    const secretKey = options.secretKey ?? this.settings.secretKey;
    return createStripe({ ...this.settings, secretKey }, { maxNetworkRetries: 0, ...options });
  }

  /** Starts another server on a copy of the current files, as after a kill of this one. */
  async afterKill(): Promise<StripeServer> {
    const folder = await mkdtemp(join(tmpdir(), 'fanvas-stripe-'));
    await cp(this.folder, folder, { recursive: true });
    await this.close();
    return StripeServer.start({ ...this.options, folder, clock: this.clock });
  }

  async close(): Promise<void> {
    await this.sandbox.close();
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
