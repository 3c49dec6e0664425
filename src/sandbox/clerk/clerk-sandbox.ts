import { Logger } from '@nestjs/common';
import { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import { reportedStatus } from '../error-status.js';
import { Accounts, type AccountSpec } from './accounts.js';
import { registerBackendApi } from './backend-api.js';
import { registerBrowserBundles } from './browser-bundles.js';
import { ClerkRefusal, refusalBody } from './errors.js';
import { registerFrontendApi } from './frontend/frontend-api.js';
import { loadKeys } from './keys.js';
import { Store } from './store.js';
import { TokenSigner } from './tokens.js';
import { ClientViews } from './views/client-view.js';
import { WebhookOutbox } from './webhooks.js';

export interface ClerkSandboxOptions {
  /** The sandbox's own folder, created when missing. */
  readonly dataDir: string;
  /** Receives `user.created`, `user.updated` and `user.deleted`; null sends none. */
  readonly webhookUrl: string | null;
  readonly now?: () => Date;
  /** Accounts that exist from the start. */
  readonly accounts?: readonly AccountSpec[];
}

/** A substitute for Clerk that the real SDKs use, in the process of the app. */
export interface ClerkSandbox {
  /** Register it under `CLERK_SANDBOX_PREFIX`. */
  readonly plugin: FastifyPluginAsync;
  /** The caller adds `apiUrl`, which depends on the port: `http://127.0.0.1:<port>/__clerk/backend`. */
  readonly settings: {
    readonly publishableKey: string;
    readonly secretKey: string;
    readonly jwtKey: string;
    readonly webhookSecret: string;
    readonly proxyUrl: string;
  };
  /** Returns the account with this address and creates it when missing. An existing account is not changed. */
  ensureUser(account: AccountSpec): Promise<{ userId: string; created: boolean }>;
  /** Stops sending webhooks and saves the state. */
  close(): Promise<void>;
}

/** Below this path the app serves the substitute for Clerk. */
export const CLERK_SANDBOX_PREFIX = '/__clerk';

const logger = new Logger('ClerkSandbox');

/** The SDK requires a host with a dot, but never connects to it because `proxyUrl` is set. */
const PUBLISHABLE_KEY = `pk_test_${Buffer.from('clerk.sandbox.localhost$').toString('base64')}`;

/**
 * Imitates Clerk for its unmodified SDKs: frontend API and browser builds under `/__clerk`, backend API under
 * `/__clerk/backend`. Users, sessions and keys live in `dataDir`. No e-mail is sent: the code is always 424242.
 */
export async function createClerkSandbox(options: ClerkSandboxOptions): Promise<ClerkSandbox> {
  const now = options.now ?? ((): Date => new Date());
  const keys = await loadKeys(options.dataDir);
  const store = await Store.open(options.dataDir, now().getTime());
  const tokens = await TokenSigner.create(keys, now);
  const outbox = new WebhookOutbox(store, options.webhookUrl, keys.webhookSecret);
  const accounts = new Accounts(store, outbox, now);
  const views = new ClientViews(store, accounts, tokens, now);
  await Promise.all((options.accounts ?? []).map((account) => accounts.ensure(account)));

  const plugin: FastifyPluginAsync = async (server) => {
    answerAsClerkDoes(server);
    // The receiver of the webhooks is usually this server, so sending starts once it listens.
    server.addHook('onListen', (done) => {
      outbox.start();
      done();
    });
    registerBrowserBundles(server);
    await server.register(async (api) => registerFrontendApi(api, { store, accounts, tokens, views, now }), {
      prefix: '/v1',
    });
    await server.register(
      async (api) => registerBackendApi(api, { store, accounts, tokens, secretKey: keys.secretKey }),
      { prefix: '/backend/v1' },
    );
  };
  return {
    plugin,
    settings: {
      publishableKey: PUBLISHABLE_KEY,
      secretKey: keys.secretKey,
      jwtKey: keys.publicKey,
      webhookSecret: keys.webhookSecret,
      proxyUrl: CLERK_SANDBOX_PREFIX,
    },
    ensureUser: (account) => accounts.ensure(account),
    close: async () => {
      await outbox.close();
      await store.close();
    },
  };
}

/** Sets body parsers, error responses and the loopback rule. The surrounding app's own do not apply here. */
function answerAsClerkDoes(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body.toString())));
  });
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // The backend SDK sends the content type even with an empty body.
    if (body.length === 0) done(null, {});
    else void parseJson.call(server, request, body.toString(), done);
  });

  server.addHook('onRequest', async (request) => {
    const { host, origin } = request.headers;
    if (!isLoopback(`http://${host ?? ''}`) || (origin !== undefined && !isLoopback(origin))) {
      throw new ClerkRefusal(403, 'origin_invalid', 'The sandbox answers on localhost only.');
    }
  });
  server.setErrorHandler((error, request, reply) => {
    if (error instanceof ClerkRefusal) return reply.status(error.status).send(refusalBody(error));
    const status = reportedStatus(error, request, logger);
    const message = status >= 500 ? 'The sandbox failed.' : 'The request is not valid.';
    return reply.status(status).send(refusalBody(new ClerkRefusal(status, 'request_invalid', message)));
  });
  server.setNotFoundHandler((_request, reply) =>
    reply.status(404).send(refusalBody(new ClerkRefusal(404, 'resource_not_found', 'not found'))),
  );
}

function isLoopback(url: string): boolean {
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(url);
}
