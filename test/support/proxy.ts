import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './app-process.js';
import { until } from './until.js';

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));

const PROXIES = {
  haproxy: {
    program: '/usr/sbin/haproxy',
    file: 'haproxy.cfg',
    server: (port: number) => `  server app${port} 127.0.0.1:${port}`,
    args: (config: string) => ['-db', '-f', config],
  },
  nginx: {
    program: '/usr/sbin/nginx',
    file: 'nginx.conf',
    server: (port: number) => `    server 127.0.0.1:${port} max_fails=1 fail_timeout=2s;`,
    args: (config: string, folder: string) => [
      ...['-p', folder, '-c', config, '-e', 'stderr'],
      ...['-g', `daemon off; pid ${join(folder, 'pid')};`],
    ],
  },
} as const;

export type ProxyName = keyof typeof PROXIES;

/** A proxy with the file of `deploy`, in front of processes on this machine. */
export interface Proxy {
  readonly url: string;
  readonly port: number;
  /** Its output so far. */
  output(): string;
  /** Ports of the processes to which HAProxy sends requests, by its own checks of them. */
  served(): Promise<readonly number[]>;
  stop(): Promise<void>;
}

/**
 * Starts a proxy in front of the processes at these ports. Only addresses and the lines of the servers differ from the
 * file of `deploy`. One process must answer.
 * @throws an error with its output when it does not start
 */
export async function startProxy(name: ProxyName, port: number, servers: readonly number[]): Promise<Proxy> {
  const { program, args } = PROXIES[name];
  const folder = await mkdtemp(join(tmpdir(), `fanvas-${name}-`));
  const config = join(folder, 'config');
  const statePort = await freePort();
  await writeFile(config, await configOf(name, port, statePort, servers));
  const child = spawn('sh', ['-c', 'exec "$@" 2>&1', 'sh', program, ...args(config, folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  const exited = once(child, 'close');
  const url = `http://localhost:${port}`;
  const answers = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}:\n${printed}`);
    return fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  const stop = (): Promise<void> => end(child, exited, folder);
  try {
    await until(answers, `an answer through ${name}`, 20_000, 100);
  } catch (error) {
    await stop();
    throw error;
  }
  const served = async (): Promise<readonly number[]> => {
    const states = await (await fetch(`http://127.0.0.1:${statePort}/;csv`)).text();
    return servers.filter((server) => new RegExp(`^app,app${server},.*,UP,`, 'm').test(states));
  };
  return { url, port, output: () => printed, served, stop };
}

async function end(child: ChildProcess, exited: Promise<unknown>, folder: string): Promise<void> {
  child.kill('SIGTERM');
  await exited;
  await rm(folder, { recursive: true, force: true });
}

/** @throws when the file of `deploy` does not have the lines that are replaced */
async function configOf(name: ProxyName, port: number, statePort: number, servers: readonly number[]): Promise<string> {
  const { file, server } = PROXIES[name];
  const text = await readFile(join(DEPLOY, file), 'utf8');
  const lines = /(?:^ +server app\d.*\n)+/m;
  if (!lines.test(text) || !/(bind :|listen )8080/.test(text)) throw new Error(`deploy/${file} has other lines.`);
  return text
    .replace(lines, `${servers.map(server).join('\n')}\n`)
    .replace(/(bind |listen ):?8080/, `$1127.0.0.1:${port}`)
    .replace('bind :8404', `bind 127.0.0.1:${statePort}`);
}
