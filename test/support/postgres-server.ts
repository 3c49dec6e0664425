import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { appRights } from '../../src/app-rights.js';
import { migrations } from '../../src/migrations.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createDatabase, createPool, userOf } from '../../src/platform/database/pool.js';
import { grantRights } from '../../src/platform/database/rights.js';
import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';
import { type TestServer } from './database.js';

/**
 * Runs the Postgres of a test run in its own process. Sends the parent the addresses of a migrated database, which is
 * the template for the databases of the suites. Stops when the parent disconnects or is killed. Postgres does not wait
 * for the disk.
 */
const folder = mkdtempSync(path.join(tmpdir(), 'fanvas-test-postgres-'));
const postgres = await startEmbeddedPostgres({
  folder: path.join(folder, 'postgres'),
  database: 'fanvas',
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
});
const { url, ownerUrl, auditUrl } = postgres;
const pool = createPool(ownerUrl, { max: 1 });
const db = createDatabase<unknown>(pool);
await migrate(db, migrations);
await grantRights(db, { app: userOf(url), audit: userOf(auditUrl) }, appRights);
await pool.end();

// Ctrl-C reaches the whole process group: the parent decides when to stop.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => {
  void postgres.stop().finally(() => rmSync(folder, { recursive: true, force: true }));
});
process.send?.({ url, ownerUrl, auditUrl } satisfies TestServer);
