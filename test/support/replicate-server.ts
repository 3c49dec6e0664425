import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import Replicate from 'replicate';
import { ReplicateImageProvider } from '../../src/generation/providers/replicate-image-provider.js';
import { ManualClock } from '../../src/platform/clock.js';
import { type ReplicateSettings } from '../../src/platform/config/provider-settings.js';
import {
  createReplicateSandbox,
  REPLICATE_SANDBOX_PREFIX,
  type ReplicateSandbox,
} from '../../src/sandbox/replicate/index.js';
import { WebhookReceiver } from './webhook-receiver.js';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly prediction: { readonly id: string; readonly status: string; readonly output: unknown };
}

/** Receives Replicate's webhooks. */
export class ReplicateReceiver extends WebhookReceiver<Received> {
  constructor() {
    super('/webhooks/replicate?generation=g1', (bytes, headers) => {
      const body = bytes.toString('utf8');
      return { headers, body, prediction: JSON.parse(body) as Received['prediction'] };
    });
  }

  receivedFor(predictionId: string): Received[] {
    return this.received.filter(({ prediction }) => prediction.id === predictionId);
  }
}

/** A server that contains only the Replicate sandbox, under the same prefix as in the app, and SDK clients for it. */
export class ReplicateServer {
  private constructor(
    readonly folder: string,
    readonly clock: ManualClock,
    readonly sandbox: ReplicateSandbox,
    private readonly server: FastifyInstance,
  ) {}

  /** Starts a server with a manual clock. Its predictions run without delays. */
  static async start({ folder, clock }: { folder?: string; clock?: ManualClock } = {}): Promise<ReplicateServer> {
    const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'fanvas-replicate-')));
    const time = clock ?? new ManualClock(new Date('2026-11-20T12:00:00Z'));
    const sandbox = await createReplicateSandbox({ dataDir, now: () => time.now(), coldMs: 0, runMs: 0 });
    const server = fastify({ forceCloseConnections: true });
    await server.register(sandbox.plugin, { prefix: REPLICATE_SANDBOX_PREFIX });
    await server.listen({ port: 0, host: '127.0.0.1' });
    return new ReplicateServer(dataDir, time, sandbox, server);
  }

  get host(): string {
    return `127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  get baseUrl(): string {
    return `http://${this.host}${REPLICATE_SANDBOX_PREFIX}/v1`;
  }

  get sdk(): Replicate {
    return new Replicate({ auth: this.sandbox.settings.apiToken, baseUrl: this.baseUrl, useFileOutput: false });
  }

  get settings(): ReplicateSettings {
    return { ...this.sandbox.settings, baseUrl: this.baseUrl, outputHosts: [this.host] };
  }

  provider(
    change: { apiToken?: string; baseUrl?: string; webhookSecret?: string | null } = {},
  ): ReplicateImageProvider {
    return new ReplicateImageProvider({ replicate: { ...this.settings, ...change } }, this.clock);
  }

  async predictions(): Promise<{ id: string; status: string }[]> {
    return (await this.sdk.predictions.list()).results;
  }

  /** Starts another server on a copy of the current files, as after a kill of this one. */
  async afterKill(): Promise<ReplicateServer> {
    const folder = await mkdtemp(join(tmpdir(), 'fanvas-replicate-'));
    await copyFinished(this.folder, folder);
    await this.close();
    return ReplicateServer.start({ folder, clock: this.clock });
  }

  async close(): Promise<void> {
    await this.sandbox.close();
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Copies finished files. Half-written files (`….new`) are left out, because a new process does not read them. */
async function copyFinished(from: string, to: string): Promise<void> {
  for (const name of await readdir(from, { recursive: true })) {
    if (name.endsWith('.new') || !/\.\w+$/.test(name)) continue;
    await mkdir(dirname(join(to, name)), { recursive: true });
    await copyFile(join(from, name), join(to, name));
  }
}
