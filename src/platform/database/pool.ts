import { Logger } from '@nestjs/common';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { PatientPool } from './patient-pool.js';

/** Postgres 14 and later: xid8, pg_snapshot and the statistics that the code relies on. */
const OLDEST_SERVER = 140000;

/** The database cannot be used. The message is one sentence with host and port, never the password. */
export class DatabaseUnavailableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DatabaseUnavailableError';
  }
}

export interface PoolOptions {
  /** Most connections open at once; 20 by default. */
  readonly max?: number;
  /** How long a statement may run, in milliseconds; 15,000 by default, 0 for as long as it takes. */
  readonly statementTimeoutMs?: number;
}

/**
 * A pool of connections that never waits for ever: 5 s for a connection, 15 s for a statement (the server ends it; the client
 * gives up 5 s later), 30 s for a transaction that does nothing. In the course of a request all of it together ends with the
 * request's budget (`request-budget.ts`).
 *
 * Values come as: `bigint` a number (an error beyond 2^53), `date` its text `YYYY-MM-DD`, `numeric` text, `timestamptz` a Date.
 */
export function createPool(url: string, options: PoolOptions = {}): pg.Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? 15_000;
  const pool = new PatientPool({
    connectionString: url,
    max: options.max ?? 20,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 5_000,
    idle_in_transaction_session_timeout: 30_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'fanvas',
    types: { getTypeParser: typeParser },
  });
  return listenForErrors(pool);
}

/**
 * A pool of further connections to the same database, with limits of its own where they are tighter than those of `pool`. For what must
 * not wait until others give connections back. Idle, it does not keep a process alive.
 */
export function poolBeside(
  pool: pg.Pool,
  limits: { readonly max: number; readonly connectMs: number; readonly statementMs: number },
): pg.Pool {
  const { max, connectMs, statementMs } = limits;
  const { statement_timeout: given, connectionTimeoutMillis: connectGiven } = pool.options;
  const statement = given ? Math.min(Number(given), statementMs) : statementMs;
  return listenForErrors(
    new pg.Pool({
      ...pool.options,
      // Its statements serve many requests together: none of them may end it.
      Client: pg.Client,
      max,
      connectionTimeoutMillis: connectGiven ? Math.min(connectGiven, connectMs) : connectMs,
      statement_timeout: statement,
      // The server's own word that it gave up is worth more than ours: leave it time to arrive.
      query_timeout: statement + Math.min(statement, 1_000),
      allowExitOnIdle: true,
    }),
  );
}

function listenForErrors(pool: pg.Pool): pg.Pool {
  const logger = new Logger('Database');
  // Without listeners, node would end the process. Idle connections: the pool replaces them.
  pool.on('error', (error) => {
    if (!pool.ending) logger.warn('An idle database connection was lost.', { reason: error.message });
  });
  // Connections in use, between two statements of a transaction: the next statement fails, and whoever sent it reports that.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.debug('A database connection was lost.', { reason: error.message }));
  });
  return pool;
}

/** Kysely over a pool, which stays the caller's to end (`destroy()` ends it only if kysely was used). */
export function createDatabase<Tables>(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/**
 * Connects once, so that a wrong setting shows at start.
 * @throws DatabaseUnavailableError naming host and port, when there is no answer, no such database or user, or too old a server
 */
export async function checkDatabase(pool: pg.Pool, url: string): Promise<void> {
  let version: number;
  try {
    const result = await pool.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    version = result.rows[0]?.version ?? 0;
  } catch (error) {
    throw new DatabaseUnavailableError(
      `The database at ${placeOf(url)} ${reasonOf(error)}; check DATABASE_URL.`,
      error,
    );
  }
  if (version < OLDEST_SERVER) {
    throw new DatabaseUnavailableError(
      `The database at ${placeOf(url)} is older than Postgres 14; use a newer server.`,
    );
  }
}

function placeOf(url: string): string {
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

function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const { code = '', message = '' } = first as { code?: string; message?: string };
  if (REASONS[code]) return REASONS[code];
  if (/timeout/i.test(message)) return 'did not answer within 5 seconds';
  return code ? `cannot be used (${code})` : 'cannot be used';
}

const INT8 = 20;
const DATE = 1082;

function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8) return parseSafeInteger;
  if (oid === DATE) return (value) => value;
  return pg.types.getTypeParser(oid, format) as (value: string) => unknown;
}

function parseSafeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`The database returned ${value}, which is too large for a number.`);
  return number;
}
