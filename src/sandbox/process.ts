import 'reflect-metadata';
import { join } from 'node:path';
import { inspect } from 'node:util';
import fastify, { type FastifyInstance } from 'fastify';
import { SystemClock } from '../platform/clock.js';
import { type Config, ConfigError } from '../platform/config/config.js';
import { loadConfig } from '../platform/config/load-config.js';
import { SANDBOXES_PATH, type SandboxesAnswer } from '../platform/config/sandboxes.js';
import { FolderTakenError, ownFolder } from '../platform/folder-owner.js';
import { isLocalRequest } from '../platform/http/forwarding.js';
import { CLERK_SANDBOX_PREFIX } from './clerk/index.js';
import { startSandboxes } from './index.js';

/** Browsers call these on the app's origin. */
const PREFIXES = [CLERK_SANDBOX_PREFIX, '/__sandbox'];

/** `npm run sandboxes`: the sandboxes of all providers, for several processes of the app. */
async function main(): Promise<void> {
  const config = loadConfig(process.env, process.cwd());
  if (config.production) throw new ConfigError('The sandboxes do not run with NODE_ENV=production.');
  if (config.clerk ?? config.replicate ?? config.stripe) {
    throw new ConfigError('npm run sandboxes replaces all providers: remove their keys.');
  }
  const address = config.sandboxesUrl ?? `http://127.0.0.1:${config.sandbox.port}`;
  const server = fastify({ forceCloseConnections: true });
  const release = await ownFolder(join(config.dataDir, 'sandbox'), address);
  const stopSandboxes = await mountSandboxes(server, config, address);
  await server.listen({ host: new URL(address).hostname, port: config.sandbox.port });
  process.stdout.write(`The sandboxes are ready: SANDBOXES_URL=${address}\n`);

  const stop = async (): Promise<void> => {
    await server.close();
    await stopSandboxes();
    release();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().then(() => process.exit()));
}

/** @returns stops them */
async function mountSandboxes(server: FastifyInstance, config: Config, address: string): Promise<() => Promise<void>> {
  const sandboxes = await startSandboxes(config, new SystemClock(), { sandboxes: address, app: config.publicUrl });
  const { clerk, replicate, stripe } = sandboxes.settings;
  if (!clerk || !replicate || !stripe) throw new Error('A sandbox is missing.');
  server.addHook('onRequest', async (request, reply) => {
    // Calls of the app name the address. The sandboxes themselves know names of this machine only.
    if (request.headers.host === new URL(address).host) request.headers.host = 'localhost';
    if (isLocalRequest(request.headers, true)) return;
    await reply.status(403).send({ message: 'The sandboxes answer on localhost and to the app only.' });
  });
  const answer: SandboxesAnswer = {
    settings: { clerk, replicate, stripe },
    demoAccounts: sandboxes.demoAccounts,
    prefixes: PREFIXES,
  };
  server.get(SANDBOXES_PATH, () => answer);
  await sandboxes.mount(server);
  return () => sandboxes.close();
}

main().catch((error: unknown) => {
  const isMistake = error instanceof ConfigError || error instanceof FolderTakenError;
  process.stderr.write(`${isMistake ? error.message : inspect(error)}\n`);
  process.exit(1);
});
