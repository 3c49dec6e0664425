import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Kysely } from 'kysely';
import type pg from 'pg';
import { type Migrations } from '../../src/platform/database/database.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  startEmbeddedPostgres,
} from '../../src/platform/embedded/embedded-postgres.js';

/** A database of a spec file's own, on a real Postgres. */
export interface TestDatabase<Tables> {
  readonly db: Kysely<Tables>;
  readonly pool: pg.Pool;
  /** Connection address, for a second pool or another process. */
  readonly url: string;
  /** Runs these migrations; again is harmless, and later calls must include the earlier ones' migrations. */
  migrate(migrations: Migrations): Promise<void>;
  /** Ends the pool, drops the database, and gives the server up (the last user stops it). */
  close(): Promise<void>;
}

/**
 * A fresh, empty database for a spec file. Specs that run at the same time share one embedded server in the temporary folder,
 * started by the first and stopped by the last; it does not wait for the disk.
 *
 *     let database: TestDatabase<CreditTables>;
 *     beforeAll(async () => {
 *       database = await withTestDatabase<CreditTables>();
 *       await database.migrate({ ...eventStoreMigrations, ...creditMigrations });
 *     });
 *     afterAll(() => database.close());
 */
export async function withTestDatabase<Tables>(): Promise<TestDatabase<Tables>> {
  const server = await testServer();
  const name = `test_${Date.now()}_${randomBytes(4).toString('hex')}`;
  const admin = createPool(server.url, { max: 1 });
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  try {
    await dropAbandoned(admin);
    await admin.query(`create database ${name}`);
  } catch (error) {
    await admin.end();
    await server.stop();
    throw error;
  }
  const pool = createPool(url.href);
  const db = createDatabase<Tables>(pool);
  return {
    db,
    pool,
    url: url.href,
    migrate: async (migrations) => {
      await migrate(db, migrations);
    },
    close: async () => {
      if (!pool.ending) await pool.end();
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
      await server.stop();
    },
  };
}

/** The embedded server that the specs running now share. */
async function testServer(): Promise<EmbeddedPostgres> {
  const folder = path.join(tmpdir(), `fanvas-test-postgres-${process.getuid?.() ?? 0}`);
  const start = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({
      folder,
      database: 'fanvas',
      settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
    });
  try {
    return await start();
  } catch (error) {
    // Without fsync a crash of the machine spoils it, and nothing in it is worth keeping.
    if (!(error instanceof EmbeddedPostgresError && error.message.includes('stopped while starting'))) throw error;
    rmSync(folder, { recursive: true, force: true });
    return start();
  }
}

/** Databases of runs that were killed. */
async function dropAbandoned(admin: pg.Pool): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database d where datname like 'test\\_%'
       and split_part(datname, '_', 2)::bigint < $1
       and not exists (select 1 from pg_stat_activity a where a.datname = d.datname)`,
    [Date.now() - 3_600_000],
  );
  for (const { datname } of rows) await admin.query(`drop database if exists ${datname}`);
}
