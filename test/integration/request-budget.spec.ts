import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { DatabaseSilentError } from '../../src/platform/database/budgeted-pool.js';
import { SecondConnectionError, withSecondConnection } from '../../src/platform/database/one-connection.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import {
  databaseTimeLeft,
  liftDatabaseBudget,
  withDatabaseBudget,
} from '../../src/platform/database/request-budget.js';
import { withTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

let database: TestDatabase<unknown>;
let pool: pg.Pool;

beforeAll(async () => {
  database = await withTestDatabase();
  await database.pool.query('create table note (text text)');
});
afterAll(() => database.close());
beforeEach(async () => {
  pool = createPool(database.url, { max: 1 });
  // On a busy machine, connecting alone would spend the budgets.
  await pool.query('select 1');
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

it('gives the connection of an abandoned statement to no caller who already waits for one', async () => {
  // Kysely gives connections back without the error.
  const slow = withDatabaseBudget(300, () => sql.raw(SLEEP).execute(createDatabase(pool)));
  await until(() => pool.idleCount === 0);
  const next = pool.query('select 1 as one');
  await expect(slow).rejects.toThrow(DatabaseSilentError);
  expect((await next).rows).toEqual([{ one: 1 }]);
});

it.each([
  ['within a request', 10_000, DatabaseSilentError],
  ['in other work', Infinity, 'Query read timeout'],
] as const)("gives the next caller a working connection after the driver's own limit %s", async (_, ms, error) => {
  const statement = { text: SLEEP, query_timeout: 100 };
  const client = await pool.connect();
  await expect(withDatabaseBudget(ms, () => client.query(statement))).rejects.toThrow(error);
  client.release();
  const next = withDatabaseBudget(5_000, () => pool.query('select 1 as one'));
  expect((await next).rows).toEqual([{ one: 1 }]);
});

it.each([
  ['a change', `insert into note select 'x' from pg_sleep(20)`, true],
  ['a change behind `with`', `with slow as (select pg_sleep(20)) insert into note select 'x' from slow`, true],
  ['a read behind `with`', 'with slow as (select pg_sleep(20)) select * from slow', false],
])('reports whether %s without an answer may have changed data', async (_case, statement, mayBeDone) => {
  await expect(withDatabaseBudget(300, () => pool.query(statement))).rejects.toMatchObject({ mayBeDone });
});

it('ends the wait for a connection when the budget is spent, and leaves the connection usable', async () => {
  const held = await pool.connect();
  await expect(withDatabaseBudget(100, () => pool.query('select 1'))).rejects.toMatchObject({ mayBeDone: false });
  held.release();
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

it('waits for a connection longer than the driver would, as long as the request has time', async () => {
  const client = await pool.connect();
  pool.options.connectionTimeoutMillis = 20;
  const query = withDatabaseBudget(10_000, () => pool.query('select 1 as one'));
  // It began later, so the limit of the driver has also passed for the query of the request.
  await expect(pool.query('select 1')).rejects.toThrow('timeout exceeded');
  client.release();
  expect((await query).rows).toEqual([{ one: 1 }]);
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

describe('A transaction', () => {
  const inTransaction = (work: (db: Kysely<{ note: { text: string } }>) => Promise<unknown>): Promise<unknown> => {
    const db = createDatabase<{ note: { text: string } }>(pool);
    return withDatabaseBudget(5_000, () => db.transaction().execute(() => work(db)));
  };
  const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('gets no second connection of its pool, however deep the call is', async () => {
    await expect(inTransaction((db) => db.selectFrom('note').selectAll().execute())).rejects.toThrow(
      SecondConnectionError,
    );
    await expect(inTransaction(() => tick().then(() => pool.query('select 1')))).rejects.toThrow(SecondConnectionError);
    await expect(inTransaction((db) => inTransaction(() => db.connection().execute(tick)))).rejects.toThrow(
      SecondConnectionError,
    );
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('leaves its pool to what it started when it has ended, and to others all the time', async () => {
    let started: Promise<pg.QueryResult> | undefined;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const work = inTransaction(() => {
      started = ended.then(() => pool.query('select 1 as one'));
      return tick();
    });
    const other = pool.query('select 2 as two');
    await work;
    end();
    expect((await started)?.rows).toEqual([{ one: 1 }]);
    expect((await other).rows).toEqual([{ two: 2 }]);
    const second = createPool(database.url, { max: 1 });
    await inTransaction(() => second.query('select 1'));
    await second.end();
  });

  it('waits, in a worker that needs a second connection, until one is left for that', async () => {
    const three = createPool(database.url, { max: 3 });
    const db = createDatabase<unknown>(three);
    let most = 0;
    let open = 0;
    let twoAreOpen = (): void => undefined;
    const meeting = new Promise<void>((resolve) => (twoAreOpen = resolve));
    const work = (): Promise<unknown> =>
      withSecondConnection(() =>
        db.transaction().execute(async (trx) => {
          most = Math.max(most, (open += 1));
          if (open === 2) twoAreOpen();
          await meeting;
          await sql`select 1`.execute(trx);
          // A worker within this one has no place of its own.
          const { rows } = await withSecondConnection(() => sql<{ one: number }>`select 1 as one`.execute(db));
          open -= 1;
          return rows;
        }),
      );
    const failing = withSecondConnection(() => db.transaction().execute(() => Promise.reject(new Error('broken'))));
    await expect(failing).rejects.toThrow('broken');
    expect(await Promise.all(Array.from({ length: 9 }, work))).toEqual(Array.from({ length: 9 }, () => [{ one: 1 }]));
    expect(most).toBe(2);
    await three.end();
  });
});
