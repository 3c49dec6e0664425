import { type Pool } from 'pg';
import { appRights } from './composition/app-rights.js';
import { migrations } from './composition/migrations.js';
import { type Config } from './platform/config/config.js';
import { checkDatabase, checkTables } from './platform/database/check-database.js';
import { migrate, requireMigrations } from './platform/database/migrate.js';
import { createDatabase, createPool, userOf } from './platform/database/pool.js';
import { grantRights } from './platform/database/rights.js';
import { type EmbeddedPostgres } from './platform/embedded/embedded-postgres.js';

/** Addresses of one database, each with its user. */
export interface DatabaseAddresses extends Pick<EmbeddedPostgres, 'url' | 'ownerUrl' | 'auditUrl'> {
  /** The address of the app without a pooler. */
  readonly directUrl: string;
}

/** The database of the settings; null for the embedded one. */
export function databaseOf(
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'databaseMigrationUrl' | 'databaseAuditUrl'>,
): DatabaseAddresses | null {
  const { databaseUrl: url } = config;
  if (url === null) return null;
  const directUrl = config.databaseDirectUrl ?? url;
  return {
    url,
    directUrl,
    ownerUrl: config.databaseMigrationUrl ?? directUrl,
    auditUrl: config.databaseAuditUrl ?? directUrl,
  };
}

/**
 * Runs the migrations as the owner of the tables, and gives the other users their rights. Uses its own connection: a
 * migration, or the wait for the migration of another process, may take longer than a request may.
 * @returns the names of the migrations that ran
 * @throws NewerDatabaseError, NotOwnerError, MigrationError, RightsError, DatabaseUnavailableError
 */
export async function migrateDatabase(
  { directUrl, ownerUrl, auditUrl }: DatabaseAddresses,
  appPool: Pool,
): Promise<string[]> {
  const pool = createPool(ownerUrl, { max: 1, statementTimeoutMs: 0 });
  const owner = userOf(ownerUrl);
  const app = userOf(directUrl);
  const audit = userOf(auditUrl);
  try {
    if (ownerUrl !== directUrl) await checkDatabase(pool, ownerUrl, { setting: 'DATABASE_MIGRATION_URL' });
    const db = createDatabase<unknown>(pool);
    const ran = await migrate(db, migrations);
    await grantRights(
      db,
      { app: app === owner ? null : app, audit: audit === owner || audit === app ? null : audit },
      appRights,
    );
    if (app !== owner) await checkTables(appPool, pool, app);
    return ran;
  } finally {
    await pool.end();
  }
}

/**
 * Checks that the database has all migrations of this build. It may have later ones: during an update, a process of the
 * version before may start again.
 * @throws NotMigratedError
 */
export async function requireMigrated(appPool: Pool): Promise<void> {
  await requireMigrations(createDatabase<unknown>(appPool), migrations);
}

/**
 * Checks the address of the audit, if it is another one. Threads that verify use prepared statements and sessions that
 * only read, so no pooler may share these.
 * @throws DatabaseUnavailableError
 */
export async function checkAuditor({ directUrl, auditUrl }: DatabaseAddresses): Promise<void> {
  if (userOf(auditUrl) === userOf(directUrl)) return;
  const pool = createPool(auditUrl, { max: 1 });
  try {
    await checkDatabase(pool, auditUrl, { setting: 'DATABASE_AUDIT_URL' });
  } finally {
    await pool.end();
  }
}
