import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type pg from 'pg';
import { DatabaseSilentError } from '../../src/platform/database/budgeted-pool.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import {
  databaseTimeLeft,
  liftDatabaseBudget,
  withDatabaseBudget,
} from '../../src/platform/database/request-budget.js';
import { withTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase<unknown>;
let pool: pg.Pool;

beforeAll(async () => {
  database = await withTestDatabase();
  await database.pool.query('create table note (text text)');
});
afterAll(() => database.close());
beforeEach(() => {
  pool = createPool(database.url, { max: 1 });
});
afterEach(() => pool.end());

/** Longer than any budget here. */
const SLEEP = 'select pg_sleep(20)';

it('ends a statement when the budget is spent, and gives the next one a working connection', async () => {
  const slow = withDatabaseBudget(300, () => pool.query(SLEEP));
  await expect(slow).rejects.toThrow(DatabaseSilentError);
  await expect(slow).rejects.toMatchObject({ mayBeDone: false });
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

it('reports that a change without an answer may have been made', async () => {
  const change = `insert into note select 'x' from pg_sleep(20)`;
  await expect(withDatabaseBudget(300, () => pool.query(change))).rejects.toMatchObject({ mayBeDone: true });
});

it('ends the wait for a connection when the budget is spent, and leaves the connection usable', async () => {
  const held = await pool.connect();
  await expect(withDatabaseBudget(100, () => pool.query('select 1'))).rejects.toMatchObject({ mayBeDone: false });
  held.release();
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

it('sends no statement after the budget is spent, and rolls back the transaction', async () => {
  const db = createDatabase<{ note: { text: string } }>(pool);
  const work = withDatabaseBudget(500, () =>
    db.transaction().execute(async (trx) => {
      await trx.insertInto('note').values({ text: 'begun' }).execute();
      await sql`select pg_sleep(20)`.execute(trx).catch(() => undefined);
      await trx.insertInto('note').values({ text: 'late' }).execute();
    }),
  );
  await expect(work).rejects.toThrow(DatabaseSilentError);
  expect((await pool.query('select * from note')).rows).toEqual([]);
});

it('does not limit work outside of a request, or after the budget was lifted', async () => {
  expect(databaseTimeLeft()).toBe(Infinity);
  await withDatabaseBudget(0, async () => {
    await expect(pool.query('select 1')).rejects.toThrow(DatabaseSilentError);
    liftDatabaseBudget();
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
