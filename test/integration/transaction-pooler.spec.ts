// Part of `npm run test:postgres-versions -- --only transaction-pooler`, which installs PgBouncer.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type RunningApp } from '../../src/composition/compose.js';
import { createPool } from '../../src/platform/database/pool.js';
import { type TestDatabase, type TestServer, withTestDatabase } from '../support/database.js';
import { startPooler } from '../support/pooler.js';
import { createImage, startWithCreator } from '../support/running-app.js';

jest.setTimeout(120_000);

/** Fewer sessions than the clients of one process. */
const SESSIONS = 2;

describe('an app behind PgBouncer in transaction mode', () => {
  let database: TestDatabase<unknown>;
  let transactions: TestServer;
  beforeAll(async () => {
    database = await withTestDatabase();
    transactions = await startPooler(database, 'transaction', SESSIONS);
  });
  afterAll(() => database?.close());

  const start = (settings: Readonly<Record<string, string>>): Promise<RunningApp> =>
    startWithCreator({ DATABASE_DIRECT_URL: database.url, DATABASE_CONNECTIONS: '20', ...settings });

  it('shares sessions of the server between requests, with their time limits', async () => {
    const app = await start({ DATABASE_URL: transactions.url });
    const pooled = createPool(transactions.url, { pooled: true });
    try {
      const fans = await Promise.all(['one', 'two', 'three', 'four'].map((name) => createImage(app.url, name)));
      const balances = await Promise.all(fans.map((fan) => fan.rpc<unknown[]>('get_user_credit_breakdown')));
      expect(balances.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const named = { name: 'twice', text: 'select pg_backend_pid() as pid' };
      const asked = Array.from({ length: 40 }, () => pooled.query<{ pid: number }>(named));
      const pids = new Set((await Promise.all(asked)).map(({ rows }) => rows[0]?.pid));
      expect(pids.size).toBeLessThanOrEqual(SESSIONS);
      const { rows } = await pooled.query<Record<string, string>>(
        `select current_setting('statement_timeout') as statement, current_setting('timezone') as zone,
           current_setting('idle_in_transaction_session_timeout') as idle`,
      );
      expect(rows).toEqual([{ statement: '3500ms', zone: 'UTC', idle: '30s' }]);
    } finally {
      await pooled.end();
      await app.stop();
    }
  });

  it('refuses a pooler of which sessions or transactions are needed and cannot be had, in a sentence', async () => {
    const sentence =
      /^The connection pooler at 127\.0\.0\.1:\d+ gives a connection for one transaction or statement only; set its pool_mode to session, or give Fanvas the address of the server itself, too, in DATABASE_DIRECT_URL\.$/;
    await expect(startWithCreator({ DATABASE_URL: transactions.url })).rejects.toThrow(sentence);
    await expect(
      startWithCreator({ DATABASE_URL: database.url, DATABASE_DIRECT_URL: transactions.url }),
    ).rejects.toThrow(sentence);
    const statements = await startPooler(database, 'statement');
    await expect(start({ DATABASE_URL: statements.url })).rejects.toThrow(
      /gives a connection for one statement only; set its pool_mode to transaction\.$/,
    );
    const other = await withTestDatabase();
    try {
      await expect(start({ DATABASE_URL: other.url })).rejects.toThrow(
        /leads to another database than DATABASE_DIRECT_URL; give both the same one\.$/,
      );
    } finally {
      await other.close();
    }
  });
});
