import { type FastifyPluginAsync } from 'fastify';
import { registerApi } from './api.js';
import { Engine } from './engine.js';
import { type Pace } from './prediction.js';
import { Store } from './store.js';
import { WebhookSender } from './webhook-sender.js';

export const REPLICATE_SANDBOX_PREFIX = '/__sandbox/replicate';

export interface ReplicateSandboxOptions {
  /** The sandbox's own folder; made if it is not there. */
  readonly dataDir: string;
  /** Where it is reached, prefix included; undefined: taken from the server once that listens. */
  readonly baseUrl?: string;
  readonly now?: () => Date;
  /** Milliseconds from a prediction's creation to its start, and from there to its picture. */
  readonly coldMs?: number;
  readonly runMs?: number;
}

export interface ReplicateSandbox {
  /** To be registered under a prefix, `REPLICATE_SANDBOX_PREFIX` in the product. Work begins once the server listens. */
  readonly plugin: FastifyPluginAsync;
  readonly settings: { readonly apiToken: string; readonly webhookSecret: string };
  /** Every call to the API is answered 503, and files are gone, until it is switched off again. */
  outage(on: boolean): void;
  /** Predictions made while the work goes on are drawn at once. */
  atFullSpeed<T>(work: () => Promise<T>): Promise<T>;
  /** Stops drawing and sending; what is under way goes on in the next process. */
  close(): Promise<void>;
}

/** Long enough for a person to see that something happens. */
const DEFAULT_PACE: Pace = { coldMs: 800, runMs: 2_500 };
const FULL_SPEED: Pace = { coldMs: 0, runMs: 0 };

/**
 * A stand-in for Replicate that its unmodified SDK accepts: predictions by version, model and deployment, signed webhooks,
 * files that are gone after an hour. It draws in the style that the deployment's name ends with. Its state lives in
 * `dataDir` and survives SIGKILL. Prompts can ask for faults, see `faults.ts`.
 */
export async function createReplicateSandbox(options: ReplicateSandboxOptions): Promise<ReplicateSandbox> {
  const now = (): number => (options.now?.() ?? new Date()).getTime();
  const usual: Pace = {
    coldMs: options.coldMs ?? DEFAULT_PACE.coldMs,
    runMs: options.runMs ?? DEFAULT_PACE.runMs,
  };
  const store = await Store.open(options.dataDir, now());
  let hurried = 0;
  let out = false;
  let base = options.baseUrl ?? '';
  const baseUrl = (): string => base;
  const engine = new Engine({ store, sender: new WebhookSender(store.keys.webhookSecret, now), now, baseUrl });

  const plugin: FastifyPluginAsync = async (server) => {
    // The receiver of the webhooks is usually this very server.
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
      pace: () => (hurried > 0 ? FULL_SPEED : usual),
      isOut: () => out,
    });
  };

  return {
    plugin,
    settings: store.keys,
    outage: (on) => {
      out = on;
    },
    atFullSpeed: async (work) => {
      hurried += 1;
      try {
        return await work();
      } finally {
        hurried -= 1;
      }
    },
    close: () => engine.close(),
  };
}
