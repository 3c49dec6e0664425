import { randomBytes } from 'node:crypto';
import { type Kysely } from 'kysely';
import pg from 'pg';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';

/** A database that one suite has to itself, on a real Postgres. */
export interface TestDatabase<Tables> {
  readonly db: Kysely<Tables>;
  readonly pool: pg.Pool;
  /** Connection address, for a second pool or another process. */
  readonly url: string;
  /** Ends the pool and drops the database. */
  close(): Promise<void>;
}

/**
 * Creates a database for a suite: migrated, or empty if asked. All suites of a run share one server
 * (`postgres-setup.mjs`), which does not wait for the disk.
 *
 *     let database: TestDatabase<CreditTables>;
 *     beforeAll(async () => {
 *       database = await withTestDatabase();
 *     });
 *     afterAll(() => database.close());
 */
export async function withTestDatabase<Tables>({ empty = false } = {}): Promise<TestDatabase<Tables>> {
  const server = process.env['TEST_POSTGRES_URL'];
  if (!server) throw new Error('Run this suite with Jest: its global setup starts Postgres.');
  const url = new URL(server);
  const template = empty ? 'template1' : url.pathname.slice(1);
  const name = `test_${randomBytes(8).toString('hex')}`;
  url.pathname = `/${name}`;
  await administer(server, `create database ${name} template ${template}`);
  const pool = createPool(url.href);
  return {
    db: createDatabase<Tables>(pool),
    pool,
    url: url.href,
    close: async () => {
      if (!pool.ending) await pool.end();
      await administer(server, `drop database ${name} with (force)`);
    },
  };
}

async function administer(server: string, statement: string): Promise<void> {
  const url = new URL(server);
  // Postgres refuses to copy a template that has connections.
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Runs `work` without the bound on the times of events, as the owner of the table can. */
export async function withoutTimeBound(pool: pg.Pool, work: () => Promise<unknown>): Promise<void> {
  const { rows } = await pool.query<{ text: string }>(
    `select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'event_time_bound'`,
  );
  await pool.query('alter table event drop constraint event_time_bound');
  try {
    await work();
  } finally {
    await pool.query(`alter table event add constraint event_time_bound ${rows[0]!.text}`);
  }
}
