import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
const START_TIMEOUT_MS = 60_000;

export interface AppProcess {
  readonly url: string;
  /** Resolves with the signal or exit code when the process is gone, however it went. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** What it printed so far, both streams. */
  output(): string;
  /** How long it was ready to run while other programs had the processors, ms so far; 0 where the system does not say. */
  keptWaitingMs(): number;
  /** Power cut. */
  kill(): Promise<void>;
  /** Graceful stop, as Ctrl-C does it. */
  stop(): Promise<void>;
}

/** A loopback port that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was assigned.');
  return address.port;
}

/**
 * Runs the built app (`dist/server/main.js`) as its own process and waits until it prints its address.
 * @throws when it ends before that, with what it printed
 */
export async function startApp(options: {
  readonly dataDir: string;
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
  /** How long it may take, ms. */
  readonly patienceMs?: number;
}): Promise<AppProcess> {
  const app = spawnApp(options);
  const listening = waitForOutput(app, /^Fanvas is ready: /m, options.patienceMs ?? START_TIMEOUT_MS).catch(
    (error: unknown) => {
      throw new Error(`The app was not ready in time:\n${app.output()}`, { cause: error });
    },
  );
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

/** Like `startApp`, without waiting. */
export function spawnApp(options: {
  readonly dataDir: string;
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
}): AppProcess {
  const child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(options.port),
      DATA_DIR: options.dataDir,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const collect = (chunk: Buffer): void => {
    printed += chunk.toString('utf8');
    child.emit('printed');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  const app: AppProcess = {
    url: `http://localhost:${options.port}`,
    exited,
    output: () => printed,
    keptWaitingMs: () => runDelayMs(child.pid),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
  children.set(app, child);
  return app;
}

/** Of the main thread, from Linux; the second of three figures, in nanoseconds. */
function runDelayMs(pid: number | undefined): number {
  const file = `/proc/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6 : 0;
}

const children = new WeakMap<AppProcess, ChildProcess>();

async function waitForOutput(app: AppProcess, pattern: RegExp, patienceMs: number): Promise<void> {
  const child = children.get(app);
  const signal = AbortSignal.timeout(patienceMs);
  while (child && !pattern.test(app.output())) await once(child, 'printed', { signal });
}
