import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { checkTables } from '../../src/platform/database/check-database.js';
import { createDatabase, createPool, createSecondPool } from '../../src/platform/database/pool.js';
import { asOwner, type TestDatabase, withTestDatabase } from '../support/database.js';

let database: TestDatabase<unknown>;
let name: string;

beforeAll(async () => {
  database = await withTestDatabase();
  name = new URL(database.url).pathname.slice(1);
});
afterAll(() => database.close());

/** Changes what new sessions in this database start with. */
async function settings(...statements: string[]): Promise<void> {
  for (const statement of statements) await asOwner(database).query(`alter database ${name} ${statement}`);
}

async function endIdleSessions(): Promise<void> {
  await asOwner(database).query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state = 'idle'`,
  );
}

describe('createPool', () => {
  it('gives a session what the product needs, regardless of the defaults of the database', async () => {
    await settings(
      ...[`set datestyle = 'SQL, DMY'`, `set intervalstyle = 'iso_8601'`, `set timezone = 'Asia/Kolkata'`],
      ...[`set default_transaction_isolation = 'serializable'`, 'set default_transaction_deferrable = on'],
      ...[`set lock_timeout = '1s'`, `set statement_timeout = '9s'`, 'set standard_conforming_strings = off'],
    );
    const pool = createPool(database.url, { max: 2, lazyCommits: true });
    const second = createSecondPool(pool, { max: 1, connectMs: 5_000, statementMs: 4_000 });
    try {
      for (const [each, limit] of [
        [pool, '15s'],
        [second, '4s'],
      ] as const) {
        const { rows } = await each.query<Record<string, unknown>>(
          `select timestamptz '2026-03-10T09:00:00Z' as at, '\\d' as text, current_setting('transaction_isolation') as isolation,
             current_setting('statement_timeout') as statement, current_setting('lock_timeout') as locks,
             current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone,
             current_setting('synchronous_commit') as commits`,
        );
        expect(rows[0]).toEqual({
          at: new Date('2026-03-10T09:00:00Z'),
          text: '\\d',
          isolation: 'read committed',
          statement: limit,
          locks: '0',
          idle: '30s',
          zone: 'UTC',
          commits: 'off',
        });
      }
    } finally {
      await second.end();
      await pool.end();
      await settings('reset all');
    }
  });

  it('replaces all sessions once a server refuses to write, so that the next write succeeds', async () => {
    await database.pool.query('create table written (text text)');
    const pool = createPool(database.url, { max: 3 });
    const db = createDatabase<unknown>(pool);
    const write = (text: string): Promise<unknown> => sql`insert into written values (${text})`.execute(db);
    try {
      await settings('set default_transaction_read_only = on');
      const open = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
      for (const client of open) client.release();
      await settings('reset default_transaction_read_only');
      await expect(write('first')).rejects.toMatchObject({ code: '25006' });
      // A server that changes its role ends the sessions that a pooler keeps.
      if (process.env['TEST_POSTGRES_POOLER']) await endIdleSessions();
      await Promise.all(['second', 'third', 'fourth'].map(write));
      const { rows } = await pool.query<{ text: string }>('select text from written order by text');
      expect(rows.map(({ text }) => text)).toEqual(['fourth', 'second', 'third']);
    } finally {
      await pool.end();
    }
  });

  it('keeps a session that is meant to read only after a refused write', async () => {
    const pool = createPool(database.auditUrl, { max: 1, readOnly: true });
    try {
      const client = await pool.connect();
      await expect(client.query('delete from rate_limit')).rejects.toMatchObject({ code: '25006' });
      client.release();
      const again = await pool.connect();
      again.release();
      expect(again).toBe(client);
    } finally {
      await pool.end();
    }
  });
});

describe('checkTables', () => {
  it('names the command when the app does not find the tables of the owner', async () => {
    await expect(checkTables(database.pool, asOwner(database), 'fanvas_app')).resolves.toBeUndefined();
    await asOwner(database).query('create schema elsewhere');
    const owner = createPool(database.ownerUrl, { max: 1 });
    const app = createPool(database.url, { max: 1, settings: { search_path: 'elsewhere' } });
    try {
      await expect(checkTables(app, owner, 'fanvas_app')).rejects.toThrow(
        `The user fanvas_app does not find the tables, which are in the schema public; run as a superuser: alter role fanvas_app in database ${name} set search_path = public.`,
      );
    } finally {
      await app.end();
      await owner.end();
    }
  });
});
