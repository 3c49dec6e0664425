import { OperatorMistake } from '../operator-mistake.js';
import { randomInt } from 'node:crypto';
import pg, { type Pool, type PoolClient } from 'pg';
import { within } from '../within.js';
import { SessionClient, type SessionConfig } from './session.js';

/** Postgres 14: the code uses xid8, pg_snapshot and statistics that older versions lack. */
const OLDEST_SERVER = 140000;

/** The database cannot be used. The message is one sentence that names host and port, never the password. */
export class DatabaseUnavailableError extends OperatorMistake {}

export interface DatabaseCheck {
  /** The setting that contains the address; DATABASE_URL by default. */
  readonly setting?: string;
  /** How many connections this process needs at once. Asked of a pooler; a server without one is not asked. */
  readonly connections?: number;
}

/** The server at the other end of a connection. */
interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly pid: number;
}

/**
 * Connects before anything is changed, so that a wrong setting is reported at start.
 * @throws DatabaseUnavailableError when there is no answer, no such database or user, the server is too old, the
 *   database is not in UTF-8, or a pooler does not give what a process needs
 */
export async function checkDatabase(pool: Pool, url: string, check: DatabaseCheck = {}): Promise<void> {
  const { setting = 'DATABASE_URL', connections = 1 } = check;
  const database = `The database at ${addressOf(url)}`;
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailableError(`${database} ${reasonOf(error)}; check ${setting}.`, error);
  }
  try {
    const { version, encoding, pid } = await serverOf(client);
    if (version < OLDEST_SERVER) {
      throw new DatabaseUnavailableError(`${database} is older than Postgres 14; use a newer server.`);
    }
    if (encoding !== 'UTF8') {
      throw new DatabaseUnavailableError(
        `${database} stores text as ${encoding}, which has no emoji; create it with: create database … encoding 'UTF8' template template0.`,
      );
    }
    // A pooler gives its clients process numbers of its own.
    if ((client as unknown as { processID: number | null }).processID === pid) return;
    await checkPooler(client, pool.options, { url, connections, pid });
  } finally {
    client.release();
  }
}

/**
 * Checks that the app finds the tables that the owner has migrated.
 * @throws DatabaseUnavailableError with the command that mends it
 */
export async function checkTables(app: Pool, owner: Pool, user: string): Promise<void> {
  const found = async (pool: Pool): Promise<Record<'tables' | 'schema' | 'database', string | null>> => {
    const { rows } = await pool.query<Record<'tables' | 'schema' | 'database', string | null>>(
      `select to_regclass('schema_migration')::oid::text as tables, current_schema() as schema,
         current_database() as database`,
    );
    return rows[0]!;
  };
  const { tables, schema, database } = await found(owner);
  if ((await found(app)).tables === tables) return;
  throw new DatabaseUnavailableError(
    `The user ${user} does not find the tables, which are in the schema ${schema}; run as a superuser: alter role ${user} in database ${database} set search_path = ${schema}.`,
  );
}

/** Whether sessions of the pooler have the settings that the user has by default. */
export type PooledSessions = 'as needed' | 'with other settings';

/**
 * Checks the address of a pooler that may give its sessions for one transaction each.
 * @param statementMs the time limit that a session needs, milliseconds
 * @throws DatabaseUnavailableError when it does not answer, does not know transactions, or leads to another database
 */
export async function checkPooledAddress(
  pooled: Pool,
  direct: Pool,
  { url, statementMs }: { readonly url: string; readonly statementMs: number },
): Promise<PooledSessions> {
  const pooler = `The connection pooler at ${addressOf(url)}`;
  // Advisory locks are those of one database.
  const key = randomInt(2 ** 32);
  const holder = await direct.connect();
  let client: PoolClient | undefined;
  try {
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock($1)', [key]);
    client = await pooled.connect();
    await client.query('begin');
    const { rows } = await client.query<{ free: boolean; limit: string }>(
      `select pg_try_advisory_xact_lock($1) as free, setting as limit from pg_settings where name = 'statement_timeout'`,
      [key],
    );
    await client.query('commit');
    if (rows[0]!.free) {
      throw new DatabaseUnavailableError(
        `${pooler} leads to another database than DATABASE_DIRECT_URL; give both the same one.`,
      );
    }
    return rows[0]!.limit === String(statementMs) ? 'as needed' : 'with other settings';
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    if (/statement pooling mode/.test((error as Error).message)) {
      throw new DatabaseUnavailableError(
        `${pooler} gives a connection for one statement only; set its pool_mode to transaction.`,
        error,
      );
    }
    throw new DatabaseUnavailableError(`${pooler} ${reasonOf(error)}; check DATABASE_URL.`, error);
  } finally {
    client?.release(true);
    holder.release(true);
  }
}

async function serverOf(client: pg.ClientBase): Promise<Server> {
  const { rows } = await client.query<Server>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
       pg_backend_pid() as pid`,
  );
  return rows[0]!;
}

/** Checks that each client of the pooler has a connection for itself, and that there are enough. */
async function checkPooler(
  first: PoolClient,
  options: SessionConfig,
  { url, connections, pid }: { readonly url: string; readonly connections: number; readonly pid: number },
): Promise<void> {
  const pooler = `The connection pooler at ${addressOf(url)}`;
  const others: SessionClient[] = [];
  const open = async (): Promise<SessionClient> => {
    const client = new SessionClient({ ...options, connectionTimeoutMillis: 0 });
    client.on('error', () => undefined); // its next statement fails
    others.push(client);
    return client.connect();
  };
  try {
    const second = await inTime(open());
    let shared: boolean;
    try {
      await second.query('begin');
      const pids = [(await serverOf(second)).pid, (await serverOf(first)).pid];
      await second.query('rollback');
      shared = pids[0] === pid || pids[1] !== pid;
    } catch {
      shared = true; // statement mode refuses transactions
    }
    if (shared) {
      throw new DatabaseUnavailableError(
        `${pooler} gives a connection for one transaction or statement only; set its pool_mode to session, or give Fanvas the address of the server itself, too, in DATABASE_DIRECT_URL.`,
      );
    }
    await inTime(Promise.all(Array.from({ length: Math.max(connections - 2, 0) }, open)));
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    throw new DatabaseUnavailableError(
      `${pooler} gives fewer than the ${connections} connections that a process of Fanvas needs (it ${reasonOf(error)}); raise its default_pool_size.`,
      error,
    );
  } finally {
    for (const client of others) client.end().catch(() => undefined); // it may not be connected yet
  }
}

const POOLER_MS = 5_000;

function inTime<T>(work: Promise<T>): Promise<T> {
  return within(POOLER_MS, work, () => {
    throw new Error('timeout expired');
  });
}

function addressOf(url: string): string {
  try {
    const { hostname, port } = new URL(url);
    return `${hostname || 'localhost'}:${port || '5432'}`;
  } catch {
    return 'the configured address';
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'does not accept connections',
  ENOTFOUND: 'has a host name that cannot be found',
  EAI_AGAIN: 'has a host name that cannot be looked up now',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  ECONNRESET: 'closed the connection at once',
  '28P01': 'refused the user name or password',
  '28000': 'refused the user',
  '3D000': 'has no database of that name',
  '53300': 'has no connection left',
  '57P03': 'is starting up or shutting down',
};

/** PgBouncer has one code for all that it refuses. */
const POOLER_WORDS: readonly (readonly [words: RegExp, code: string])[] = [
  [/^SASL authentication failed|^password authentication failed/, '28P01'],
  [/^no such database|^database ".*" does not exist$/, '3D000'],
];

function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const { code = '', message = '' } = first as { code?: string; message?: string };
  const known = REASONS[POOLER_WORDS.find(([words]) => words.test(message))?.[1] ?? code];
  if (known) return known;
  if (first instanceof pg.DatabaseError) return `answered '${message}'`;
  if (/timeout/i.test(message)) return 'did not answer within 5 seconds';
  return code ? `cannot be used (${code})` : 'cannot be used';
}
