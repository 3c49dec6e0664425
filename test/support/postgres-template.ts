import { rmSync } from 'node:fs';
import path from 'node:path';
import { appRights } from '../../src/composition/app-rights.js';
import { migrations } from '../../src/composition/migrations.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createDatabase, createPool, userOf } from '../../src/platform/database/pool.js';
import { grantRights } from '../../src/platform/database/rights.js';
import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.js';

/** The programs of another major version (`npm run test:postgres-versions`). */
const native = process.env['TEST_POSTGRES_NATIVE'];
/**
 * Passwords of the app and of the audit are random here, and deriving a key from one is two fifths of what a connection
 * costs its client. Postgres 14 does not know the setting.
 */
const CHEAP_PASSWORDS = native ? {} : { scram_iterations: '1' };

/** Makes the folder that the Postgres servers of test runs are copied from, with the roles and a migrated database. */
const folder = process.argv[2];
if (!folder) throw new Error('Name the folder.');
const postgres = await startEmbeddedPostgres({
  folder,
  database: 'fanvas',
  settings: { fsync: 'off', full_page_writes: 'off', ...CHEAP_PASSWORDS },
  ...(native ? { nativeFolder: native } : {}),
});
try {
  const pool = createPool(postgres.ownerUrl, { max: 1 });
  const db = createDatabase<unknown>(pool);
  await migrate(db, migrations);
  await grantRights(db, { app: userOf(postgres.url), audit: userOf(postgres.auditUrl) }, appRights);
  await pool.end();
} finally {
  await postgres.stop();
}
// Each copy chooses a port of its own.
rmSync(path.join(folder, 'server', 'port'), { force: true });
