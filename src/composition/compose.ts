import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Pool } from 'pg';
import { AppModule } from './app.module.js';
import { type Cleanups, runAll } from './cleanups.js';
import { makePast } from './make-past.js';
import { openDatabase, type OpenDatabaseOptions } from './open-database.js';
import { openServer } from './open-server.js';
import { type DrawPage } from '../contract/page-data.js';
import { GetPublicPage } from '../gallery/index.js';
import { ApiDescription } from '../platform/api-docs/api-description.js';
import { type Clock, SystemClock } from '../platform/clock.js';
import { type Config, ConfigError } from '../platform/config/config.js';
import { sandboxNames } from '../platform/config/load-config.js';
import { Notifications } from '../platform/database/notifications.js';
import { openEventStore } from '../platform/event-store/open-event-store.js';
import { FaultPoints, KillAtFaultPoint } from '../platform/fault-points.js';
import { followPages } from '../platform/page-cache.js';
import { UNDRAWN_PAGE } from '../platform/pages.js';
import { Readiness } from '../platform/http/readiness.js';
import { type SpaOptions } from '../platform/http/spa.js';
import { requireWritableFolder } from '../platform/data-folder.js';
import { ownFolder } from '../platform/folder-owner.js';
import { type IdGenerator, UuidGenerator } from '../platform/ids.js';
import { becomeOnlyProcess } from '../platform/keys/only-process.js';
import { hasKeysOfItsOwn, openKeys } from '../platform/keys/open-keys.js';
import { createLogger, PinoLoggerService } from '../platform/logging/logger.js';
import { EventLoopWatch } from '../platform/metrics/event-loop-watch.js';
import { measureEventStore } from '../platform/metrics/measured-event-store.js';
import { measureLeases } from '../platform/metrics/measure-leases.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { OnlyExporter } from '../platform/metrics/only-exporter.js';
import { measureProjections } from '../platform/projections/measure-projections.js';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { providerSettings, type ProviderSettings } from '../platform/config/provider-settings.js';
import { type DemoProgress, type Sandboxes, type SandboxUnit } from '../platform/config/sandboxes.js';
import { connectSandboxes } from '../remote-sandboxes.js';
import { SERVER_FOLDER } from '../platform/server-folder.js';
import { mediaFolder, openRecords, openStorage } from '../platform/storage/open-storage.js';

export interface ComposeOptions extends OpenDatabaseOptions {
  readonly clock?: Clock;
  readonly ids?: IdGenerator;
  /** Gives an empty installation the demo's past before the app starts. Missing: it gets none. */
  readonly past?: DemoProgress;
  /** Draws public pages; by default the one of the web build, if there is one. */
  readonly drawPage?: DrawPage;
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

/** A proxy that asks `/readyz` each second stops to send requests in this time. */
const PROXY_NOTICE_MS = 2_000;

/** Production images do not have it. */
const SANDBOX_DIRECTORY = fileURLToPath(new URL('sandbox', SERVER_FOLDER));

/**
 * Puts the product together and starts it: database, event store, sandboxes for providers without keys, HTTP server.
 * Resolves once it answers requests. What was started is stopped again when a later step fails.
 */
export async function startFanvas(config: Config, options: ComposeOptions = {}): Promise<RunningApp> {
  const cleanups: Cleanups = [];
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

async function start(
  config: Config,
  options: ComposeOptions,
  cleanups: Cleanups,
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

  const database = await openDatabase(config, options, cleanups, logger);
  const { addresses, pool, db, jobs, locks } = database;
  measureLeases(pool, metrics);
  const exporter = new OnlyExporter(locks);
  metrics.exportSharedAs(exporter);
  cleanups.push(() => exporter.stop());
  const warnOfKeys = (sentence: string): void => logger.warn({ context: 'Keys' }, sentence);
  const keys = await openKeys(config, pool, warnOfKeys);

  const notifications = new Notifications({ connectionString: addresses.directUrl });
  cleanups.push(() => notifications.close());
  const eventStore = measureEventStore(await openEventStore(config, jobs, { notifications }), metrics);
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
    const stores = { eventStore, keys, notifications, records, storage };
    await makePast(sandboxUnit, options.past, config, database, stores, logger);
  }
  const sandboxes = await openSandboxes(config, sandboxUnit, clock);
  if (sandboxes) cleanups.push(() => sandboxes.close());

  const providers = providerSettings(config, sandboxes?.settings ?? {});
  let queries: QueryBus | null = null;
  const pageOf: SpaOptions['pageOf'] = async (path) => queries?.execute(new GetPublicPage({ path })) ?? UNDRAWN_PAGE;
  const { drawPage } = options;
  const parts = { clock, eventLoop, metrics, providers, sandboxes, storage, drawPage, pageOf };
  const { adapter, pages } = await openServer(config, parts, logger);

  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with({
      config,
      providers,
      clock,
      ids,
      pool,
      db,
      jobs,
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
  // Open requests wait for the projections.
  cleanups.push(() => projections.stop());
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
