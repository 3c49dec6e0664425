import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import { createPool } from '../../src/platform/database/pool.js';
import { Locks } from '../../src/platform/locks.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

jest.setTimeout(60_000);

describe('Locks', () => {
  let database: TestDatabase<unknown>;
  let secondPool: pg.Pool;
  let one: Locks;
  let two: Locks;

  beforeAll(async () => {
    database = await withTestDatabase();
    secondPool = createPool(database.url);
    one = new Locks(database.pool);
    two = new Locks(secondPool);
  });
  afterAll(async () => {
    await secondPool.end();
    await database.close();
  });

  it('lets one instance work at a time', async () => {
    const inside = await one.withLock('sweep', async () => [
      await two.withLock('sweep', () => Promise.resolve('both')),
      await one.withLock('sweep', () => Promise.resolve('twice')),
      await two.withLock('other', () => Promise.resolve('other')),
    ]);
    expect(inside).toEqual([undefined, undefined, 'other']);
    expect(await two.withLock('sweep', () => Promise.resolve('later'))).toBe('later');
  });

  it('holds all locks of an instance with one connection, and gives it back after the last one', async () => {
    const many = createPool(database.url);
    const locks = new Locks(many);
    const inside: unknown[] = [];
    const hold = (names: readonly string[]): Promise<unknown> => {
      const [name, ...others] = names;
      if (name !== undefined) return locks.withLock(name, () => hold(others));
      inside.push(many.totalCount, many.idleCount);
      return Promise.resolve();
    };
    await Promise.all([hold(['a', 'b', 'c']), hold(['d', 'e'])]);
    expect(inside).toEqual([1, 0, 1, 0]);
    await until(() => Promise.resolve(many.idleCount === 1), 'the connection to be given back');
    expect(many.totalCount).toBe(1);
    await many.end();
  });

  it('cannot be requested without a database, and can when it is back', async () => {
    let down = true;
    const pool = { connect: () => (down ? Promise.reject(new Error('no connection')) : database.pool.connect()) };
    const locks = new Locks(pool as pg.Pool);
    const work = () => locks.withLock('sweep', () => Promise.resolve('done'));
    await expect(Promise.all([work(), locks.withLock('other', work)])).rejects.toThrow('no connection');
    down = false;
    expect(await work()).toBe('done');
  });

  it('releases the lock and rethrows the error when the work fails', async () => {
    await expect(one.withLock('sweep', () => Promise.reject(new Error('broken work')))).rejects.toThrow('broken work');
    expect(await two.withLock('sweep', () => Promise.resolve('free'))).toBe('free');
  });

  it('releases the lock when its connection breaks, and completes the work', async () => {
    const result = await one.withLock('sweep', async () => {
      await secondPool.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return until(() => two.withLock('sweep', () => Promise.resolve('taken')), 'the lock');
    });
    expect(result).toBe('taken');
    expect(await one.withLock('sweep', () => Promise.resolve('again'))).toBe('again');
  });
});
