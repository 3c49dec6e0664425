/**
 * Jest's global setup for the suites that need Postgres: starts one server for each worker (`postgres-server.ts`).
 * An open transaction hides new events in all databases of its server. `withTestDatabase` finds the servers by
 * TEST_POSTGRES_URLS. They also stop when this process is killed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import { ensureServerBuilt } from '../../scripts/lib/build.mjs';
import { whenParentIsGone } from '../../scripts/lib/parent.mjs';
import { madeOnce } from './made-once.mjs';

const SERVER = fileURLToPath(new URL('./postgres-server.ts', import.meta.url));
const TEMPLATE = fileURLToPath(new URL('./postgres-template.ts', import.meta.url));
const TYPESCRIPT = ['--import', new URL('../../scripts/lib/typescript.mjs', import.meta.url).href];

/** @type {import('node:child_process').ChildProcess[]} */
const servers = [];

/** @param {{ maxWorkers: number }} globalConfig */
export default async function startPostgres({ maxWorkers }) {
  // Jest calls this once for each project of the run.
  if (servers.length > 0) return;
  // Answers are validated against its API schemas (`validate-answers.ts`), and its threads run (`compiled-threads.ts`).
  await ensureServerBuilt();
  // Started by `runJest`: this run ends with it. A run that was started otherwise may outlive its shell.
  if (process.env['JEST_PARENT'] === String(process.ppid)) whenParentIsGone(() => process.kill(process.pid, 'SIGTERM'));
  const variant = `${process.env['TEST_POSTGRES_NATIVE'] ?? ''} ${readFileSync(TEMPLATE, 'utf8')}`;
  const template = await madeOnce('fanvas-postgres', variant, makeTemplate);
  const urls = await Promise.all(Array.from({ length: maxWorkers }, () => startServer(template)));
  process.env['TEST_POSTGRES_URLS'] = JSON.stringify(urls);
  process.env['TEST_SERVER_PIDS'] = JSON.stringify(servers.map(({ pid }) => pid));
}

/** @param {string} folder */
async function makeTemplate(folder) {
  // Ctrl-C must not end it before its server.
  const [code] = await once(fork(TEMPLATE, [folder], { execArgv: TYPESCRIPT, detached: true }), 'exit');
  if (code !== 0) throw new Error('The Postgres of the tests could not be made; see its message above.');
}

/**
 * @param {string} template its folder
 * @returns {Promise<object>} the addresses of the server (`TestServer`)
 */
async function startServer(template) {
  const server = fork(SERVER, [template], { execArgv: TYPESCRIPT, detached: true });
  servers.push(server);
  const failed = once(server, 'exit').then(() => {
    throw new Error('The Postgres of the tests did not start; see its message above.');
  });
  const [urls] = /** @type {[object]} */ (await Promise.race([once(server, 'message'), failed]));
  failed.catch(() => undefined);
  // Jest must be able to end without the teardown, such as in watch mode.
  server.unref();
  server.channel?.unref();
  return urls;
}

export async function stopPostgres() {
  await Promise.all(
    servers.splice(0).map(async (server) => {
      const stopped = once(server, 'exit');
      server.ref();
      server.disconnect();
      await stopped;
    }),
  );
}
