import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PICTURE_PX } from './picture-px.mjs';

const SERVER = fileURLToPath(new URL('../../dist/server/', import.meta.url));
/** A start takes a few seconds, and half a minute on a machine that is busy with other suites. */
const START_TIMEOUT_MS = 180_000;

export interface AppProcess {
  readonly url: string;
  readonly pid: number;
  /** Resolves with the signal or exit code when the process has ended and its output is complete. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Its output so far, of both streams. */
  output(): string;
  /** Kills it at once, like a power cut. */
  kill(): Promise<void>;
  /** Stops it gracefully, like Ctrl-C. */
  stop(): Promise<void>;
  /** Lets this process end before the app. */
  unref(): void;
}

/** A file below `dist/server`. */
type BuiltFile = 'main.js' | 'sandbox/process.js';

/** Below the ports that systems give to outgoing connections, and above those that browsers refuse. */
const PORTS = { from: 10_100, to: 32_000 };

/** A loopback port that is free now, chosen at random: a suite that runs at the same time chooses another one. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
  throw new Error('No free port was found.');
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false; // in use
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

/**
 * Runs the built app, or the process of the sandboxes, and waits until it prints its address.
 * @throws an error with its output when it ends before that
 */
export async function startApp(options: {
  readonly dataDir: string;
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Time limit of the start, ms. */
  readonly timeoutMs?: number;
  readonly file?: BuiltFile;
  /** The folder `dist/server` of another build. */
  readonly server?: string;
}): Promise<AppProcess> {
  const app = spawnApp(options);
  const listening = waitForOutput(
    app,
    /^(Fanvas is|The sandboxes are) ready: /m,
    options.timeoutMs ?? START_TIMEOUT_MS,
  ).catch((error: unknown) => {
    throw new Error(`The app was not ready in time:\n${app.output()}`, { cause: error });
  });
  const ended = app.exited.then(({ code, signal }) => {
    throw new Error(`The app ended (${signal ?? code}) before it was ready:\n${app.output()}`);
  });
  try {
    await Promise.race([listening, ended]);
  } catch (error) {
    await app.kill();
    throw error;
  }
  return app;
}

/** Starts the app like `startApp`, without waiting for it. */
export function spawnApp(options: {
  readonly dataDir: string;
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: BuiltFile;
  readonly server?: string;
}): AppProcess {
  const file = join(options.server ?? SERVER, options.file ?? 'main.js');
  // One pipe for both streams: of two pipes, the later line can arrive first.
  const child = spawn('sh', ['-c', 'exec "$@" 2>&1', 'sh', process.execPath, '--enable-source-maps', file], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(options.port),
      DATA_DIR: options.dataDir,
      SANDBOX_PICTURE_PX: String(PICTURE_PX),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8');
    child.emit('printed');
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal })); // after its last output
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  const app: AppProcess = {
    url: `http://localhost:${options.port}`,
    pid: child.pid ?? 0,
    exited,
    output: () => printed,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    unref: () => {
      child.unref();
      (child.stdout as Socket).unref();
    },
  };
  children.set(app, child);
  return app;
}

const children = new WeakMap<AppProcess, ChildProcess>();

async function waitForOutput(app: AppProcess, pattern: RegExp, timeoutMs: number): Promise<void> {
  const child = children.get(app);
  const signal = AbortSignal.timeout(timeoutMs);
  while (child && !pattern.test(app.output())) await once(child, 'printed', { signal });
}
