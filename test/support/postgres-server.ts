import { migrations } from '../../src/migrations.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createDatabase, createPool, userOf } from '../../src/platform/database/pool.js';
import { grantRights } from '../../src/platform/database/rights.js';
import { type TestServer } from './database.js';
import { startPooler } from './pooler.js';
import { servePostgres } from './serve-postgres.js';

/**
 * Postgres does not wait for the disk. A transaction of autovacuum would hide the events that follow it from readers.
 */
const SETTINGS = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300', autovacuum: 'off' },
};

/** Loads all contexts, which takes as long as creating the server: both at once. */
const loading = import('../../src/app-rights.js');

/** The Postgres of a test run. Its database is migrated, and is the template for the databases of the suites. */
await servePostgres('fanvas-test-postgres-', SETTINGS, async ({ url, ownerUrl, auditUrl }) => {
  const { appRights } = await loading;
  const pool = createPool(ownerUrl, { max: 1 });
  const db = createDatabase<unknown>(pool);
  await migrate(db, migrations);
  await grantRights(db, { app: userOf(url), audit: userOf(auditUrl) }, appRights);
  await pool.end();
  const urls = { url, ownerUrl, auditUrl } satisfies TestServer;
  return process.env['TEST_POSTGRES_POOLER'] ? startPooler(urls) : urls;
});
