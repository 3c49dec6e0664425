import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { NO_STREAM } from '../../src/platform/event-store/event-store.js';
import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
import { type CheckpointTables } from '../../src/platform/projections/checkpoint.js';
import { Locks } from '../../src/platform/locks.js';
import { type Projection } from '../../src/platform/projections/projection.js';
import {
  ProjectionRebuild,
  type RebuildOptions,
  type RebuildProgress,
} from '../../src/platform/projections/projection-rebuild.js';
import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
import { ShadowTables } from '../../src/platform/projections/shadow-tables.js';
import { newEvent } from '../contract/event-store.js';
import { runScript } from '../support/child-script.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

jest.setTimeout(60_000);

/**
 * Rows of two tables that are always written together: how many events, and each of them with a word of the version.
 */
type Tables = Record<string, { place: number; total: number; stream: string; version: number; word: string }>;

/** More than two pages. */
const MANY = 9_000;

describe('ProjectionRebuild', () => {
  let database: TestDatabase<Tables>;
  let otherPool: pg.Pool;
  let store: PostgresEventStore;
  let otherStore: PostgresEventStore;
  const runners: ProjectionRunner[] = [];

  beforeAll(async () => {
    Logger.overrideLogger(['error', 'fatal']);
    database = await withTestDatabase<Tables>();
    otherPool = createPool(database.url);
    store = new PostgresEventStore(database.pool);
    otherStore = new PostgresEventStore(otherPool);
  });

  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    jest.restoreAllMocks();
  });

  afterAll(async () => {
    Logger.overrideLogger(true);
    await store.close();
    await otherStore.close();
    await otherPool.end();
    await database.close();
  });

  interface Options {
    readonly version?: number;
    readonly word?: string;
    readonly keepsUp?: number[];
    readonly before?: Projection<Tables>['apply'];
  }

  /** `<name>_sum` holds one row with the number of events; `<name>_line` holds a row per event. */
  function counter(
    name: string,
    { version = 1, word = `v${version}`, keepsUp = [], before }: Options = {},
  ): Projection<Tables> {
    return {
      name,
      version,
      keepsUp,
      streamPrefix: `${name}-`,
      tables: [`${name}_sum`, `${name}_line`],
      apply: async (events, trx) => {
        await before?.(events, trx);
        await sql`insert into ${sql.id(`${name}_sum`)} as s (id, total) values (1, ${events.length})
          on conflict (id) do update set total = s.total + excluded.total`.execute(trx);
        await trx
          .insertInto(`${name}_line`)
          .columns(['stream', 'version', 'word'])
          .expression(
            trx.selectNoFrom([
              sql<string>`unnest(${events.map(({ stream }) => stream)}::text[])`.as('stream'),
              sql<number>`unnest(${events.map((event) => event.version)}::int[])`.as('version'),
              sql<string>`${word}::text`.as('word'),
            ]),
          )
          .execute();
      },
    };
  }

  async function newTables(): Promise<string> {
    const name = `p${randomUUID().slice(0, 8)}`;
    await sql`create table ${sql.id(`${name}_sum`)} (id int primary key, total bigint not null)`.execute(database.db);
    await sql`create table ${sql.id(`${name}_line`)} (place bigint generated always as identity,
      stream text not null, version int check (version >= 0), word text default 'none')`.execute(database.db);
    await sql`create index ${sql.id(`${name}_by_word`)} on ${sql.id(`${name}_line`)} (lower(word)) where version > 1`.execute(
      database.db,
    );
    return name;
  }

  async function write(name: string, stream: string, count: number, from = 0): Promise<string> {
    const { position } = await store.append(
      `${name}-${stream}`,
      from === 0 ? NO_STREAM : from - 1,
      Array.from({ length: count }, () => newEvent()),
    );
    return position;
  }

  /** Reads both tables in one statement. */
  async function seen(name: string, pool = database.pool): Promise<{ total: number; lines: number; words: string }> {
    const { rows } = await pool.query<{ total: number; lines: number; words: string }>(
      `select coalesce((select total from ${name}_sum), 0)::int as total, count(*)::int as lines,
         coalesce(string_agg(distinct word, ','), '') as words from ${name}_line`,
    );
    return rows[0] as { total: number; lines: number; words: string };
  }

  function runnerOf(projection: Projection<Tables>, on: 'one' | 'other' = 'one'): ProjectionRunner {
    const runner =
      on === 'one' ? new ProjectionRunner(database.pool, store) : new ProjectionRunner(otherPool, otherStore);
    runner.register(projection);
    runners.push(runner);
    return runner;
  }

  /** @returns the name of a projection that has applied this many events */
  async function projected(count: number): Promise<string> {
    const name = await newTables();
    await write(name, 'a', count);
    await runnerOf(counter(name)).catchUp();
    return name;
  }

  /** A reader that keeps the lines of a projection locked until its transaction ends. */
  async function readLines(name: string): Promise<{ end(): Promise<void> }> {
    const client = await otherPool.connect();
    await client.query('begin');
    await client.query(`select * from ${name}_line`);
    const end = async (): Promise<void> => {
      await client.query('commit');
      client.release();
    };
    return { end };
  }

  const db = (): Kysely<CheckpointTables> => createDatabase<CheckpointTables>(database.pool);
  const rebuildOf = (projection: Projection<Tables>): ProjectionRebuild =>
    new ProjectionRebuild(db(), store, projection as unknown as Projection<unknown>);
  const rebuild = (projection: Projection<Tables>, options?: RebuildOptions) => rebuildOf(projection).run(options);
  const unfinished = async (name: string): Promise<unknown[]> => {
    const { rows } = await database.pool.query<{ found: string }>(
      `select nspname as found from pg_namespace where nspname like $1
       union all select name from projection_rebuild where name = $2`,
      [`projection\\_${name}%`, name],
    );
    return rows;
  };
  const gate = (): { opened: Promise<void>; open: () => void } => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    return { opened, open };
  };

  it('fills new tables next to the old ones and then switches to them, with progress and an estimate', async () => {
    const name = await projected(MANY);
    const progress: RebuildProgress[] = [];
    const states: unknown[] = [];
    const before = async (): Promise<void> => void states.push(await seen(name, otherPool));
    const end = await rebuild(counter(name, { version: 2, before }), { onProgress: (step) => progress.push(step) });
    expect(end).toBe('switched');
    expect(states).toEqual([1, 2, 3].map(() => ({ total: MANY, lines: MANY, words: 'v1' })));
    expect(await seen(name)).toEqual({ total: MANY, lines: MANY, words: 'v2' });
    expect(progress.map(({ events, total }) => [events, total])).toEqual([
      [4000, MANY],
      [8000, MANY],
    ]);
    for (const { events, eventsPerSecond, etaSeconds } of progress) {
      expect(eventsPerSecond).toBeGreaterThan(0);
      expect(etaSeconds).toBe(Math.ceil((MANY - events) / eventsPerSecond));
    }
    expect(await unfinished(name)).toEqual([]);
  });

  it('never shows a reader an empty or a half-built table', async () => {
    const name = await projected(500);
    let reading = true;
    const wrong: unknown[] = [];
    const words = new Set<string>();
    const reader = async (pool: pg.Pool): Promise<number> => {
      let reads = 0;
      for (; reading; reads += 1) {
        const found = await seen(name, pool);
        words.add(found.words);
        if (found.total !== 500 || found.lines !== 500 || found.words.includes(',')) wrong.push(found);
      }
      return reads;
    };
    const readers = [reader(database.pool), reader(otherPool)];
    for (let version = 2; version < 5; version += 1) {
      expect(await rebuild(counter(name, { version }))).toBe('switched');
    }
    reading = false;
    const reads = (await Promise.all(readers)).reduce((sum, count) => sum + count, 0);
    expect(wrong).toEqual([]);
    expect(reads).toBeGreaterThan(10);
    expect(words.size).toBeGreaterThan(1);
  });

  it('starts in the app when a version is raised, while an older build continues with the live tables', async () => {
    const name = await newTables();
    await write(name, 'a', 5);
    const older = runnerOf(counter(name), 'other');
    older.start(new Locks(otherPool));
    await older.catchUp();
    const held = gate();
    const newer = runnerOf(counter(name, { version: 2, before: () => held.opened }));
    newer.start(new Locks(database.pool));
    const position = await write(name, 'b', 3);
    expect(await newer.waitFor(position, { timeoutMs: 10_000 })).toBe(true);
    expect(await seen(name)).toEqual({ total: 8, lines: 8, words: 'v1' });
    held.open();
    await until(async () => (await seen(name)).words !== 'v1');
    const after = await write(name, 'a', 2, 5);
    expect(await newer.waitFor(after, { timeoutMs: 10_000 })).toBe(true);
    expect(await older.waitFor(after, { timeoutMs: 10_000 })).toBe(true);
    expect(await seen(name)).toEqual({ total: 10, lines: 10, words: 'v2' });
  });

  it('keeps the old tables up to date when the new build can write their rows', async () => {
    const name = await projected(5);
    const held = gate();
    const inShadow = async (_: unknown, trx: Parameters<Projection<Tables>['apply']>[1]): Promise<void> => {
      const { rows } = await sql<{ path: string }>`select current_setting('search_path') as path`.execute(trx);
      if (rows[0]?.path.startsWith('projection_')) await held.opened;
    };
    const runner = runnerOf(counter(name, { version: 2, keepsUp: [1], before: inShadow }));
    runner.start(new Locks(database.pool));
    expect(await runner.waitFor(await write(name, 'b', 3), { timeoutMs: 10_000 })).toBe(true);
    expect(await seen(name)).toEqual({ total: 8, lines: 8, words: 'v1,v2' });
    expect(await runner.status()).toMatchObject([{ name, state: 'outdated', liveVersion: 1, lagEvents: 0 }]);
    held.open();
    await until(async () => (await seen(name)).words === 'v2');
    expect(await seen(name)).toEqual({ total: 8, lines: 8, words: 'v2' });
  });

  it('leaves the live tables unchanged when it fails, and resumes where it stopped', async () => {
    const name = await projected(MANY);
    let failing = true;
    const pages: number[] = [];
    const before: Projection<Tables>['apply'] = (events) => {
      if (failing && pages.length === 2) return Promise.reject(new Error('cannot'));
      return Promise.resolve(void pages.push(events.length));
    };
    const next = counter(name, { version: 2, before });
    await expect(rebuild(next)).rejects.toThrow(`The projection ${name} could not apply the events at `);
    expect(await seen(name)).toEqual({ total: MANY, lines: MANY, words: 'v1' });
    const runner = runnerOf(counter(name));
    expect(await runner.status()).toMatchObject([
      { state: 'current', rebuild: { version: 2, events: 8_000, total: MANY } },
    ]);
    failing = false;
    expect(await rebuild(next)).toBe('switched');
    expect(pages).toEqual([4_000, 4_000, 1_000]);
    expect(await seen(name)).toEqual({ total: MANY, lines: MANY, words: 'v2' });
  });

  it('retries and logs a failed build, and keeps serving the old tables', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const name = await projected(5);
    let failures = 2;
    const held = gate();
    const before = (): Promise<void> => ((failures -= 1) >= 0 ? Promise.reject(new Error('no')) : held.opened);
    const runner = runnerOf(counter(name, { version: 2, before }));
    runner.start(new Locks(database.pool));
    await until(() => errors.mock.calls.length > 0);
    expect(await seen(name)).toEqual({ total: 5, lines: 5, words: 'v1' });
    held.open();
    await until(async () => (await seen(name)).words !== 'v1');
    expect(await seen(name)).toEqual({ total: 5, lines: 5, words: 'v2' });
    expect(errors.mock.calls[0]).toEqual([
      'A projection could not be rebuilt; it will be retried.',
      expect.objectContaining({ projection: name, failures: 1 }),
    ]);
  });

  it('supports interrupting, resuming, restarting and abandoning', async () => {
    const name = await projected(MANY);
    const pages: number[] = [];
    const before: Projection<Tables>['apply'] = (events) => Promise.resolve(void pages.push(events.length));
    const again = counter(name, { word: 'again', before });
    const interruptAfter = (events: number): RebuildOptions => {
      const stop = new AbortController();
      return {
        signal: stop.signal,
        onProgress: (progress) => {
          if (progress.events >= events) stop.abort();
        },
      };
    };
    expect(await rebuild(again, interruptAfter(4_000))).toBe('interrupted');
    expect(await rebuild(again, interruptAfter(8_000))).toBe('interrupted');
    expect(pages).toEqual([4_000, 4_000]);
    expect(await rebuildOf(again).abandon()).toBe(true);
    expect(await rebuildOf(again).abandon()).toBe(false);
    expect(await unfinished(name)).toEqual([]);
    expect(await rebuild(again, interruptAfter(4_000))).toBe('interrupted');
    expect(await rebuild(again, { fresh: true })).toBe('switched');
    expect(pages.slice(2)).toEqual([4_000, 4_000, 4_000, 1_000]);
    expect(await seen(name)).toEqual({ total: MANY, lines: MANY, words: 'again' });
  });

  it('keeps names and definitions of keys, indexes, checks, identity, options and grants', async () => {
    const name = await newTables();
    await sql`alter table ${sql.id(`${name}_line`)} set (fillfactor = 70)`.execute(database.db);
    await sql`grant select on ${sql.id(`${name}_line`)} to public`.execute(database.db);
    const definition = async (): Promise<unknown> => {
      const { rows } = await database.pool.query(
        `select c.relname, c.reloptions, c.relacl::text,
           (select array_agg(pg_get_indexdef(i.indexrelid) order by 1) from pg_index i where i.indrelid = c.oid) as indexes,
           (select array_agg(k.conname || pg_get_constraintdef(k.oid) order by k.conname) from pg_constraint k
            where k.conrelid = c.oid) as constraints,
           (select array_agg(concat(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity) order by a.attnum)
            from pg_attribute a where a.attrelid = c.oid and a.attnum > 0) as columns
         from pg_class c where c.relname like $1 and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
        [`${name}%`],
      );
      return rows;
    };
    await write(name, 'a', 3);
    await runnerOf(counter(name)).catchUp();
    const before = await definition();
    expect(await rebuild(counter(name, { version: 2 }))).toBe('switched');
    expect(await definition()).toEqual(before);
    await write(name, 'a', 1, 3);
    await runnerOf(counter(name, { version: 2 })).catchUp();
    const { rows } = await database.pool.query(`select place, word from ${name}_line order by place`);
    expect(rows).toEqual([1, 2, 3, 4].map((place) => ({ place, word: 'v2' })));
  });

  it('starts again when a migration has changed the live tables meanwhile', async () => {
    const name = await projected(MANY);
    const stop = new AbortController();
    const next = counter(name, { version: 2 });
    expect(await rebuild(next, { signal: stop.signal, onProgress: () => stop.abort() })).toBe('interrupted');
    await sql`alter table ${sql.id(`${name}_sum`)} add column note text default 'new'`.execute(database.db);
    expect(await rebuild(next)).toBe('switched');
    expect(await database.pool.query(`select total, note from ${name}_sum`)).toMatchObject({
      rows: [{ total: MANY, note: 'new' }],
    });
  });

  it.each([
    ['a view', (name: string) => `create view ${name}_view as select * from ${name}_line`, / depends on p\w+_line\./],
    [
      'a foreign key',
      (name: string) => `create table ${name}_ref (id int references ${name}_sum)`,
      / depends on p\w+_sum\./,
    ],
    [
      'a serial column',
      (name: string) => `alter table ${name}_line add column n serial`,
      /the sequence \w+_n_seq depends/,
    ],
    ['a missing table', (name: string) => `drop table ${name}_line`, /p\w+_line does not exist\./],
  ])('refuses at once and names the obstacle when the switch would break %s', async (_, obstacle, message) => {
    const name = await projected(3);
    await database.pool.query(obstacle(name));
    await expect(rebuild(counter(name, { version: 2 }))).rejects.toThrow(message);
    expect(await unfinished(name)).toEqual([]);
  });

  it('waits for a reader that locks the tables, does not block other readers meanwhile, and then switches the tables', async () => {
    const name = await projected(3);
    const reader = await readLines(name);
    const busy = gate();
    const rebuilt = rebuild(counter(name, { version: 2 }), { onBusy: (attempts) => attempts === 2 && busy.open() });
    await busy.opened;
    expect(await seen(name)).toEqual({ total: 3, lines: 3, words: 'v1' });
    await reader.end();
    expect(await rebuilt).toBe('switched');
    expect(await seen(name)).toEqual({ total: 3, lines: 3, words: 'v2' });
  });

  it('pauses longer after each attempt, without a listener too', async () => {
    const name = await projected(3);
    const reader = await readLines(name);
    const pauses: number[] = [];
    let endedAt: number | null = null;
    const { takeOver } = ShadowTables.prototype;
    const attempt = jest.spyOn(ShadowTables.prototype, 'takeOver');
    attempt.mockImplementation(async function (this: ShadowTables, trx) {
      if (endedAt !== null) pauses.push(performance.now() - endedAt);
      if (pauses.length === 2) await reader.end();
      await takeOver.call(this, trx).finally(() => (endedAt = performance.now()));
    });
    expect(await rebuild(counter(name, { version: 2 }))).toBe('switched');
    attempt.mockRestore();
    // Pauses of 100 and 200 ms. A timer may be a little early.
    expect(pauses).toHaveLength(2);
    expect(pauses[0]).toBeGreaterThan(95);
    expect(pauses[1]).toBeGreaterThan(195);
  });

  it('locks the table of a reader first in the next attempt, and so blocks no other table meanwhile', async () => {
    const name = await projected(3);
    const reader = await readLines(name);
    const rebuilt = rebuild(counter(name, { version: 2 }));
    const locked = async (): Promise<unknown[]> => {
      const { rows } = await database.pool.query<{ table: string; granted: boolean }>(
        `select relation::regclass::text as table, granted from pg_locks
         where mode = 'AccessExclusiveLock' and relation = any(array[$1, $2]::regclass[])`,
        [`${name}_sum`, `${name}_line`],
      );
      return rows;
    };
    await until(async () => isDeepStrictEqual(await locked(), [{ table: `${name}_line`, granted: false }]));
    await reader.end();
    expect(await rebuilt).toBe('switched');
  });

  it('waits for autovacuum on the new tables too', async () => {
    const name = await projected(3);
    const reader = await readLines(name);
    const vacuum = await otherPool.connect();
    const made = gate();
    const busy = gate();
    let goOn = Infinity;
    const rebuilt = rebuild(counter(name, { version: 2 }), {
      onBusy: (attempts) => {
        made.open();
        if (attempts >= goOn) busy.open();
      },
    });
    await made.opened;
    await vacuum.query('begin');
    await vacuum.query(`lock table projection_${name}_v2.${name}_line in share update exclusive mode`);
    await reader.end();
    goOn = 3;
    await busy.opened;
    expect(await seen(name)).toEqual({ total: 3, lines: 3, words: 'v1' });
    await vacuum.query('commit');
    vacuum.release();
    expect(await rebuilt).toBe('switched');
    expect(await seen(name)).toEqual({ total: 3, lines: 3, words: 'v2' });
  });

  it('lets several instances share one rebuild', async () => {
    const name = await projected(MANY);
    const ends = await Promise.all([
      rebuild(counter(name, { version: 2 })),
      new ProjectionRebuild(
        createDatabase<CheckpointTables>(otherPool),
        otherStore,
        counter(name, { version: 2 }) as unknown as Projection<unknown>,
      ).run(),
    ]);
    expect(ends).toContain('switched');
    expect(await seen(name)).toEqual({ total: MANY, lines: MANY, words: 'v2' });
    expect(await unfinished(name)).toEqual([]);
  });

  it('does not hold followers back while it works', async () => {
    const name = await projected(MANY);
    const held = gate();
    const inside = gate();
    let page = 0;
    const before = async (): Promise<void> => {
      if ((page += 1) !== 2) return;
      inside.open();
      await held.opened;
    };
    const rebuilt = rebuild(counter(name, { version: 2, before }));
    await inside.opened;
    // One page is committed; the next one has not written yet.
    const position = await write(name, 'b', 1);
    const follower = runnerOf(counter(name), 'other');
    follower.start(new Locks(otherPool));
    expect(await follower.waitFor(position, { timeoutMs: 10_000 })).toBe(true);
    held.open();
    expect(await rebuilt).toBe('switched');
    expect(await seen(name)).toEqual({ total: MANY + 1, lines: MANY + 1, words: 'v2' });
  });

  /** A separate process that hangs in the middle of its second page. */
  const hangingChild = (name: string, version: number) =>
    runScript(
      `import { createDatabase, createPool } from '../../src/platform/database/pool.js';
       import { PostgresEventStore } from '../../src/platform/event-store/postgres-event-store.js';
       import { Locks } from '../../src/platform/locks.js';
       import { ProjectionRunner } from '../../src/platform/projections/projection-runner.js';
       import { Logger } from '@nestjs/common';
       import { sql } from 'kysely';
       Logger.overrideLogger(false);
       const [url, name, version] = process.argv.slice(2);
       const pool = createPool(url);
       const runner = new ProjectionRunner(pool, new PostgresEventStore(pool));
       let pages = 0;
       runner.register({
         name, version: Number(version), streamPrefix: name + '-', tables: [name + '_sum', name + '_line'],
         async apply(events, trx) {
           await sql\`insert into \${sql.id(name + '_sum')} as s (id, total) values (1, \${events.length})
             on conflict (id) do update set total = s.total + excluded.total\`.execute(trx);
           await sql\`insert into \${sql.id(name + '_line')} (stream, version, word)
             select unnest(\${events.map((e) => e.stream)}::text[]), unnest(\${events.map((e) => e.version)}::int[]), \${'v' + version}\`.execute(trx);
           pages += 1;
           if (pages < 2) return;
           console.log('inside');
           await new Promise(() => undefined);
         },
       });
       runner.start(new Locks(pool));`,
      database.url,
      name,
      String(version),
    );

  it.each([
    ['the live tables', 1],
    ['a rebuild', 2],
  ])('continues in another instance when one is killed in the middle of a page of %s', async (_, version) => {
    const name = await newTables();
    await write(name, 'a', MANY);
    if (version === 2) await runnerOf(counter(name)).catchUp();
    const child = hangingChild(name, version);
    expect(await child.line()).toBe('inside');
    const pages: number[] = [];
    const before: Projection<Tables>['apply'] = (events) => Promise.resolve(void pages.push(events.length));
    const runner = runnerOf(counter(name, { version, before }));
    runner.start(new Locks(database.pool));
    child.process.kill('SIGKILL');
    await child.ended;
    const expected = { total: MANY, lines: MANY, words: `v${version}` };
    await until(async () => isDeepStrictEqual(await seen(name), expected));
    expect(pages).toEqual([4_000, 1_000]);
  });
});
