import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Transaction, sql } from 'kysely';
import pg from 'pg';
import { Notifications } from '../../src/platform/database/notifications.js';
import { createPool } from '../../src/platform/database/pool.js';
import { NO_STREAM, type StoredEvent } from '../../src/platform/event-store/event-store.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { lockKey } from '../../src/platform/lock-session.js';
import { Locks } from '../../src/platform/locks.js';
import { type Projection } from '../../src/platform/projections/projection.js';
import { lockOfProjections, ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { newEvent } from '../contract/event-store.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';
import { resumeTime, stopTime } from '../support/stopped-time.js';

jest.setTimeout(60_000);

/** An event that a copier has applied; the table has the name of its projection. */
interface Seen {
  place: number;
  stream: string;
  version: number;
  runner: string;
}
type SeenTables = Record<string, Seen>;

describe('ProjectionRunner', () => {
  let database: TestDatabase<SeenTables>;
  let otherPool: pg.Pool;
  let store: PostgresEventStore;
  let otherStore: PostgresEventStore;
  let locks: Locks;
  let otherLocks: Locks;
  const runners: ProjectionRunner[] = [];

  beforeAll(async () => {
    database = await withTestDatabase<SeenTables>();
    otherPool = createPool(database.url);
    store = new PostgresEventStore(database.pool);
    otherStore = new PostgresEventStore(otherPool);
    locks = new Locks(database.pool);
    otherLocks = new Locks(otherPool);
  });

  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    jest.restoreAllMocks();
  });

  afterAll(async () => {
    await store.close();
    await otherStore.close();
    await otherPool.end();
    await database.close();
  });

  /** Copies each event into the table of its name. `before` may fail or wait. */
  function copier(
    name: string,
    {
      version = 1,
      runner = 'one',
      before,
      keepsUp = [],
    }: { keepsUp?: number[]; version?: number; runner?: string; before?: Projection<SeenTables>['apply'] } = {},
  ): Projection<SeenTables> {
    return {
      name,
      version,
      streamPrefix: `${name}-`,
      tables: [name],
      keepsUp,
      apply: async (events: readonly StoredEvent[], trx: Transaction<SeenTables>) => {
        await before?.(events, trx);
        const rows = events.map((event) => ({ stream: event.stream, version: event.version, runner }));
        await sql`insert into ${sql.id(name)} (stream, version, runner)
          select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (stream text, version int, runner text)`.execute(
          trx,
        );
      },
    };
  }

  function runnerOf(
    projections: Projection<SeenTables>[],
    on: 'one' | 'other' = 'one',
    intervals?: { lookMs?: number; claimMs?: number },
  ): ProjectionRunner {
    const runner =
      on === 'one'
        ? new ProjectionRunner(database.pool, store, intervals)
        : new ProjectionRunner(otherPool, otherStore, intervals);
    for (const projection of projections) runner.register(projection);
    runners.push(runner);
    return runner;
  }

  /** Creates a table under a new name. It has no unique key, so that an event applied twice is visible. */
  async function newName(): Promise<string> {
    const name = `p${randomUUID().slice(0, 8)}`;
    await sql`create table ${sql.id(name)} (
      place bigint generated always as identity, stream text, version int, runner text
    )`.execute(database.db);
    return name;
  }
  const seenBy = async (name: string): Promise<string[]> => {
    const rows = await database.db.selectFrom(name).selectAll().orderBy('place').execute();
    return rows.map(({ stream, version }) => `${stream.slice(name.length + 1)}:${version}`);
  };
  /** Appends n events, one at a time, and returns the position of the last. */
  async function write(name: string, stream: string, count: number, from = 0): Promise<string> {
    let position = '';
    for (let version = from; version < from + count; version += 1) {
      ({ position } = await store.append(`${name}-${stream}`, version - 1, [newEvent()]));
    }
    return position;
  }

  it('applies every event of the prefix once and in order in catchUp', async () => {
    const name = await newName();
    const runner = runnerOf([copier(name)]);
    await write(name, 'a', 2);
    await write(await newName(), 'elsewhere', 1);
    await write(name, 'b', 1);
    await runner.catchUp();
    expect(await seenBy(name)).toEqual(['a:0', 'a:1', 'b:0']);
    await write(name, 'a', 1, 2);
    await runner.catchUp(name);
    await runner.catchUp(name);
    expect(await seenBy(name)).toEqual(['a:0', 'a:1', 'b:0', 'a:2']);
  });

  it('applies no event to a projection before the one that it follows has applied it', async () => {
    const name = await newName();
    const follower = await newName();
    const leader = copier(name);
    const following = { ...copier(follower), streamPrefix: `${name}-`, follows: leader };
    await write(name, 'a', 2);
    const alone = runnerOf([following]);
    alone.start(locks);
    expect(await alone.waitFor(await write(name, 'a', 1, 2), { timeoutMs: 300 })).toBe(false);
    expect(await seenBy(follower)).toEqual([]);
    await alone.stop();
    expect((await alone.status()).map(({ state }) => state)).toEqual(['new']);
    const both = runnerOf([following, leader]);
    await both.catchUp(follower);
    expect(await seenBy(name)).toEqual(['a:0', 'a:1', 'a:2']);
    expect(await database.db.selectFrom(follower).selectAll().execute()).toHaveLength(3);
    both.start(locks);
    expect(await both.waitFor(await write(name, 'a', 1, 3), { timeoutMs: 10_000 })).toBe(true);
    await both.stop();
    // Rows of another version may mean something else.
    const later = runnerOf([{ ...following, follows: { name, version: 2 } }]);
    later.start(locks);
    expect(await later.waitFor(await write(name, 'a', 1, 4), { timeoutMs: 300 })).toBe(false);
    expect(await database.db.selectFrom(follower).selectAll().execute()).toHaveLength(4);
  });

  it('applies many pages in order', async () => {
    const name = await newName();
    const pages: number[] = [];
    const before = (events: readonly StoredEvent[]): Promise<void> => Promise.resolve(void pages.push(events.length));
    await store.append(
      `${name}-long`,
      NO_STREAM,
      Array.from({ length: 9003 }, () => newEvent()),
    );
    await runnerOf([copier(name, { before })]).catchUp();
    expect(pages).toEqual([4000, 4000, 1003]);
    expect(await seenBy(name)).toEqual(Array.from({ length: 9003 }, (_, version) => `long:${version}`));
  });

  it('follows in the background, so that a reader can wait for its own writes', async () => {
    const name = await newName();
    const runner = runnerOf([copier(name)]);
    runner.start(locks);
    for (let round = 0; round < 5; round += 1) {
      const position = await write(name, 'a', 3, round * 3);
      expect(await runner.waitFor(position, { timeoutMs: 10_000 })).toBe(true);
      expect(await seenBy(name)).toHaveLength((round + 1) * 3);
    }
  });

  it('applies an event for which no notification came', async () => {
    const name = await newName();
    jest.spyOn(store, 'onAppended').mockReturnValue(() => undefined);
    const runner = runnerOf([copier(name)], 'one', { lookMs: 10 });
    runner.start(locks);
    for (const version of [0, 1])
      expect(await runner.waitFor(await write(name, 'a', 1, version), { timeoutMs: 10_000 })).toBe(true);
    expect(await seenBy(name)).toEqual(['a:0', 'a:1']);
  });

  it('a reader in a process without projections is notified when another process has applied its event', async () => {
    const name = await newName();
    const worker = runnerOf([copier(name)]);
    const reader = runnerOf([copier(name)], 'other');
    const notifications = new Notifications({ connectionString: database.url });
    await reader.followOthers(notifications);
    await worker.catchUp();
    const position = await write(name, 'a', 1);
    // No interval passes any more.
    stopTime();
    try {
      const waited = reader.waitFor(position, { timeoutMs: 30_000 });
      await worker.catchUp();
      expect(await waited).toBe(true);
    } finally {
      resumeTime();
      await notifications.close();
    }
  });

  it('stops waiting after the time limit of the reader', async () => {
    const name = await newName();
    const runner = runnerOf([copier(name)]);
    const position = await write(name, 'a', 1);
    expect(await runner.waitFor(position, { timeoutMs: 20 })).toBe(false);
    await runner.catchUp();
    expect(await runner.waitFor(position, { timeoutMs: 0 })).toBe(true);
  });

  it('does not wait for events of other prefixes', async () => {
    const name = await newName();
    const idle = await newName();
    const empty = await newName();
    await write(idle, 'a', 1);
    const runner = runnerOf([copier(name), copier(idle), copier(empty)]);
    await runner.catchUp();
    const position = await write(name, 'a', 1);
    await runner.catchUp(name);
    expect(await runner.waitFor(position, { timeoutMs: 0 })).toBe(true);
  });

  it('waits in catchUp for an open transaction that hides events', async () => {
    const name = await newName();
    const runner = runnerOf([copier(name)]);
    const slow = await database.pool.connect();
    await slow.query('begin');
    await slow.query('select pg_current_xact_id()');
    await write(name, 'a', 1);
    let caughtUp = false;
    const catching = runner.catchUp().then(() => (caughtUp = true));
    expect(await runner.waitFor(String(await store.lastPosition(`${name}-`)), { timeoutMs: 50 })).toBe(false);
    expect(caughtUp).toBe(false);
    await slow.query('commit');
    slow.release();
    await catching;
    expect(await seenBy(name)).toEqual(['a:0']);
  });

  it('applies each event once when two instances run while many clients write', async () => {
    const name = await newName();
    const one = runnerOf([copier(name)]);
    const two = runnerOf([copier(name, { runner: 'two' })], 'other');
    one.start(locks);
    two.start(otherLocks);
    const last = await Promise.all(Array.from({ length: 8 }, (_, writer) => write(name, `w${writer}`, 20)));
    for (const position of last) {
      expect(await one.waitFor(position, { timeoutMs: 20_000 })).toBe(true);
      expect(await two.waitFor(position, { timeoutMs: 20_000 })).toBe(true);
    }
    const runs = await database.db.selectFrom(name).select('runner').distinct().execute();
    expect(runs).toHaveLength(1); // the other instance applies nothing
    const seen = await seenBy(name);
    expect(seen).toHaveLength(160);
    expect(new Set(seen).size).toBe(160);
    for (let writer = 0; writer < 8; writer += 1) {
      const own = seen.filter((entry) => entry.startsWith(`w${writer}:`));
      expect(own).toEqual(Array.from({ length: 20 }, (_, version) => `w${writer}:${version}`));
    }
  });

  it('takes over at once when another instance stops', async () => {
    const name = await newName();
    const one = runnerOf([copier(name)]);
    one.start(locks);
    expect(await one.waitFor(await write(name, 'a', 1), { timeoutMs: 10_000 })).toBe(true);
    const two = runnerOf([copier(name, { runner: 'two' })], 'other', { claimMs: 600_000 });
    const notifications = new Notifications({ connectionString: database.url });
    await two.followOthers(notifications);
    two.start(otherLocks);
    const position = await write(name, 'a', 1, 1);
    expect(await one.waitFor(position, { timeoutMs: 10_000 })).toBe(true);
    await one.stop();
    expect(await two.waitFor(await write(name, 'a', 1, 2), { timeoutMs: 10_000 })).toBe(true);
    await notifications.close();
    const rows = await database.db.selectFrom(name).selectAll().orderBy('place').execute();
    expect(rows.map(({ runner }) => runner)).toEqual(['one', 'one', 'two']);
  });

  it('takes over when the process that runs the projections is killed', async () => {
    const name = await newName();
    const projection = copier(name);
    const killed = new pg.Client({ connectionString: database.url });
    await killed.connect();
    await killed.query('select pg_advisory_lock($1)', [lockKey(`lock:${lockOfProjections([projection])}`)]);
    const runner = runnerOf([projection], 'one', { claimMs: 10 });
    runner.start(locks);
    const position = await write(name, 'a', 1);
    expect(await runner.waitFor(position, { timeoutMs: 100 })).toBe(false);
    await killed.end();
    expect(await runner.waitFor(position, { timeoutMs: 10_000 })).toBe(true);
  });

  it('takes the lock again when its lease is gone', async () => {
    const name = await newName();
    const projection = copier(name);
    const runner = runnerOf([projection]);
    runner.start(locks);
    expect(await runner.waitFor(await write(name, 'a', 1), { timeoutMs: 10_000 })).toBe(true);
    const lease = [lockOfProjections([projection])];
    const { rows } = await otherPool.query<{ token: string }>('select token from lease where name = $1', lease);
    await otherPool.query('delete from lease where name = $1', lease);
    expect(await runner.waitFor(await write(name, 'a', 1, 1), { timeoutMs: 10_000 })).toBe(true);
    expect(await seenBy(name)).toEqual(['a:0', 'a:1']);
    const after = await otherPool.query<{ token: string }>('select token from lease where name = $1', lease);
    expect(after.rows).toHaveLength(1);
    expect(after.rows).not.toEqual(rows);
  });

  it('goes on after the connection of its lock was lost', async () => {
    const name = await newName();
    const projection = copier(name);
    const runner = runnerOf([projection], 'one', { claimMs: 600_000 });
    runner.start(locks);
    expect(await runner.waitFor(await write(name, 'a', 1), { timeoutMs: 10_000 })).toBe(true);
    const key = lockKey(`lock:${lockOfProjections([projection])}`);
    const holders = `select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and ((classid::bigint << 32) | objid::bigint) = $1::bigint`;
    expect((await otherPool.query(holders, [key])).rowCount).toBe(1);
    expect(await runner.waitFor(await write(name, 'a', 1, 1), { timeoutMs: 10_000 })).toBe(true);
    expect(await seenBy(name)).toEqual(['a:0', 'a:1']);
  });

  it('lets another instance try when a projection keeps failing', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const name = await newName();
    const failing = runnerOf([copier(name, { before: () => Promise.reject(new Error('not here')) })]);
    failing.start(locks);
    const position = await write(name, 'a', 1);
    expect(await failing.waitFor(position, { timeoutMs: 50 })).toBe(false);
    const healthy = runnerOf([copier(name, { runner: 'two' })], 'other', { claimMs: 20 });
    healthy.start(otherLocks);
    expect(await healthy.waitFor(position, { timeoutMs: 30_000 })).toBe(true);
  });

  it('rolls back a failed page, logs the failure, and retries the same page', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const name = await newName();
    let failures = 2;
    const before: Projection<SeenTables>['apply'] = async (events, trx) => {
      await sql`insert into ${sql.id(name)} (stream, version, runner) values (${`${name}-half`}, 0, 'x')`.execute(trx);
      if (failures > 0) {
        failures -= 1;
        throw new Error(`no ${events.length}`);
      }
      await trx.deleteFrom(name).where('stream', '=', `${name}-half`).execute();
    };
    const position = await write(name, 'a', 2);
    const runner = runnerOf([copier(name, { before })]);
    runner.start(locks);
    expect(await runner.waitFor(position, { timeoutMs: 10_000 })).toBe(true);
    expect(await seenBy(name)).toEqual(['a:0', 'a:1']);
    expect(errors).toHaveBeenCalledTimes(2);
    expect(errors.mock.calls[1]).toEqual([
      'A projection failed; it will be retried.',
      { projection: name, failures: 2, pauseMs: 200, error: expect.objectContaining({ cause: new Error('no 2') }) },
    ]);
  });

  it('warns of a busy pool, and logs an error when no connection is free four times', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const name = await newName();
    const runner = runnerOf([copier(name)]);
    const step = jest.spyOn(runner as unknown as { step: () => Promise<string> }, 'step');
    for (let failures = 0; failures < 4; failures += 1) {
      step.mockRejectedValueOnce(new Error('timeout exceeded when trying to connect'));
    }
    const position = await write(name, 'a', 1);
    runner.start(locks);
    expect(await runner.waitFor(position, { timeoutMs: 10_000 })).toBe(true);
    const logged = (calls: readonly (readonly unknown[])[]) =>
      calls.flatMap(([message, details]) =>
        message === 'A projection failed; it will be retried.' ? [(details as { failures: number }).failures] : [],
      );
    expect([logged(warnings.mock.calls), logged(errors.mock.calls)]).toEqual([[1, 2, 3], [4]]);
  });

  it('rejects catchUp with the error of the projection', async () => {
    const name = await newName();
    await write(name, 'a', 1);
    const runner = runnerOf([copier(name, { before: () => Promise.reject(new Error('cannot')) })]);
    await expect(runner.catchUp()).rejects.toThrow(`The projection ${name} could not apply the events at `);
    await expect(runner.catchUp('unknown')).rejects.toThrow('There is no projection named unknown.');
  });

  it('continues after the server has closed its connection in the middle of a page', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const name = await newName();
    let cuts = 1;
    const before: Projection<SeenTables>['apply'] = async (_events, trx) => {
      if (cuts-- <= 0) return;
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await otherPool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    };
    const runner = runnerOf([copier(name, { before })]);
    runner.start(locks);
    expect(await runner.waitFor(await write(name, 'a', 3), { timeoutMs: 10_000 })).toBe(true);
    expect(await seenBy(name)).toEqual(['a:0', 'a:1', 'a:2']);
  });

  it('rebuilds when the version is raised, and an older build then changes nothing', async () => {
    const name = await newName();
    await write(name, 'a', 2);
    await runnerOf([copier(name)]).catchUp();
    await sql`update ${sql.id(name)} set version = 99`.execute(database.db);
    await runnerOf([copier(name, { version: 2 })]).catchUp();
    expect(await seenBy(name)).toEqual(['a:0', 'a:1']);

    const older = runnerOf([copier(name, { before: () => Promise.reject(new Error('must not run')) })]);
    older.start(locks);
    const newer = runnerOf([copier(name, { version: 2 })], 'other');
    newer.start(locks);
    expect(await newer.waitFor(await write(name, 'a', 1, 2), { timeoutMs: 10_000 })).toBe(true);
    expect(await seenBy(name)).toEqual(['a:0', 'a:1', 'a:2']);
  });

  it.each([
    ['position', "position = position || '0'"],
    ['version', 'version = version + 1'],
  ])('rolls back a page when the %s of the checkpoint has changed meanwhile', async (_column, change) => {
    const name = await newName();
    await write(name, 'a', 1);
    let changes = 0;
    const before = async (): Promise<void> => {
      if (changes === 0) return;
      changes -= 1;
      await otherPool.query(`update projection_checkpoint set ${change} where name = $1`, [name]);
    };
    const runner = runnerOf([copier(name, { before })]);
    await runner.catchUp();
    await write(name, 'a', 1, 1);
    changes = 1;
    await expect(runner.catchUp()).rejects.toThrow(`the checkpoint of ${name}`);
    expect(await seenBy(name)).toEqual(['a:0']);
  });

  it('completes the current page before it stops', async () => {
    const name = await newName();
    let entered = (): void => undefined;
    let release = (): void => undefined;
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const gate = new Promise<void>((resolve) => (release = resolve));
    const runner = runnerOf([copier(name, { before: () => (entered(), gate) })]);
    await write(name, 'a', 1);
    runner.start(locks);
    await inside;
    const stopped = runner.stop();
    release();
    await stopped;
    expect(await seenBy(name)).toEqual(['a:0']);
  });

  it('refuses to register a projection twice or after the start', async () => {
    const name = await newName();
    const runner = runnerOf([copier(name)]);
    expect(() => runner.register(copier(name))).toThrow(`There are two projections named ${name}.`);
    runner.start(locks);
    const late = copier(await newName());
    expect(() => runner.register(late)).toThrow(/was registered after the start/);
  });
});
