/**
 * Jest's global setup for the suites that need Postgres: starts one server for the whole run (`postgres-server.ts`).
 * `withTestDatabase` finds it by TEST_POSTGRES_URLS. The server also stops when this process is killed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ensureContractSchemas } from '../../scripts/lib/build.mjs';
import { whenParentIsGone } from '../../scripts/lib/parent.mjs';

const SERVER = fileURLToPath(new URL('./postgres-server.ts', import.meta.url));
const TYPESCRIPT = new URL('../../scripts/lib/typescript.mjs', import.meta.url).href;

/** @type {import('node:child_process').ChildProcess | undefined} */
let server;

export default async function startPostgres() {
  // Jest calls this once for each project of the run.
  if (server) return;
  // Answers are validated against them (`validate-answers.ts`).
  await ensureContractSchemas();
  // Started by `runJest`: this run ends with it. A run that was started otherwise may outlive its shell.
  if (process.env['JEST_PARENT'] === String(process.ppid)) whenParentIsGone(() => process.kill(process.pid, 'SIGTERM'));
  server = fork(SERVER, [], { execArgv: ['--import', TYPESCRIPT], detached: true });
  const failed = once(server, 'exit').then(() => {
    throw new Error('The Postgres of the tests did not start; see its message above.');
  });
  const [urls] = /** @type {[object]} */ (await Promise.race([once(server, 'message'), failed]));
  failed.catch(() => undefined);
  process.env['TEST_POSTGRES_URLS'] = JSON.stringify(urls);
  // Jest must be able to end without the teardown, such as in watch mode.
  server.unref();
  server.channel?.unref();
}

export async function stopPostgres() {
  if (!server) return;
  const stopped = once(server, 'exit');
  server.ref();
  server.disconnect();
  server = undefined;
  await stopped;
}
