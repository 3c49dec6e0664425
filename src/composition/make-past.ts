import { NestFactory } from '@nestjs/core';
import { type Logger } from 'pino';
import { type Config } from '../platform/config/config.js';
import { type DemoProgress, type OpenPast, type SandboxUnit } from '../platform/config/sandboxes.js';
import { createDatabase, createPool } from '../platform/database/pool.js';
import { FaultPoints } from '../platform/fault-points.js';
import { PinoLoggerService } from '../platform/logging/logger.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { type PlatformParts } from '../platform/platform.module.js';
import { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { mediaFolder } from '../platform/storage/open-storage.js';
import { type OpenDatabase } from './open-database.js';
import { PastModule } from './past.module.js';

type Stores = Pick<PlatformParts, 'eventStore' | 'keys' | 'notifications' | 'records' | 'storage'>;

/** Gives an empty installation the demo's past, with the contexts on a clock of their own. */
export async function makePast(
  unit: SandboxUnit,
  progress: DemoProgress,
  config: Config,
  { addresses, shares, jobs, locks }: OpenDatabase,
  { eventStore, keys, notifications, records, storage }: Stores,
  logger: Logger,
): Promise<void> {
  // Thousands of small commits. Appended events wait for the disk, and with them all that was written before.
  const pool = createPool(addresses.directUrl, { max: shares.requests, lazyCommits: true });
  const open: OpenPast = ({ replacements, begin, ...parts }) =>
    NestFactory.createApplicationContext(
      PastModule.with(
        {
          ...parts,
          eventStore,
          notifications,
          pool,
          db: createDatabase<unknown>(pool),
          jobs,
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
    await unit.makePast({ config, storage, mediaDir: mediaFolder(config.dataDir), open, locks, progress });
  } finally {
    await pool.end();
  }
}
