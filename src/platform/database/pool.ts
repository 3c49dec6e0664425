import { Logger } from '@nestjs/common';
import { Kysely } from 'kysely';
import pg from 'pg';
import { BudgetedPool } from './budgeted-pool.js';
import { OneConnectionDialect } from './one-connection.js';
import { SessionClient, type SessionConfig, SessionPool } from './session.js';

export interface PoolOptions {
  /** Maximum number of connections; 20 by default. */
  readonly max?: number;
  /** How long a statement may wait for a connection, milliseconds; 5,000 by default. */
  readonly connectMs?: number;
  /** Time limit of a statement in milliseconds; 15,000 by default, 0 for none. */
  readonly statementTimeoutMs?: number;
  /** Refuses changes of anything but temporary tables, unless a transaction begins as `read write`. */
  readonly readOnly?: boolean;
  /** Commits do not wait for the disk: a power cut may take back the last ones, in order, and a crash takes none. */
  readonly lazyCommits?: boolean;
  /** Further settings of each session, by their names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The address is that of a pooler in transaction mode: sessions have the settings of `pooled-sessions.ts`. */
  readonly pooled?: boolean;
}

/**
 * Creates a pool in which every wait has a limit: 5 s for a connection, 15 s for a statement (the server cancels it;
 * the client gives up 5 s later), 30 s for an idle transaction. Within a request, all waits together also end with the
 * request's budget (`request-budget.ts`).
 *
 * Values are read as: `bigint` a number (an error beyond 2^53), `date` its text `YYYY-MM-DD`, `numeric` text,
 * `timestamptz` a Date.
 */
export function createPool(url: string, options: PoolOptions = {}): pg.Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? 15_000;
  const pool = new BudgetedPool({
    connectionString: url,
    max: options.max ?? 20,
    pooled: options.pooled ?? false,
    connectionTimeoutMillis: options.connectMs ?? 5_000,
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 5_000,
    settings: {
      statement_timeout: String(statementTimeoutMs),
      idle_in_transaction_session_timeout: '30000',
      ...(options.readOnly ? { default_transaction_read_only: 'on' } : {}),
      ...(options.lazyCommits ? { synchronous_commit: 'off' } : {}),
      ...options.settings,
    },
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'fanvas',
    types: { getTypeParser: typeParser },
  });
  return listenForErrors(pool);
}

/** Returns the address with which a pool connects, password included: for another thread, never for a log. */
export function addressOf({ options }: pg.Pool): string {
  const { connectionString } = options;
  if (connectionString === undefined) throw new Error('The pool was created without an address.');
  return connectionString;
}

/** Returns the user of an address. */
export function userOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}

/**
 * Creates a second pool for the same database, for work that must not wait for the connections of the first. Its limits
 * apply where they are tighter than those of `pool`. An idle pool does not keep the process alive.
 */
export function createSecondPool(
  pool: pg.Pool,
  limits: { readonly max: number; readonly connectMs: number; readonly statementMs: number },
): pg.Pool {
  const { max, connectMs, statementMs } = limits;
  const { connectionTimeoutMillis: connectGiven, settings } = pool.options as pg.PoolConfig & SessionConfig;
  const givenStatementMs = Number(settings?.['statement_timeout'] ?? 0);
  const statement = givenStatementMs > 0 ? Math.min(givenStatementMs, statementMs) : statementMs;
  return listenForErrors(
    new SessionPool({
      ...pool.options,
      // Its statements serve many requests at once, so the budget of one must not end them.
      Client: SessionClient,
      max,
      connectionTimeoutMillis: connectGiven ? Math.min(connectGiven, connectMs) : connectMs,
      settings: { ...settings, statement_timeout: String(statement) },
      // The server's cancellation proves that nothing was written: leave it time to arrive.
      query_timeout: statement + Math.min(statement, 1_000),
      allowExitOnIdle: true,
    }),
  );
}

function listenForErrors(pool: pg.Pool): pg.Pool {
  const logger = new Logger('Database');
  // Without listeners, Node would end the process. The pool replaces idle connections.
  pool.on('error', (error) => {
    if (!pool.ending) logger.warn('An idle database connection was lost.', { reason: error.message });
  });
  // A connection in use may break between two statements. The next statement fails, and its caller reports that.
  // `end()` may resolve before the last connection is closed, and the server may stop in between.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      if (!pool.ending) logger.debug('A database connection was lost.', { reason: error.message });
    });
  });
  return pool;
}

/** Creates a Kysely instance on a pool. The caller ends the pool (`destroy()` ends it only if Kysely was used). */
export function createDatabase<Tables>(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new OneConnectionDialect(pool) });
}

const INT8_OID = 20;
const DATE_OID = 1082;

function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8_OID) return parseSafeInteger;
  if (oid === DATE_OID) return (value) => value;
  return pg.types.getTypeParser(oid, format) as (value: string) => unknown;
}

function parseSafeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`The database returned ${value}, which is too large for a number.`);
  return number;
}
