import { join } from 'node:path';
import { type Kysely } from 'kysely';
import { type Pool } from 'pg';
import { type Logger } from 'pino';
import {
  checkAuditor,
  databaseOf,
  type DatabaseAddresses,
  migrateDatabase,
  requireMigrated,
} from '../migrate-database.js';
import { type Config } from '../platform/config/config.js';
import { checkDatabase, checkPooledAddress } from '../platform/database/check-database.js';
import { type ConnectionShares, shareConnections } from '../platform/database/connection-shares.js';
import { createDatabase, createPool } from '../platform/database/pool.js';
import { setPooledDefaults } from '../platform/database/pooled-sessions.js';
import { mayChangeEvents } from '../platform/database/rights.js';
import { type EmbeddedPostgresError, startEmbeddedPostgres } from '../platform/embedded/embedded-postgres.js';
import { Locks } from '../platform/locks.js';
import { type Cleanups } from './cleanups.js';

/**
 * Time limit for a statement of a request, in milliseconds. It is below the limit of the request (`http-server.ts`), so
 * the server confirms the rollback before the request times out.
 */
const STATEMENT_MS = 3_500;

export interface OpenDatabaseOptions {
  /** Receives the progress of the start, one line a call. */
  readonly progress?: (line: string) => void;
  /** Called when the embedded database died and cannot be started again. */
  readonly onDatabaseLost?: (error: EmbeddedPostgresError) => void;
}

/** The connections of a process. */
export interface OpenDatabase {
  readonly addresses: DatabaseAddresses;
  readonly shares: ConnectionShares;
  /** Of requests. */
  readonly pool: Pool;
  readonly db: Kysely<unknown>;
  /** For work that takes longer than a request: projections, and the events that they and requests read. */
  readonly jobs: Pool;
  readonly locks: Locks;
}

/** Starts or finds the database, checks it, and migrates it. @throws DatabaseUnavailableError, NotMigratedError */
export async function openDatabase(
  config: Config,
  options: OpenDatabaseOptions,
  cleanups: Cleanups,
  logger: Pick<Logger, 'warn'>,
): Promise<OpenDatabase> {
  const addresses = databaseOf(config) ?? (await startOwnPostgres(config, options, cleanups));
  const shares = shareConnections(config.databaseConnections, config.roles.worker);
  const pooled = config.databaseDirectUrl !== null;
  const pool = createPool(addresses.url, { max: shares.requests, statementTimeoutMs: STATEMENT_MS, pooled });
  const db = createDatabase<unknown>(pool);
  cleanups.push(async () => {
    await db.destroy();
    // Kysely ends the pool only after it has used it. A pool that is left open logs the end of the database.
    if (!pool.ending) await pool.end();
  });
  const jobs = createPool(addresses.directUrl, { max: shares.jobs });
  cleanups.push(() => jobs.end());
  await checkDatabase(jobs, addresses.directUrl, {
    setting: pooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL',
    connections: config.databaseConnections - (pooled ? shares.requests : 0),
  });
  if (config.migrates) await migrateDatabase(addresses, jobs);
  else await requireMigrated(jobs);
  await checkAuditor(addresses);
  if (pooled) await usePooler(pool, jobs, addresses.url, logger);
  if (config.production && (await mayChangeEvents(jobs))) {
    logger.warn(
      { context: 'Database' },
      'The database user of the app may change stored events: give migrations a user of their own (docs/runbooks/database-roles.md).',
    );
  }
  // All locks of a process share one connection.
  const lockPool = createPool(addresses.directUrl, { max: 1 });
  cleanups.push(() => lockPool.end());
  return { addresses, shares, pool, db, jobs, locks: new Locks(lockPool) };
}

/** Prepares the sessions of a pooler in transaction mode for requests. */
async function usePooler(pool: Pool, direct: Pool, url: string, logger: Pick<Logger, 'warn'>): Promise<void> {
  await setPooledDefaults(direct, STATEMENT_MS);
  if ((await checkPooledAddress(pool, direct, { url, statementMs: STATEMENT_MS })) === 'as needed') return;
  logger.warn(
    { context: 'Database' },
    'The pooler has sessions from before this start, whose statements have other time limits: send RECONNECT to its console (docs/runbooks/poolers.md).',
  );
}

async function startOwnPostgres(
  config: Config,
  options: OpenDatabaseOptions,
  cleanups: Cleanups,
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
