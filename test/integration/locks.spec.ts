import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { DatabaseSilentError } from '../../src/platform/database/budgeted-pool.js';
import { LeaseLostError } from '../../src/platform/database/lease-fence.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { withDatabaseBudget } from '../../src/platform/database/request-budget.js';
import { Locks } from '../../src/platform/locks.js';
import { OnlyExporter } from '../../src/platform/metrics/only-exporter.js';
import { runScript } from '../support/child-script.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

jest.setTimeout(60_000);

describe('Locks', () => {
  let database: TestDatabase<unknown>;
  /** As in the app. */
  let poolOfOne: pg.Pool;
  let secondPool: pg.Pool;
  let one: Locks;
  let two: Locks;

  beforeAll(async () => {
    database = await withTestDatabase();
    poolOfOne = createPool(database.url, { max: 1 });
    secondPool = createPool(database.url);
    one = new Locks(poolOfOne);
    two = new Locks(secondPool);
  });
  afterAll(async () => {
    await poolOfOne.end();
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

/** Holds a lock until it is lost, and then tries to write. */
const HOLDER = `
  import { Logger } from '@nestjs/common';
  import { createPool } from '../../src/platform/database/pool.js';
  import { Locks } from '../../src/platform/locks.js';
  Logger.overrideLogger(false);
  const pool = createPool(process.argv[2]);
  const message = await new Locks(pool, { idleMs: 500, beatMs: 50 }).withLock('sweep', async (lost) => {
    console.log('held');
    await new Promise((resolve) => lost.addEventListener('abort', resolve));
    return pool.query("insert into written values ('late')").catch((error) => error.message);
  });
  console.log(message);
  await pool.end();`;

/** The writes of a holder; the table of the test is `written`. */
describe('leases of Locks', () => {
  /** The process shows no life, and its session ends soon. */
  const HANGING = { idleMs: 300, beatMs: 60_000 };
  let database: TestDatabase<unknown>;
  let secondPool: pg.Pool;
  let db: Kysely<unknown>;
  let hanging: Locks;
  let other: Locks;
  const written = async (): Promise<string[]> =>
    (await secondPool.query<{ text: string }>('select text from written order by text')).rows.map(({ text }) => text);
  const insert = (text: string): Promise<unknown> => database.pool.query('insert into written values ($1)', [text]);
  const insertInTransaction = (text: string): Promise<unknown> =>
    db.transaction().execute((transaction) => sql`insert into written values (${text})`.execute(transaction));
  /** Takes a lock as soon as its holder has lost it, and keeps it during `work`. */
  const takeOver = <T>(name: string, work: () => Promise<T>): Promise<T | undefined> =>
    until(() => other.withLock(name, async () => ({ result: await work() })), 'the lock').then(({ result }) => result);

  beforeAll(async () => {
    database = await withTestDatabase();
    secondPool = createPool(database.url);
    db = createDatabase<unknown>(database.pool);
    hanging = new Locks(database.pool, HANGING);
    other = new Locks(secondPool);
    await database.pool.query('create table written (text text)');
  });
  beforeEach(() => database.pool.query('truncate written'));
  afterAll(async () => {
    await secondPool.end();
    await database.close();
  });

  it('a holder that hangs loses its lock, and can neither write single statements nor begin a transaction', async () => {
    const refused = await hanging.withLock('sweep', async (lost) => {
      await insert('before');
      // The lock that is given back does not take the time limit of the other one with it.
      await hanging.withLock('case:1', () => Promise.resolve());
      return takeOver('sweep', async () => {
        expect(lost.aborted).toBe(true);
        await expect(insertInTransaction('late')).rejects.toThrow(LeaseLostError);
        await expect(db.transaction().execute(() => Promise.resolve())).rejects.toThrow(
          'This process has lost the lock sweep to another one, so it writes nothing more under it.',
        );
        return insert('late').catch((error: unknown) => error);
      });
    });
    expect(refused).toBeInstanceOf(LeaseLostError);
    expect(await written()).toEqual(['before']);
    await insert('free again');
    expect(await written()).toEqual(['before', 'free again']);
  });

  it('a holder that hangs reads on, and its writes are refused also after the next holder has given the lock back', async () => {
    await hanging.withLock('sweep', async () => {
      await takeOver('sweep', () => Promise.resolve());
      expect(await written()).toEqual([]);
      await expect(insert('late')).rejects.toThrow(LeaseLostError);
    });
    expect(await written()).toEqual([]);
  });

  it('no part of the work of a holder that lost its lock can write, also when another part has ended the work', async () => {
    let refuse = (): void => undefined;
    const refused = new Promise<void>((resolve) => (refuse = resolve));
    const late = await new Promise<Promise<unknown>>((resolve) => {
      const work = hanging.withLock('sweep', async () => {
        resolve(refused.then(() => insert('late')).catch((error: unknown) => error));
        await takeOver('sweep', () => Promise.resolve());
        await insert('refused');
      });
      void work.catch(refuse);
    });
    expect(await late).toBeInstanceOf(LeaseLostError);
    expect(await written()).toEqual([]);
  });

  it('a holder that hangs within a transaction loses it after ten seconds', async () => {
    const limits = await other.withLock('sweep', () =>
      db.transaction().execute((trx) => sql`show idle_in_transaction_session_timeout`.execute(trx)),
    );
    expect(limits?.rows).toEqual([{ idle_in_transaction_session_timeout: '10s' }]);
  });

  it('a request whose time for the database is spent loses no lock of its process', async () => {
    const locks = new Locks(database.pool);
    await locks.withLock('sweep', async (lost) => {
      const silent = withDatabaseBudget(20, () =>
        locks.withLock('case:1', async () => database.pool.query('select pg_sleep(5)')),
      );
      await expect(silent).rejects.toThrow(DatabaseSilentError);
      expect(await locks.withLock('case:1', () => Promise.resolve('free'))).toBe('free');
      expect(lost.aborted).toBe(false);
    });
  });

  it('a holder completes a transaction that it has begun before another process can take the lock', async () => {
    await hanging.withLock('sweep', (lost) =>
      db.transaction().execute(async (transaction) => {
        await until(() => Promise.resolve(lost.aborted), 'the loss of the session');
        expect(await other.withLock('sweep', () => Promise.resolve('taken'))).toBeUndefined();
        await sql`insert into written values ('in time')`.execute(transaction);
      }),
    );
    expect(await other.withLock('sweep', written)).toEqual(['in time']);
  });

  it('a holder that hangs loses its locks also after another lock was refused to it', async () => {
    await secondPool.query(`insert into lease (name, key, owner) values ('sweep', 1, 'gone:1')`);
    await db.transaction().execute(async (transaction) => {
      // As an earlier holder does whose session is lost
      await sql`select from lease where name = 'sweep' for update`.execute(transaction);
      const late = new Locks(secondPool, HANGING);
      await late.withLock('case:1', async (lost) => {
        expect(await late.withLock('sweep', () => Promise.resolve('taken'))).toBeUndefined();
        await until(() => Promise.resolve(lost.aborted), 'the loss of the session');
      });
    });
    expect(await other.withLock('sweep', () => Promise.resolve('free'))).toBe('free');
  });

  it('a holder that lost its connection writes on while no other process takes the lock', async () => {
    await hanging.withLock('sweep', async (lost) => {
      await until(() => Promise.resolve(lost.aborted), 'the loss of the session');
      await insert('alone');
    });
    expect(await written()).toEqual(['alone']);
  });

  it('a holder loses nothing while it shows life, even when its clock jumps', async () => {
    const alive = new Locks(database.pool, { idleMs: 300, beatMs: 50 });
    const jump = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2099-01-01T00:00:00Z'));
    try {
      await alive.withLock('sweep', async (lost) => {
        const { rows } = await secondPool.query<{ at: Date }>('select clock_timestamp() as at');
        const isLater = `select clock_timestamp() > $1::timestamptz + interval '700 milliseconds' as later`;
        const passed = async (): Promise<boolean> =>
          (await secondPool.query<{ later: boolean }>(isLater, [rows[0]!.at])).rows[0]!.later;
        await until(passed, 'more than two time limits');
        expect([lost.aborted, await other.withLock('sweep', () => Promise.resolve('taken'))]).toEqual([
          false,
          undefined,
        ]);
        await insert('alive');
      });
    } finally {
      jump.mockRestore();
    }
    expect(await written()).toEqual(['alive']);
  });

  it('leaves no time limit on the connection that it gives back, and no row in the table', async () => {
    const pool = createPool(database.url, { max: 1 });
    const locks = new Locks(pool);
    await locks.withLock('sweep', () => locks.withLock('case:1', () => Promise.resolve()));
    const { rows } = await pool.query('show idle_session_timeout');
    expect(rows).toEqual([{ idle_session_timeout: '0' }]);
    expect((await pool.query('select name from lease')).rows).toEqual([]);
    await pool.end();
  });

  it('lets work write that its holder started in the background and that goes on after the lock', async () => {
    const background: Promise<unknown>[] = [];
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    await other.withLock('sweep', () => {
      background.push(
        begun.then(() => insert('afterwards')),
        insert('at the end'),
      );
      return Promise.resolve();
    });
    begin();
    await Promise.all(background);
    expect(await written()).toEqual(['afterwards', 'at the end']);
  });

  it('a process that is stopped and continued cannot write, and a killed one has no lock', async () => {
    const stopped = runScript(HOLDER, database.url);
    expect(await stopped.line()).toBe('held');
    stopped.process.kill('SIGSTOP');
    const message = await takeOver('sweep', () => {
      stopped.process.kill('SIGCONT');
      return stopped.line();
    });
    expect(message).toContain('has lost the lock sweep to another one');
    await stopped.ended;
    const killed = runScript(HOLDER, database.url);
    expect(await killed.line()).toBe('held');
    killed.process.kill('SIGKILL');
    expect(await takeOver('sweep', written)).toEqual([]);
  });

  it('logs once that another holder has a lock for long', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    try {
      await new Locks(database.pool).withLock('sweep', async () => {
        expect(await other.withLock('sweep', () => Promise.resolve('taken'))).toBeUndefined();
        expect(warn).not.toHaveBeenCalled();
        await secondPool.query(`update lease set claimed_at = claimed_at - interval '20 minutes'`);
        for (let attempt = 0; attempt < 2; attempt += 1) {
          expect(await other.withLock('sweep', () => Promise.resolve('taken'))).toBeUndefined();
        }
      });
      const details = { lock: 'sweep', owner: expect.stringMatching(/:\d+$/), heldSeconds: expect.any(Number) };
      expect(warn.mock.calls).toEqual([['A lock is held by another process for long.', details]]);
    } finally {
      warn.mockRestore();
    }
  });

  it('logs nothing about a lock that its holder keeps on purpose', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const end = new AbortController();
    const held = await new Locks(database.pool).hold('keys', end.signal);
    await secondPool.query(`update lease set claimed_at = claimed_at - interval '20 minutes'`);
    expect(await other.hold('keys', end.signal)).toBeNull();
    end.abort();
    await held?.ended;
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('lets another process show the figures of the database when the first one is scraped no more', async () => {
    const first = new OnlyExporter(new Locks(database.pool), 2_000, 50);
    const second = new OnlyExporter(other, 2_000);
    expect([await first.exportsShared(), await second.exportsShared()]).toEqual([true, false]);
    await until(() => second.exportsShared(), 'the lock of the first exporter');
    expect(await first.exportsShared()).toBe(false);
    await Promise.all([first.stop(), second.stop()]);
  });

  it('removes the old rows of killed processes', async () => {
    await secondPool.query(
      `insert into lease (name, key, owner, claimed_at) values
         ('killed', 1, 'gone:1', clock_timestamp() - interval '2 days'), ('lost', 2, 'gone:2', clock_timestamp())`,
    );
    const names = async (): Promise<unknown> => (await secondPool.query('select name from lease order by name')).rows;
    expect(await new Locks(database.pool).withLock('sweep', names)).toEqual([{ name: 'lost' }, { name: 'sweep' }]);
  });
});
