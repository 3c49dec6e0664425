/**
 * Jest's global setup for the end-to-end suite: makes a data folder with the small demo, once for each build and day.
 * `seededData` copies it, which is much faster than a start from an empty folder. The teardown stops the apps that the
 * files of a worker shared (`fan-browser.ts`).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeOnce } from './made-once.mjs';
import { PICTURE_PX } from './picture-px.mjs';

const SERVER = fileURLToPath(new URL('../../dist/server', import.meta.url));
const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 20_000;
const SHARED_APPS = join(tmpdir(), `fanvas-shared-apps-${process.pid}.jsonl`);
/** A killed app keeps its database server; only a crash of the machine would lose what these settings risk. */
const NO_WAIT_FOR_DISK = '\nfsync = off\nsynchronous_commit = off\nfull_page_writes = off\n';

export default async function seedOnce() {
  // The demo has pictures of today.
  const day = new Date().toISOString().slice(0, 10);
  process.env['SEEDED_DATA'] = await madeOnce('fanvas-e2e', `${day} ${PICTURE_PX}`, seed);
  process.env['SHARED_APPS'] = SHARED_APPS;
}

/** Stops the apps that the workers have left running, and removes their data. */
export async function stopSharedApps() {
  if (!existsSync(SHARED_APPS)) return;
  const lines = readFileSync(SHARED_APPS, 'utf8').trim().split('\n');
  await Promise.all(
    lines.map(async (line) => {
      const { pid, dataDir } = /** @type {{ pid: number, dataDir: string }} */ (JSON.parse(line));
      await stop(pid);
      remove(dataDir);
    }),
  );
  remove(SHARED_APPS);
}

/** @param {number} pid */
async function stop(pid) {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  for (let running = send(pid, 'SIGTERM'); running; running = send(pid, Date.now() < deadline ? 0 : 'SIGKILL')) {
    await sleep(100);
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} signal 0 sends none
 * @returns {boolean} whether the process runs
 */
function send(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // it has ended
  }
}

/** @param {string} folder */
async function seed(folder) {
  await runOnce(folder);
  const postgres = join(folder, 'postgres', 'server');
  appendFileSync(join(postgres, 'data', 'postgresql.auto.conf'), NO_WAIT_FOR_DISK);
  // Each copy chooses a port of its own.
  rmSync(join(postgres, 'port'), { force: true });
}

/**
 * Starts the app on the folder and stops it when it has seeded the demo.
 * @param {string} folder
 */
async function runOnce(folder) {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'error' };
  const demo = { SANDBOX_DEMO: 'small', SANDBOX_PICTURE_PX: String(PICTURE_PX) };
  const app = spawn(process.execPath, [join(SERVER, 'main.js')], {
    env: { ...env, ...demo, PORT: String(await freePort()), DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const collect = (/** @type {Buffer} */ chunk) => {
    printed += chunk.toString('utf8');
    if (printed.includes('Fanvas is ready: ')) app.kill('SIGTERM');
  };
  app.stdout.on('data', collect);
  app.stderr.on('data', collect);
  const timer = setTimeout(() => app.kill('SIGKILL'), START_TIMEOUT_MS);
  const [code] = await once(app, 'close');
  clearTimeout(timer);
  if (code !== 0) throw new Error(`The demo data of the end-to-end tests could not be made:\n${printed}`);
  if (/"level":"(error|fatal)"/.test(printed)) throw new Error(`The first start has logged an error:\n${printed}`);
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, 'close');
  return port;
}

/** @param {string} path */
function remove(path) {
  rmSync(path, { recursive: true, force: true });
}
