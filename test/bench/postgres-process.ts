import { totalmem } from 'node:os';
import { migrations } from '../../src/composition/migrations.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { servePostgres } from '../support/serve-postgres.js';

/** A quarter of the machine's memory, as the manual of Postgres recommends for a server of its own. */
const CACHE_MB = Math.floor(totalmem() / 4 / 2 ** 20);

/**
 * The Postgres of a run of the benchmarks, with the durability of the product. Its template is migrated, so each new
 * database has the tables of the product.
 */
await servePostgres('fanvas-bench-', { shared_buffers: `${CACHE_MB}MB` }, async ({ ownerUrl }) => {
  const template = new URL(ownerUrl);
  template.pathname = '/template1';
  const pool = createPool(template.href, { max: 1 });
  await migrate(createDatabase<unknown>(pool), migrations);
  await pool.end();
  return { url: ownerUrl };
});
