import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';
import { type Pool } from 'pg';
import { type Logger as PinoLogger } from 'pino';
import { AppModule } from './app.module.js';
import { type DrawPage } from '../contract/page-data.js';
import { GetPublicPage } from '../gallery/index.js';
import { clerkPageSources } from '../identity/index.js';
import {
  checkAuditor,
  databaseOf,
  type DatabaseAddresses,
  migrateDatabase,
  requireMigrated,
} from '../migrate-database.js';
import { ApiDescription } from '../platform/api-docs/api-description.js';
import { type Clock, SystemClock } from '../platform/clock.js';
import { type Config, ConfigError } from '../platform/config/config.js';
import { sandboxNames } from '../platform/config/load-config.js';
import { checkDatabase, checkPooledAddress } from '../platform/database/check-database.js';
import { shareConnections } from '../platform/database/connection-shares.js';
import { createDatabase, createPool } from '../platform/database/pool.js';
import { Notifications } from '../platform/database/notifications.js';
import { setPooledDefaults } from '../platform/database/pooled-sessions.js';
import { mayChangeEvents } from '../platform/database/rights.js';
import { type EmbeddedPostgresError, startEmbeddedPostgres } from '../platform/embedded/embedded-postgres.js';
import { openEventStore } from '../platform/event-store/open-event-store.js';
import { FaultPoints, KillAtFaultPoint } from '../platform/fault-points.js';
import { contentSecurityPolicy } from '../platform/http/content-security-policy.js';
import { followPages } from '../platform/page-cache.js';
import { UNDRAWN_PAGE } from '../platform/pages.js';
import { createHttpAdapter } from '../platform/http/http-server.js';
import { serveOnlyState } from '../platform/http/only-state.js';
import { Readiness } from '../platform/http/readiness.js';
import { serveSpa } from '../platform/http/spa.js';
import { requireWritableFolder } from '../platform/data-folder.js';
import { ownFolder } from '../platform/folder-owner.js';
import { type IdGenerator, UuidGenerator } from '../platform/ids.js';
import { becomeOnlyProcess } from '../platform/keys/only-process.js';
import { hasKeysOfItsOwn, openKeys } from '../platform/keys/open-keys.js';
import { Locks } from '../platform/locks.js';
import { createLogger, PinoLoggerService } from '../platform/logging/logger.js';
import { EventLoopWatch } from '../platform/metrics/event-loop-watch.js';
import { MeasuredEventStore } from '../platform/metrics/measured-event-store.js';
import { measureLeases } from '../platform/metrics/measure-leases.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { OnlyExporter } from '../platform/metrics/only-exporter.js';
import { serveMetrics } from '../platform/metrics/serve-metrics.js';
import { measureProjections } from '../platform/projections/measure-projections.js';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { providerSettings, type ProviderSettings } from '../platform/config/provider-settings.js';
import {
  type DemoAccounts,
  type DemoProgress,
  type OpenPast,
  type Sandboxes,
  type SandboxUnit,
} from '../platform/config/sandboxes.js';
import { PastModule } from './past.module.js';
import { connectSandboxes } from '../remote-sandboxes.js';
import { SERVER_FOLDER } from '../platform/server-folder.js';
import { mediaFolder, openRecords, openStorage } from '../platform/storage/open-storage.js';

export interface ComposeOptions {
  readonly clock?: Clock;
  readonly ids?: IdGenerator;
  /** Receives the progress of the start, one line a call. */
  readonly progress?: (line: string) => void;
  /** Gives an empty installation the demo's past before the app starts. Missing: it gets none. */
  readonly past?: DemoProgress;
  /** Draws public pages; by default the one of the web build, if there is one. */
  readonly drawPage?: DrawPage;
  /** Called when the embedded database died and cannot be started again. */
  readonly onDatabaseLost?: (error: EmbeddedPostgresError) => void;
}

export interface RunningApp {
  readonly url: string;
  /** The container, for tests and for the demo seed. */
  readonly context: INestApplicationContext;
  readonly providers: ProviderSettings;
  /** null when every provider has its keys. */
  readonly sandboxes: Sandboxes | null;
  readonly pool: Pool;
  /** Lets open requests end, then stops everything that was started. Later calls wait for the same stop. */
  stop(): Promise<void>;
}

/**
 * Time limit for a statement of a request, in milliseconds. It is below the limit of the request (`http-server.ts`), so
 * the server confirms the rollback before the request times out.
 */
const STATEMENT_MS = 3_500;

/** A proxy that asks `/readyz` each second stops to send requests in this time. */
const PROXY_NOTICE_MS = 2_000;

const WEB_DIRECTORY = fileURLToPath(new URL('../web', SERVER_FOLDER));
/** The web app for the server, which draws pages with it. Missing where the server runs from its sources. */
const PAGES_MODULE = fileURLToPath(new URL('../web-server/server-entry.js', SERVER_FOLDER));
/** Production images do not have it. */
const SANDBOX_DIRECTORY = fileURLToPath(new URL('sandbox', SERVER_FOLDER));

/**
 * Puts the product together and starts it: database, event store, sandboxes for providers without keys, HTTP server.
 * Resolves once it answers requests. What was started is stopped again when a later step fails.
 */
export async function startFanvas(config: Config, options: ComposeOptions = {}): Promise<RunningApp> {
  const cleanups: (() => Promise<void>)[] = [];
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= runAll(cleanups));
  try {
    return await start(config, options, cleanups, stop);
  } catch (error) {
    await stop().catch((reason: unknown) => {
      new Logger('Start').error('What had been started could not be stopped in order.', { error: reason });
    });
    throw error;
  }
}

/** The last one first, each after the one before. One that fails does not keep the others from running. */
async function runAll(cleanups: (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) {
    await cleanup().catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw new AggregateError(errors, 'The app did not stop in order.');
}

async function start(
  config: Config,
  options: ComposeOptions,
  cleanups: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<RunningApp> {
  const logger = createLogger(config.logLevel);
  const clock = options.clock ?? new SystemClock();
  const ids = options.ids ?? new UuidGenerator();
  const sandboxUnit = await loadSandboxes(config);
  await requireWritableFolder(config.dataDir);
  // A volume of a container may hold the folders of another user.
  if (existsSync(mediaFolder(config.dataDir))) await requireWritableFolder(mediaFolder(config.dataDir));

  const metrics = new Metrics();
  metrics.includeProcess();
  const eventLoop = new EventLoopWatch(metrics, { warnAboveMs: config.eventLoopWarnMs });
  cleanups.push(() => Promise.resolve(eventLoop.stop()));

  if (config.tracing) {
    const { startTracing } = await import('../platform/tracing/start-tracing.js');
    cleanups.push(startTracing(logger));
  }

  const database = databaseOf(config) ?? (await startOwnPostgres(config, options, cleanups));
  const shares = shareConnections(config.databaseConnections, config.roles.worker);
  const pooled = config.databaseDirectUrl !== null;
  const pool = createPool(database.url, { max: shares.requests, statementTimeoutMs: STATEMENT_MS, pooled });
  const db = createDatabase<unknown>(pool);
  cleanups.push(async () => {
    await db.destroy();
    // Kysely ends the pool only after it has used it. A pool that is left open logs the end of the database.
    if (!pool.ending) await pool.end();
  });
  // For work that takes longer than a request: projections, and the events that they and requests read.
  const jobs = createPool(database.directUrl, { max: shares.jobs });
  cleanups.push(() => jobs.end());
  await checkDatabase(jobs, database.directUrl, {
    setting: pooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL',
    connections: config.databaseConnections - (pooled ? shares.requests : 0),
  });
  if (config.migrates) await migrateDatabase(database, jobs);
  else await requireMigrated(jobs);
  await checkAuditor(database);
  if (pooled) await usePooler(pool, jobs, database.url, logger);
  if (config.production && (await mayChangeEvents(jobs))) {
    logger.warn(
      { context: 'Database' },
      'The database user of the app may change stored events: give migrations a user of their own (docs/runbooks/database-roles.md).',
    );
  }

  // All locks of a process share one connection.
  const lockPool = createPool(database.directUrl, { max: 1 });
  cleanups.push(() => lockPool.end());
  const locks = new Locks(lockPool);
  measureLeases(pool, metrics);
  const exporter = new OnlyExporter(locks);
  metrics.exportSharedAs(exporter);
  cleanups.push(() => exporter.stop());
  const warnOfKeys = (sentence: string): void => logger.warn({ context: 'Keys' }, sentence);
  const keys = await openKeys(config, pool, warnOfKeys);

  const notifications = new Notifications({ connectionString: database.directUrl });
  cleanups.push(() => notifications.close());
  const eventStore = new MeasuredEventStore(await openEventStore(config, jobs, { notifications }), metrics);
  cleanups.push(() => eventStore.close());
  const projections = new ProjectionRunner(jobs, eventStore);
  measureProjections(projections, metrics);
  await projections.followOthers(notifications);

  const storage = await openStorage(config);
  const records = await openRecords(config);
  if (sandboxUnit) {
    // Their files have one writer.
    const release = await ownFolder(join(config.dataDir, 'sandbox'), config.publicUrl);
    cleanups.push(() => Promise.resolve(release()));
  }
  if (hasKeysOfItsOwn(config)) cleanups.push(await becomeOnlyProcess(locks, warnOfKeys));
  if (sandboxUnit && options.past) {
    // Thousands of small commits. Appended events wait for the disk, and with them all that was written before.
    const pastPool = createPool(database.directUrl, { max: shares.requests, lazyCommits: true });
    const open: OpenPast = ({ replacements, begin, ...parts }) =>
      NestFactory.createApplicationContext(
        PastModule.with(
          {
            ...parts,
            ...{ eventStore, notifications, pool: pastPool, db: createDatabase<unknown>(pastPool) },
            jobDb: createDatabase<unknown>(jobs),
            projections: new ProjectionRunner(jobs, eventStore),
            locks,
            keys,
            metrics: new Metrics(),
            records,
            faultPoints: new FaultPoints(),
          },
          replacements,
          begin,
        ),
        { logger: new PinoLoggerService(logger), abortOnError: false },
      );
    try {
      await sandboxUnit.makePast({
        config,
        storage,
        mediaDir: mediaFolder(config.dataDir),
        open,
        locks,
        progress: options.past,
      });
    } finally {
      await pastPool.end();
    }
  }
  const sandboxes = await openSandboxes(config, sandboxUnit, clock);
  if (sandboxes) cleanups.push(() => sandboxes.close());

  const providers = providerSettings(config, sandboxes?.settings ?? {});
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
  let queries: QueryBus | null = null;
  const pages = await serveSpa(server, WEB_DIRECTORY, {
    origin: config.publicUrl,
    policyWith: (styleNonce) => contentSecurityPolicy(pageSources, styleNonce),
    settings: webSettings(providers, sandboxes?.demoAccounts ?? null),
    pageOf: async (path) => queries?.execute(new GetPublicPage({ path })) ?? UNDRAWN_PAGE,
    draw: options.drawPage ?? (await loadDrawPage()),
    clock,
  });

  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with({
      config,
      providers,
      clock,
      ids,
      pool,
      db,
      jobDb: createDatabase<unknown>(jobs),
      notifications,
      eventStore,
      projections,
      locks,
      keys,
      metrics,
      storage,
      records,
      faultPoints: config.faultPoint
        ? new KillAtFaultPoint(config.faultPoint.name, config.faultPoint.occurrence)
        : new FaultPoints(),
    }),
    adapter,
    { logger: new PinoLoggerService(logger), abortOnError: false },
  );
  cleanups.push(async () => {
    app.get(Readiness).stopping();
    // A connection that a proxy has just opened would be closed without an answer.
    if (config.trustProxy) await delay(PROXY_NOTICE_MS);
    await app.close();
  });
  queries = app.get(QueryBus, { strict: false });
  app.get(ApiDescription).setApp(app);
  await app.init();
  await followPages(notifications, pages);
  // In a process without work, readers wait for the projections of another one.
  if (config.roles.worker) projections.start(locks);
  cleanups.push(() => projections.stop());
  await app.listen({ port: config.port, host: config.host });
  // The start itself blocks the loop, and no request waits then.
  eventLoop.start();
  app.get(Readiness).ready();

  return { url: config.publicUrl, context: app, providers, sandboxes, pool, stop };
}

/**
 * Loads the sandboxes if this process runs one, else null. This dynamic import is the only one of `src/sandbox`.
 * @throws ConfigError when a provider needs a sandbox and this build has none
 */
async function loadSandboxes(config: Config): Promise<SandboxUnit | null> {
  const names = sandboxNames(config);
  if (names.length === 0 || config.sandboxesUrl !== null) return null;
  if (!existsSync(SANDBOX_DIRECTORY)) {
    throw new ConfigError(
      `This build has no sandboxes, so every provider needs its keys; these have none: ${names.join(', ')}.`,
    );
  }
  return import('../sandbox/index.js');
}

/** @returns null when every provider has its keys */
async function openSandboxes(config: Config, unit: SandboxUnit | null, clock: Clock): Promise<Sandboxes | null> {
  if (config.sandboxesUrl !== null) return connectSandboxes(config.sandboxesUrl);
  return unit && unit.startSandboxes(config, clock);
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

/** Prepares the sessions of a pooler in transaction mode for requests. */
async function usePooler(pool: Pool, direct: Pool, url: string, logger: Pick<PinoLogger, 'warn'>): Promise<void> {
  await setPooledDefaults(direct, STATEMENT_MS);
  if ((await checkPooledAddress(pool, direct, { url, statementMs: STATEMENT_MS })) === 'as needed') return;
  logger.warn(
    { context: 'Database' },
    'The pooler has sessions from before this start, whose statements have other time limits: send RECONNECT to its console (docs/runbooks/poolers.md).',
  );
}

async function startOwnPostgres(
  config: Config,
  options: ComposeOptions,
  cleanups: (() => Promise<void>)[],
): Promise<DatabaseAddresses> {
  options.progress?.('Starting the database…');
  const postgres = await startEmbeddedPostgres({
    folder: join(config.dataDir, 'postgres'),
    database: 'fanvas',
    ...(options.onDatabaseLost ? { onLost: options.onDatabaseLost } : {}),
  });
  cleanups.push(() => postgres.stop());
  return { ...postgres, directUrl: postgres.url };
}
