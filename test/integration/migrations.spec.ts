import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Kysely, type Migration, sql } from 'kysely';
import { MIGRATE_PROGRAM } from '../../src/cli/migrate/migrate-program.js';
import { type Migrations } from '../../src/platform/database/database.js';
import {
  MigrationError,
  NewerDatabaseError,
  NotMigratedError,
  migrate,
  requireMigrations,
} from '../../src/platform/database/migrate.js';
import { checkDatabase, DatabaseUnavailableError } from '../../src/platform/database/check-database.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { type TestDatabase, withTestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { runHere } from '../support/run-here.js';

jest.setTimeout(60_000);

const creating = (table: string): Migration => ({
  up: (db) => db.schema.createTable(table).addColumn('id', 'integer').execute(),
});

describe('migrate', () => {
  let database: TestDatabase<unknown>;

  beforeAll(async () => {
    database = await withTestDatabase({ empty: true });
  });
  afterAll(() => database.close());

  const tables = async (): Promise<string[]> => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public' order by 1`.execute(
      database.db,
    );
    return rows.map(({ name }) => name);
  };

  it('runs migrations once and in the order of their names when several processes start at once', async () => {
    const order: string[] = [];
    const noting = (name: string): Migrations[string] => ({
      up: async (db: Kysely<unknown>) => {
        order.push(name);
        await creating(`t_${name}`).up(db);
      },
    });
    const migrations: Migrations = { '0002_b': noting('0002'), '0001_a': noting('0001'), '0010_c': noting('0010') };
    const pools = Array.from({ length: 4 }, () => createPool(database.url, { max: 2 }));
    const ran = await Promise.all(pools.map((pool) => migrate(createDatabase<unknown>(pool), migrations)));
    await Promise.all(pools.map((pool) => pool.end()));
    expect(order).toEqual(['0001', '0002', '0010']);
    expect(ran.filter((names) => names.length === 3)).toHaveLength(1);
    expect(ran.filter((names) => names.length === 0)).toHaveLength(3);
    expect(await tables()).toEqual(['schema_migration', 't_0001', 't_0002', 't_0010']);
  });

  it('runs a new migration whose name sorts before applied ones', async () => {
    const known = { '0001_a': creating('x'), '0002_b': creating('x'), '0010_c': creating('x') };
    expect(await migrate(database.db, { ...known, '0005_late': creating('late') })).toEqual(['0005_late']);
    expect(await tables()).toContain('late');
  });

  it('rolls back a failed migration, keeps the ones before it, and resumes there', async () => {
    const known = {
      '0001_a': creating('x'),
      '0002_b': creating('x'),
      '0005_late': creating('x'),
      '0010_c': creating('x'),
    };
    const failing: Migrations[string] = {
      up: async (db: Kysely<unknown>) => {
        await creating('half').up(db);
        await sql`select nonsense`.execute(db);
      },
    };
    const error: unknown = await migrate(database.db, {
      ...known,
      '0020_ok': creating('ok'),
      '0021_bad': failing,
    }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MigrationError);
    expect(String(error)).toMatch(/0021_bad failed: column "nonsense" does not exist/);
    expect(await tables()).toContain('ok');
    expect(await tables()).not.toContain('half');
    const again = await migrate(database.db, { ...known, '0020_ok': creating('ok'), '0021_bad': creating('half') });
    expect(again).toEqual(['0021_bad']);
  });

  it('leaves nothing of a migration whose process is killed, and the process that waits runs it', async () => {
    const names = ['0001_a', '0002_b', '0005_late', '0010_c', '0020_ok', '0021_bad'];
    const known = Object.fromEntries(names.map((name) => [name, creating('x')]));
    const waiting = createPool(database.url, { max: 1 });
    let next: Promise<string[]> | undefined;
    const killed: Migrations[string] = {
      up: async (db: Kysely<unknown>) => {
        await creating('torn').up(db);
        next = migrate(createDatabase<unknown>(waiting), { ...known, '0022_torn': creating('torn') });
        const waits = sql`select 1 from pg_locks where not granted and locktype = 'advisory'
          and database = (select oid from pg_database where datname = current_database())`;
        await until(async () => (await waits.execute(db)).rows.length === 1, 'the other process to wait');
        // The server ends the session of a process that is killed.
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
      },
    };
    const error: unknown = await migrate(database.db, { ...known, '0022_torn': killed }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(MigrationError);
    expect(String(error)).toContain('The database migration 0022_torn failed: ');
    expect(await next).toEqual(['0022_torn']);
    await waiting.end();
    expect(await tables()).toContain('torn');
  });

  it('refuses a database of a newer version', async () => {
    await expect(migrate(database.db, { '0001_a': creating('x') })).rejects.toThrow(NewerDatabaseError);
    await expect(migrate(database.db, {})).rejects.toThrow(/newer version of Fanvas \(it has 0001_a, /);
  });

  it('lets a process that does not migrate run on a newer version, and on no older one', async () => {
    await requireMigrations(database.db, { '0001_a': creating('x') });
    const later = requireMigrations(database.db, { '0001_a': creating('x'), '0030_new': creating('x') });
    await expect(later).rejects.toThrow(NotMigratedError);
    await expect(later).rejects.toThrow('The database needs the migrations 0030_new: run npm run migrate first');
    const empty = await withTestDatabase<unknown>({ empty: true });
    await expect(requireMigrations(empty.db, { '0001_a': creating('x') })).rejects.toThrow(NotMigratedError);
    await empty.close();
  });
});

describe('npm run migrate', () => {
  it('runs as the owner of the tables, and needs the address of a database', async () => {
    const database = await withTestDatabase<unknown>();
    const env = { DATABASE_URL: database.url, DATABASE_MIGRATION_URL: database.ownerUrl };
    const runs = [await runHere(MIGRATE_PROGRAM, [], env), await runHere(MIGRATE_PROGRAM, [], {})];
    await database.close();
    expect(runs).toEqual([
      { code: 0, out: 'The database has all migrations.\n', err: '' },
      { code: 2, out: '', err: expect.stringMatching(/^Set DATABASE_URL: /) },
    ]);
  });
});

describe('createPool', () => {
  let database: TestDatabase<unknown>;

  beforeAll(async () => {
    database = await withTestDatabase({ empty: true });
  });
  afterAll(() => database.close());

  const problemWith = async (url: string): Promise<string> => {
    const pool = createPool(url);
    try {
      const error: unknown = await checkDatabase(pool, url).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(DatabaseUnavailableError);
      return (error as Error).message;
    } finally {
      await pool.end();
    }
  };
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(database.url);
    change(url);
    return url.href;
  };

  it('accepts an existing database', async () => {
    await expect(checkDatabase(database.pool, database.url)).resolves.toBeUndefined();
  });

  it('names the host and the port of an unusable database, but not the password', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as { port: number };
    probe.close();
    await once(probe, 'close');
    const { host } = new URL(database.url);
    const words = [
      await problemWith(`postgres://fanvas:hunter2@127.0.0.1:${port}/x`),
      await problemWith(changed((url) => (url.password = 'hunter2'))),
      await problemWith(changed((url) => (url.pathname = '/hunter2'))),
      await problemWith('postgres://fanvas:hunter2@database.invalid/x'),
    ];
    expect(words[0]).toBe(`The database at 127.0.0.1:${port} does not accept connections; check DATABASE_URL.`);
    expect(words[1]).toBe(`The database at ${host} refused the user name or password; check DATABASE_URL.`);
    expect(words[2]).toBe(`The database at ${host} has no database of that name; check DATABASE_URL.`);
    expect(words[3]).toMatch(
      /^The database at database\.invalid:5432 has a host name that cannot be (found|looked up now); /,
    );
    expect(words.join()).not.toContain('hunter2');
  });

  it('gives up on a server that accepts connections but never answers', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    try {
      expect(await problemWith(`postgres://fanvas:x@127.0.0.1:${port}/x`)).toMatch(/did not answer within 5 seconds/);
    } finally {
      silent.close();
    }
  });

  it('reads bigint as a number, refuses a bigint that no number represents exactly, and leaves dates as text', async () => {
    const { rows } = await database.pool.query(
      `select count(*) as n, 2^53 - 1 as f, date '2026-02-28' as d from generate_series(1, 3)`,
    );
    expect(rows).toEqual([{ n: 3, f: 9007199254740991, d: '2026-02-28' }]);
    await expect(database.pool.query('select 9007199254740993::bigint as n')).rejects.toThrow(/9007199254740993/);
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('does not end the process when a connection in use breaks between two statements', async () => {
    const client = await database.pool.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const lost = new Promise((resolve) => client.once('end', resolve));
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await lost;
    await expect(client.query('select 1')).rejects.toThrow();
    client.release(true);
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('ends a statement that runs too long, and keeps working when the server ends its connections', async () => {
    const pool = createPool(database.url, { statementTimeoutMs: 50, max: 2 });
    await expect(pool.query('select pg_sleep(30)')).rejects.toMatchObject({ code: '57014' });
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
    );
    const answer = await pool
      .query<{ one: number }>('select 1 as one')
      .catch(() => pool.query<{ one: number }>('select 1 as one'));
    expect(answer.rows).toEqual([{ one: 1 }]);
    await pool.end();
  });
});
