import { randomBytes } from 'node:crypto';
import { type Kysely } from 'kysely';
import pg from 'pg';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';

/** A database that one suite has to itself, on a real Postgres. Its connections have the rights of the app. */
export interface TestDatabase<Tables> {
  readonly db: Kysely<Tables>;
  readonly pool: pg.Pool;
  /** Connection address, for a second pool or another process. */
  readonly url: string;
  /** The address of the owner of the tables. */
  readonly ownerUrl: string;
  /** The address of the user that only reads. */
  readonly auditUrl: string;
  /** Ends the pool and drops the database. */
  close(): Promise<void>;
}

/**
 * Creates a database for a suite: migrated, or empty if asked. The suites of one worker of Jest share a server
 * (`postgres-setup.mjs`), which does not wait for the disk.
 *
 *     let database: TestDatabase<CreditTables>;
 *     beforeAll(async () => {
 *       database = await withTestDatabase();
 *     });
 *     afterAll(() => database.close());
 */
export async function withTestDatabase<Tables>({ empty = false } = {}): Promise<TestDatabase<Tables>> {
  const server = testServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  const app = new URL(server.url).username;
  const template = new URL(server.ownerUrl).pathname.slice(1);
  // Rights on a database are not copied with its template. An empty one belongs to the app, like one without roles.
  await administer(
    server,
    ...(empty
      ? [`create database ${name} template template1 owner ${app}`]
      : [
          `create database ${name} template ${template} ${await copyOption(server)}`,
          `grant create on database ${name} to ${app}`,
        ]),
  );
  const address = (url: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const pool = createPool(address(server.url));
  return {
    db: createDatabase<Tables>(pool),
    pool,
    url: address(server.url),
    ownerUrl: address(server.ownerUrl),
    auditUrl: address(server.auditUrl),
    close: async () => {
      await ownerPools.get(pool)?.end();
      if (!pool.ending) await pool.end();
      await administer(server, `drop database ${name} with (force)`);
    },
  };
}

/** Addresses of the template, as `postgres-server.ts` sends them. */
export type TestServer = Pick<TestDatabase<unknown>, 'url' | 'ownerUrl' | 'auditUrl'>;

/** The server of this worker. */
function testServer(): TestServer {
  const servers = process.env['TEST_POSTGRES_URLS'];
  if (!servers) throw new Error('Run this suite with Jest: its global setup starts Postgres.');
  const server = (JSON.parse(servers) as TestServer[])[Number(process.env['JEST_WORKER_ID'] ?? 1) - 1];
  if (!server) throw new Error(`There is no Postgres for worker ${process.env['JEST_WORKER_ID']} of Jest.`);
  return server;
}

const ownerPools = new WeakMap<pg.Pool, pg.Pool>();

/**
 * Connections to a test database as the owner of its tables, who may change events here: for tests that tamper. They
 * end with the database.
 */
export function asOwner({ pool }: { readonly pool: pg.Pool }): pg.Pool {
  const existing = ownerPools.get(pool);
  if (existing) return existing;
  const url = new URL(testServer().ownerUrl);
  url.pathname = new URL(String(pool.options.connectionString)).pathname;
  const owner = createOwnerPool(url.href);
  ownerPools.set(pool, owner);
  return owner;
}

/**
 * Connects as the owner of the tables, with the setting that lets the owner change events. Statements have no time
 * limit: tests fill large tables on a busy machine.
 */
export function createOwnerPool(ownerUrl: string): pg.Pool {
  return createPool(ownerUrl, { max: 4, statementTimeoutMs: 0, settings: { 'fanvas.maintenance': 'on' } });
}

const ONE_KEPT = { max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true };
/** By server. A connection costs as much as many statements. It does not keep the worker alive. */
const administrators = new Map<string, pg.Pool>();

async function administer(server: TestServer, ...statements: string[]): Promise<void> {
  const pool = administratorOf(server);
  for (const statement of statements) await pool.query(statement);
}

/** Copies the files of the template, which takes a fifth of the time that Postgres needs to log its pages. */
async function copyOption(server: TestServer): Promise<string> {
  const { rows } = await administratorOf(server).query<{ version: number }>(
    `select current_setting('server_version_num')::integer as version`,
  );
  // Postgres 14 always does, and does not know the option.
  return rows[0]!.version >= 150_000 ? 'strategy file_copy' : '';
}

function administratorOf({ ownerUrl }: TestServer): pg.Pool {
  const url = new URL(ownerUrl);
  // Postgres refuses to copy a template that has connections.
  url.pathname = '/postgres';
  let pool = administrators.get(url.href);
  if (!pool) {
    pool = new pg.Pool({ ...ONE_KEPT, connectionString: url.href });
    pool.on('error', () => undefined); // the server stops at the end of the run
    administrators.set(url.href, pool);
  }
  return pool;
}

/**
 * Deletes all rows, which costs less than truncating: that gives each table and index a new file.
 * @param tables each after those that refer to it
 */
export async function emptyTables(database: { readonly pool: pg.Pool }, tables: readonly string[]): Promise<void> {
  await asOwner(database).query(deletionsOf(tables).join(';'));
}

const deletionsOf = (tables: readonly string[]): string[] => tables.map((table) => `delete from ${table}`);

/**
 * Keeps the rows of tables, for tests that tamper with the same history.
 * @param tables each after those that refer to it
 * @returns puts them back, in place of what was added or changed since
 */
export async function keepRows(
  database: { readonly pool: pg.Pool },
  tables: readonly string[],
): Promise<() => Promise<void>> {
  const pool = asOwner(database);
  const { rows } = await pool.query<{ name: string; columns: string }>(
    `select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ') as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.oid = any ($1::regclass[]) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.oid order by array_position($1::regclass[], c.oid::regclass) desc`,
    [tables],
  );
  const insertions: string[] = [];
  for (const { name, columns } of rows) {
    const { rowCount } = await pool.query(`create table kept_${name} as select ${columns} from ${name}`);
    if (rowCount === 0) continue;
    insertions.push(`insert into ${name} (${columns}) overriding system value select ${columns} from kept_${name}`);
  }
  // One transaction: the workers of an app must not see the tables without rows.
  return async () => {
    await pool.query([...deletionsOf(tables), ...insertions].join(';'));
  };
}

/** Runs `work` without the bound on the times of events. */
export async function withoutTimeBound(
  database: { readonly pool: pg.Pool },
  work: () => Promise<unknown>,
): Promise<void> {
  const pool = asOwner(database);
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
