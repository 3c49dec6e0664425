import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, type Pool } from 'pg';
import { type LedgerAddress } from '../audit/index.js';
import { type Config } from '../platform/config/config.js';
import { checkDatabase } from '../platform/database/check-database.js';
import { createPool } from '../platform/database/pool.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/embedded/embedded-postgres.js';
import { type EventStore } from '../platform/event-store/event-store.js';
import { openEventStore } from '../platform/event-store/open-event-store.js';
import { mediaFolder } from '../platform/storage/open-storage.js';
import { atEnd, isInterrupted, UsageError } from './program.js';

/** Open connections to the data. They are closed at the end of the program. */
export interface Sources {
  readonly pool: Pool;
  readonly eventStore: EventStore;
  /** For other threads that open the same data. */
  readonly address: LedgerAddress;
}

/**
 * The database user of a command: `audit` only reads, `app` writes what the app writes, `owner` repairs. Where the
 * settings name one user for all, the sessions of `audit` are read-only.
 */
export type DatabaseUser = 'audit' | 'app' | 'owner';

export interface SourceOptions {
  /** They must exist. */
  readonly tables: readonly string[];
  /** The user; `audit` by default. */
  readonly as?: DatabaseUser;
  /** Lets statements run without a time limit. */
  readonly noStatementTimeout?: boolean;
  /** Connections that a pooler must give; 1 by default. */
  readonly connections?: number;
}

/**
 * Opens the data of the settings. That is the database of the running app, or a server that this program starts on the
 * same folder and stops at its end.
 * @throws UsageError when the app was never started on the database
 */
export async function openSources(config: Config, options: SourceOptions): Promise<Sources> {
  const { pool, url, readOnly } = await openDatabase(config, options);
  const eventStore = await openEventStore(config, pool, { positions: 'any positions' });
  atEnd(() => eventStore.close());
  const isStored = config.media.bucket !== null || existsSync(mediaFolder(config.dataDir));
  const images = isStored ? { dataDir: config.dataDir, media: config.media } : null;
  return { pool, eventStore, address: { databaseUrl: url, readOnly, eventStoreUrl: config.eventStoreUrl, images } };
}

/** Opens the database of the settings, as {@link openSources} does. */
export async function openDatabase(
  config: Config,
  options: SourceOptions,
): Promise<{ readonly pool: Pool; readonly url: string; readonly readOnly: boolean }> {
  const as = options.as ?? 'audit';
  const { url, setting } = addressFor(as, config) ?? (await joinOwnPostgres(as, config));
  const readOnly = as === 'audit';
  const pool = createPool(url, {
    max: 6,
    readOnly,
    ...(options.noStatementTimeout ? { statementTimeoutMs: 0 } : {}),
  });
  const clients = new Set<Client>();
  pool.on('connect', (client) => clients.add(client as unknown as Client));
  pool.on('remove', (client) => clients.delete(client as unknown as Client));
  atEnd(async () => {
    // An interruption does not wait for running statements.
    if (isInterrupted()) await Promise.allSettled([...clients].map((client) => client.end()));
    await pool.end();
  });
  await checkDatabase(pool, url, { setting, connections: options.connections ?? 1 });
  const { rows } = await pool.query<{ missing: string }>(
    `select name as missing from unnest($1::text[]) as name
     where to_regclass(name) is null or not has_table_privilege(to_regclass(name), 'select') limit 1`,
    [options.tables],
  );
  if (rows[0])
    throw new UsageError('There is no ledger of this version in this database yet: start the app on it once.');
  return { pool, url, readOnly };
}

interface Address {
  readonly url: string;
  /** The setting that contains it. */
  readonly setting: string;
}

/** Returns the address of an own server; null for the embedded one. */
function addressFor(as: DatabaseUser, config: Config): Address | null {
  const { databaseUrl, databaseDirectUrl, databaseMigrationUrl, databaseAuditUrl } = config;
  if (databaseUrl === null) return null;
  if (as === 'owner' && databaseMigrationUrl !== null) {
    return { url: databaseMigrationUrl, setting: 'DATABASE_MIGRATION_URL' };
  }
  if (as === 'audit' && databaseAuditUrl !== null) return { url: databaseAuditUrl, setting: 'DATABASE_AUDIT_URL' };
  if (databaseDirectUrl !== null) return { url: databaseDirectUrl, setting: 'DATABASE_DIRECT_URL' };
  return { url: databaseUrl, setting: 'DATABASE_URL' };
}

async function joinOwnPostgres(as: DatabaseUser, config: Config): Promise<Address> {
  const folder = join(config.dataDir, 'postgres');
  if (!existsSync(folder)) {
    throw new UsageError(
      `There is no ledger in ${config.dataDir} yet: start the app once, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  const postgres = await startEmbeddedPostgres({ folder, database: 'fanvas', guest: true });
  atEnd(() => postgres.stop());
  return { url: urlFor(as, postgres), setting: 'DATA_DIR' };
}

function urlFor(as: DatabaseUser, { url, ownerUrl, auditUrl }: EmbeddedPostgres): string {
  if (as === 'owner') return ownerUrl;
  return as === 'audit' ? auditUrl : url;
}
