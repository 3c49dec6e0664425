import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { CLERK_SANDBOX_PREFIX, createClerkSandbox, type ClerkSandbox } from '../../src/sandbox/clerk/index.js';
import { DEMO_ACCOUNTS } from '../../src/sandbox/demo/demo-accounts.js';
import { freePort } from './app-process.js';

/** The Clerk sandbox on a bare server of its own. */
export interface ClerkServer {
  readonly url: string;
  readonly sandbox: ClerkSandbox;
  /** Base address for `@clerk/backend`. */
  readonly apiUrl: string;
  readonly dataDir: string;
  stop(): Promise<void>;
}

export interface ClerkServerOptions {
  /** Folder of an earlier server, whose state continues. By default a new folder, which `dispose` removes. */
  readonly dataDir?: string;
  readonly webhookUrl?: string | null;
  readonly port?: number;
  readonly now?: () => Date;
  /** Adds routes and hooks. The hooks see the sandbox's requests too. */
  readonly routes?: (server: FastifyInstance) => void | Promise<void>;
}

/** Starts a server. `stop` keeps its folder for a later server. */
export async function startClerkServer(options: ClerkServerOptions = {}): Promise<ClerkServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'fanvas-clerk-')));
  const sandbox = await createClerkSandbox({
    dataDir,
    webhookUrl: options.webhookUrl ?? null,
    accounts: DEMO_ACCOUNTS,
    ...(options.now ? { now: options.now } : {}),
  });
  const server = Fastify({ forceCloseConnections: true });
  await options.routes?.(server);
  await server.register(sandbox.plugin, { prefix: CLERK_SANDBOX_PREFIX });
  const port = options.port ?? (await freePort());
  await server.listen({ port, host: 'localhost' });
  const url = `http://localhost:${port}`;
  return {
    url,
    sandbox,
    apiUrl: `${url}${CLERK_SANDBOX_PREFIX}/backend`,
    dataDir,
    stop: async () => {
      await server.close();
      await sandbox.close();
    },
  };
}

/** Removes a server's folder. */
export async function removeData(server: ClerkServer): Promise<void> {
  await rm(server.dataDir, { recursive: true, force: true });
}
