import { type FastifyPluginAsync } from 'fastify';
import { registerApi } from './api.js';
import { Engine } from './engine.js';
import { type Pace } from './prediction.js';
import { Store } from './store.js';
import { WebhookSender } from './webhook-sender.js';

/** Below this path the app serves the substitute for Replicate. */
export const REPLICATE_SANDBOX_PREFIX = '/__sandbox/replicate';

/** Settings of the substitute for Replicate. Times are in ms. */
export interface ReplicateSandboxOptions {
  /** The sandbox's own folder, created when missing. */
  readonly dataDir: string;
  /** The sandbox's address, including its prefix. Default: the address of the server, once it listens. */
  readonly baseUrl?: string;
  readonly now?: () => Date;
  /** Milliseconds from a prediction's creation to its start. */
  readonly coldMs?: number;
  /** Milliseconds from its start to its output. */
  readonly runMs?: number;
  /** Pixels of the longer side of a picture, at most. */
  readonly picturePx?: number;
}

/** A substitute for Replicate that the real SDK uses. */
export interface ReplicateSandbox {
  /** Register it under a prefix (`REPLICATE_SANDBOX_PREFIX` in the app). Work starts once the server listens. */
  readonly plugin: FastifyPluginAsync;
  readonly settings: { readonly apiToken: string; readonly webhookSecret: string };
  /** Switches an outage on or off: every call responds 503, and files are missing. */
  outage(on: boolean): void;
  /** Predictions that are created while `work` runs are drawn without delay. */
  atFullSpeed<T>(work: () => Promise<T>): Promise<T>;
  /** Stops drawing and sending; the next process continues pending work. */
  close(): Promise<void>;
}

/** Long enough for a person to see the progress. */
const DEFAULT_PACE: Pace = { coldMs: 800, runMs: 2_500 };
const FULL_SPEED: Pace = { coldMs: 0, runMs: 0 };

/**
 * Imitates Replicate for its unmodified SDK: predictions by version, model and deployment, signed webhooks, and files
 * that are deleted after an hour. The last part of the deployment's name selects the art style. The state lives in
 * `dataDir` and survives SIGKILL. Prompts can request faults, see `faults.ts`.
 */
export async function createReplicateSandbox(options: ReplicateSandboxOptions): Promise<ReplicateSandbox> {
  const now = (): number => (options.now?.() ?? new Date()).getTime();
  const usual: Pace = {
    coldMs: options.coldMs ?? DEFAULT_PACE.coldMs,
    runMs: options.runMs ?? DEFAULT_PACE.runMs,
  };
  const store = await Store.open(options.dataDir, now());
  let fullSpeedCalls = 0;
  let inOutage = false;
  let base = options.baseUrl ?? '';
  const baseUrl = (): string => base;
  const sender = new WebhookSender(store.keys.webhookSecret, now);
  const engine = new Engine({ store, sender, now, baseUrl, picturePx: options.picturePx ?? Infinity });

  const plugin: FastifyPluginAsync = async (server) => {
    // The receiver of the webhooks is usually this server, so work starts once it listens.
    server.addHook('onListen', (done) => {
      const address = server.server.address();
      if (base === '' && typeof address === 'object' && address)
        base = `http://127.0.0.1:${address.port}${server.prefix}`;
      engine.start();
      done();
    });
    registerApi(server, {
      engine,
      store,
      baseUrl,
      pace: () => (fullSpeedCalls > 0 ? FULL_SPEED : usual),
      isOut: () => inOutage,
    });
  };

  return {
    plugin,
    settings: store.keys,
    outage: (on) => {
      inOutage = on;
    },
    atFullSpeed: async (work) => {
      fullSpeedCalls += 1;
      try {
        return await work();
      } finally {
        fullSpeedCalls -= 1;
      }
    },
    close: () => engine.close(),
  };
}
