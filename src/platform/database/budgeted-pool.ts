import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import { type Held, type Lease, leaseCheck, neededLeases, requireLeases, withoutLease } from './lease-fence.js';
import { SecondConnectionError } from './one-connection.js';
import { databaseTimeLeft, spendDatabaseTime } from './request-budget.js';
import { tracedStatement } from '../tracing/trace-statements.js';
import { SessionClient, type SessionConfig, SessionPool } from './session.js';

/** The database did not answer within the time of the request, or the connection was lost meanwhile. */
export class DatabaseSilentError extends Error {
  /** @param mayBeDone a statement that changes data was sent, and its answer never arrived */
  constructor(
    readonly mayBeDone: boolean,
    cause?: unknown,
  ) {
    super('The database did not answer in time.', { cause });
    this.name = 'DatabaseSilentError';
  }
}

type Callback<T extends unknown[]> = (error: Error | undefined, ...rest: T) => void;
type Connected = Callback<[client: pg.PoolClient | undefined, release: (error?: Error | boolean) => void]>;

/** Messages of the driver for a lost connection or for its own timeouts. */
const GONE = /^Connection terminated|Client was closed|Client has encountered|not queryable|timeout/i;
const CHANGES_NOTHING = /^\s*(select|begin|rollback|listen|set)\b/i;
const WITH = /^\s*with\b/i;
const CHANGES = /\b(insert|update|delete|merge)\b/i;
const BEGINS = /^\s*(begin|start transaction)\b/i;
const ONLY_READS = /\bread only\b/i;

/** Time limit of a rollback when the budget is spent (milliseconds). */
const UNDO_MS = 250;

/**
 * A connection whose statements end with the budget of the request that sent them. Under a lease, a transaction begins
 * with the check of the lease, and a single statement that writes gets a transaction.
 */
class BudgetedClient extends SessionClient {
  // The driver's overloads: text or a query object, with values, and a callback or a promise.
  override query(...args: unknown[]): never {
    const remainingMs = databaseTimeLeft();
    const leases = neededLeases();
    const [first, second, third] = args;
    const callback = [second, third].find((each) => typeof each === 'function') as Callback<[unknown]> | undefined;
    if (isSubmittable(first)) return this.send(args) as never;
    if (remainingMs === Infinity && leases.length === 0) {
      // Callers with a callback give a connection back with its error.
      return (callback ? this.send(args) : this.withoutBudget(args)) as never;
    }
    const statement = typeof first === 'string' ? { text: first } : (first as { text: string });
    const values = Array.isArray(second) ? { values: second as unknown[] } : {};
    const query = { ...statement, ...values };
    const answer = this.needsLease(query, leases) ? this.underLease(query, leases) : this.inTime(query, remainingMs);
    if (!callback) return answer as never;
    answer.then(
      (result) => callback(undefined, result),
      (error: unknown) => callback(error as Error, undefined),
    );
    return undefined as never;
  }

  private needsLease({ text }: { readonly text: string }, leases: readonly Held[]): boolean {
    if (leases.length === 0 || this.getTransactionStatus() !== 'I') return false;
    return BEGINS.test(text) ? !ONLY_READS.test(text) : mayChange(text);
  }

  private async underLease(query: { text: string }, leases: readonly Held[]): Promise<unknown> {
    const ask = <T>(each: { text: string }): Promise<T> => withoutLease(() => this.query(each) as Promise<T>);
    const begins = BEGINS.test(query.text);
    const text = `${begins ? query.text : 'begin'}; ${leaseCheck(leases)}`;
    try {
      const [begun, check] = await ask<[pg.QueryResult, pg.QueryResult<Lease>]>({ text });
      requireLeases(leases, check.rows);
      if (begins) return begun;
      const result = await ask(query);
      await ask({ text: 'commit' });
      return result;
    } catch (error) {
      // A lost connection has no transaction any more.
      await ask({ text: 'rollback' }).catch(() => undefined);
      throw error;
    }
  }

  /** Outside of requests, the driver's own limit applies. */
  private async withoutBudget(args: unknown[]): Promise<unknown> {
    try {
      return await this.send(args);
    } catch (error) {
      this.abandonIfSilent(error);
      throw error;
    }
  }

  /** After the driver's own limit, the statement may still run. @returns whether the server gave no answer */
  private abandonIfSilent(error: unknown): boolean {
    const isSilent = isGone(error);
    if (isSilent) this.abandon();
    return isSilent;
  }

  private async inTime(query: { text: string }, remainingMs: number): Promise<unknown> {
    if (remainingMs === Infinity) return this.withoutBudget([query]);
    const undoes = /^rollback/i.test(query.text);
    if (remainingMs === 0 && !undoes) throw new DatabaseSilentError(false);
    const silent = (cause?: unknown): DatabaseSilentError => new DatabaseSilentError(mayChange(query.text), cause);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        stopTimer();
        this.abandon();
        reject(silent());
      };
      // A rollback is sent even if the budget is spent.
      const undoing = undoes ? setTimeout(giveUp, UNDO_MS) : undefined;
      const stopTimer = undoes ? () => clearTimeout(undoing) : spendDatabaseTime(giveUp);
      (this.send([query]) as Promise<unknown>).then(
        (result) => {
          stopTimer();
          resolve(result);
        },
        (error: Error) => {
          stopTimer();
          reject(this.abandonIfSilent(error) ? silent(error) : error);
        },
      );
    });
  }

  private send([query, ...others]: unknown[]): unknown {
    // A pooler in transaction mode may run a statement in a session that has not prepared it.
    const unnamed = this.pooled && isNamed(query) ? { ...query, name: undefined } : query;
    return tracedStatement([unnamed, ...others], (...args) =>
      (super.query as (...parts: unknown[]) => unknown).apply(this, args),
    );
  }
}

/**
 * A pool that limits the time that a request waits for connections and answers. Both together take at most the budget
 * of the request (`request-budget.ts`).
 *
 * The driver's own settings cannot do this. `connectionTimeoutMillis` and `query_timeout` limit each wait on its own,
 * by the wall clock, so they also fire while this process is busy and the answer waits unread. After `query_timeout`
 * no error says whether a change may have been made. The settings of `pool.ts` remain as limits for work outside of
 * requests.
 */
export class BudgetedPool extends SessionPool {
  constructor(options: pg.PoolConfig & SessionConfig) {
    super({ ...options, Client: BudgetedClient });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const remainingMs = databaseTimeLeft();
    if (callback) {
      // Another request may release the connection: run the callback in the context of the request that waits.
      const own = AsyncResource.bind(callback as (...args: unknown[]) => void) as unknown as Connected;
      if (remainingMs === Infinity) return super.connect(own as never);
      this.within(remainingMs).then(
        (client) => own(undefined, client, (error) => client.release(error)),
        (error: unknown) => own(error as Error, undefined, () => undefined),
      );
      return undefined;
    }
    return remainingMs === Infinity ? super.connect() : this.within(remainingMs);
  }

  private within(remainingMs: number): Promise<pg.PoolClient> {
    if (remainingMs === 0) return Promise.reject(new DatabaseSilentError(false));
    return new Promise<pg.PoolClient>((resolve, reject) => {
      let late = false;
      const stopTimer = spendDatabaseTime(() => {
        late = true;
        stopTimer();
        reject(new DatabaseSilentError(false));
      });
      const connect = (): void => {
        super.connect().then(
          (client) => {
            if (late) return client.release();
            stopTimer();
            resolve(client);
          },
          (error: unknown) => {
            if (late) return;
            // The driver's limit, by the wall clock: this process was busy, and the request still has time.
            if (isTimeout(error) && databaseTimeLeft() !== Infinity) return connect();
            stopTimer();
            reject(error instanceof SecondConnectionError ? error : new DatabaseSilentError(false, error));
          },
        );
      };
      connect();
    });
  }
}

/** Whether a statement may change data. A function that writes is not seen. */
function mayChange(text: string): boolean {
  return WITH.test(text) ? CHANGES.test(text) : !CHANGES_NOTHING.test(text);
}

function isNamed(query: unknown): query is { readonly name: string } {
  return typeof query === 'object' && query !== null && 'name' in query && !isSubmittable(query);
}

function isSubmittable(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'submit' in query;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message);
}

function isGone(error: unknown): boolean {
  if (error instanceof pg.DatabaseError || !(error instanceof Error)) return false;
  return GONE.test(error.message) || ('code' in error && /^E[A-Z]+$/.test(String(error.code)));
}
