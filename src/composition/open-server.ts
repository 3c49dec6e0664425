import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type FastifyAdapter } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';
import { type Logger } from 'pino';
import { type DrawPage } from '../contract/page-data.js';
import { clerkPageSources } from '../identity/index.js';
import { type Clock } from '../platform/clock.js';
import { type Config } from '../platform/config/config.js';
import { type ProviderSettings } from '../platform/config/provider-settings.js';
import { type DemoAccounts, type Sandboxes } from '../platform/config/sandboxes.js';
import { contentSecurityPolicy } from '../platform/http/content-security-policy.js';
import { createHttpAdapter } from '../platform/http/http-server.js';
import { serveOnlyState } from '../platform/http/only-state.js';
import { serveSpa, type SpaOptions } from '../platform/http/spa.js';
import { type EventLoopWatch } from '../platform/metrics/event-loop-watch.js';
import { type Metrics } from '../platform/metrics/metrics.js';
import { serveMetrics } from '../platform/metrics/serve-metrics.js';
import { SERVER_FOLDER } from '../platform/server-folder.js';
import { type FileStorage } from '../platform/storage/file-storage.js';

const WEB_DIRECTORY = fileURLToPath(new URL('../web', SERVER_FOLDER));
/** The web app for the server, which draws pages with it. Missing where the server runs from its sources. */
const PAGES_MODULE = fileURLToPath(new URL('../web-server/server-entry.js', SERVER_FOLDER));

export interface ServerParts {
  readonly clock: Clock;
  readonly eventLoop: EventLoopWatch;
  readonly metrics: Metrics;
  readonly providers: ProviderSettings;
  readonly sandboxes: Sandboxes | null;
  readonly storage: FileStorage;
  /** Draws public pages; by default the one of the web build, if there is one. */
  readonly drawPage: DrawPage | undefined;
  readonly pageOf: SpaOptions['pageOf'];
}

/** The HTTP server, which does not listen yet, and the pages that it keeps. */
export interface OpenServer {
  readonly adapter: FastifyAdapter;
  readonly pages: Awaited<ReturnType<typeof serveSpa>>;
}

/** Makes the server with its policy, metrics, sandboxes and pages. The routes of the contexts follow. */
export async function openServer(config: Config, parts: ServerParts, logger: Logger): Promise<OpenServer> {
  const { clock, eventLoop, metrics, providers, sandboxes, storage } = parts;
  const refusedConnections = metrics.counter({
    name: 'fanvas_connections_refused_total',
    help: 'Connections of addresses that had too many open ones.',
  });
  const identitySources = clerkPageSources(providers.clerk);
  const pageSources = { ...identitySources, images: [...identitySources.images, ...(await storage.origins())] };
  const adapter = await createHttpAdapter(
    {
      trustProxy: config.trustProxy,
      loopbackOnly: sandboxes !== null,
      contentSecurityPolicy: contentSecurityPolicy(pageSources),
      https: config.publicUrl.startsWith('https:'),
      maxConnectionsPerAddress: config.trustProxy ? null : config.maxConnectionsPerAddress,
      onConnectionRefused: () => refusedConnections.inc(),
      refusalClock: clock,
      waitedMs: () => eventLoop.waitedMs(),
    },
    logger,
  );
  const server = adapter.getInstance<FastifyInstance>();
  if (!config.roles.web) serveOnlyState(server);
  serveMetrics(server, metrics, { token: config.metricsToken, trustProxy: config.trustProxy });
  await sandboxes?.mount(server);
  const pages = await serveSpa(server, WEB_DIRECTORY, {
    origin: config.publicUrl,
    policyWith: (styleNonce) => contentSecurityPolicy(pageSources, styleNonce),
    settings: webSettings(providers, sandboxes?.demoAccounts ?? null),
    pageOf: parts.pageOf,
    draw: parts.drawPage ?? (await loadDrawPage()),
    clock,
  });
  return { adapter, pages };
}

/** Loads what draws the pages; null if it was not built. */
async function loadDrawPage(): Promise<DrawPage | null> {
  if (!existsSync(PAGES_MODULE)) return null;
  const built = (await import(pathToFileURL(PAGES_MODULE).href)) as { readonly drawPage: DrawPage };
  return built.drawPage;
}

/** Settings that the server passes to the SPA in its page. */
function webSettings(providers: ProviderSettings, demo: DemoAccounts | null): object {
  return {
    clerkPublishableKey: providers.clerk.publishableKey,
    clerkProxyUrl: providers.clerk.proxyUrl ?? null,
    sandbox: Object.values(providers.sandboxes).includes(true),
    demo,
  };
}
