import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import { databaseTimeLeft, spendDatabaseTime } from './request-budget.js';

/** The database kept a request waiting for as long as that could wait, or was lost meanwhile. */
export class DatabaseSilentError extends Error {
  /** @param mayBeDone a statement was sent that changes something, and its answer never came */
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

/** How the driver says that a connection is gone, or that its own limit is over. */
const GONE = /^Connection terminated|Client was closed|Client has encountered|not queryable|timeout/i;
const CHANGES_NOTHING = /^\s*(select|begin|rollback|listen|set)\b/i;

/** A connection on which a request's statements end with the request's budget. */
class PatientClient extends pg.Client {
  // The driver's overloads: a text or a query with its values, and a callback or a promise.
  override query(...args: unknown[]): never {
    const left = databaseTimeLeft();
    const [first, second, third] = args;
    if (left === Infinity || isSubmittable(first)) return this.send(args) as never;
    const callback = [second, third].find((each) => typeof each === 'function') as Callback<[unknown]> | undefined;
    const given = typeof first === 'string' ? { text: first } : (first as { text: string; query_timeout?: number });
    const values = Array.isArray(second) ? { values: second as unknown[] } : {};
    const answer = this.inTime({ ...given, ...values }, left);
    if (!callback) return answer as never;
    answer.then(
      (result) => callback(undefined, result),
      (error: unknown) => callback(error as Error, undefined),
    );
    return undefined as never;
  }

  private async inTime(query: { text: string; query_timeout?: number }, left: number): Promise<unknown> {
    // What was begun is undone however late it is.
    const limit = /^rollback/i.test(query.text) ? Math.max(left, 250) : left;
    if (limit === 0) throw new DatabaseSilentError(false);
    const spent = spendDatabaseTime();
    try {
      return await this.send([{ ...query, query_timeout: Math.ceil(Math.min(limit, query.query_timeout ?? limit)) }]);
    } catch (error) {
      if (!isGone(error)) throw error;
      // Whoever gets this connection next must not wait for an answer that nobody wants; the pool replaces it.
      (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      throw new DatabaseSilentError(!CHANGES_NOTHING.test(query.text), error);
    } finally {
      spent();
    }
  }

  private send(args: unknown[]): unknown {
    return (super.query as (...given: unknown[]) => unknown).apply(this, args);
  }
}

/** A pool that keeps a request waiting no longer than its budget, for a connection and for answers together. */
export class PatientPool extends pg.Pool {
  constructor(options: pg.PoolConfig) {
    super({ ...options, Client: PatientClient });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const left = databaseTimeLeft();
    if (callback) {
      // Another request may hand its connection on: what follows is not that one's.
      const own = AsyncResource.bind(callback as (...args: unknown[]) => void) as unknown as Connected;
      if (left === Infinity) return super.connect(own as never);
      this.within(left).then(
        (client) => own(undefined, client, (error) => client.release(error)),
        (error: unknown) => own(error as Error, undefined, () => undefined),
      );
      return undefined;
    }
    return left === Infinity ? super.connect() : this.within(left);
  }

  private within(left: number): Promise<pg.PoolClient> {
    if (left === 0) return Promise.reject(new DatabaseSilentError(false));
    const spent = spendDatabaseTime();
    return new Promise<pg.PoolClient>((resolve, reject) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        reject(new DatabaseSilentError(false));
      }, left);
      super.connect().then(
        (client) => {
          clearTimeout(timer);
          if (late) client.release();
          else resolve(client);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(new DatabaseSilentError(false, error));
        },
      );
    }).finally(spent);
  }
}

function isSubmittable(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'submit' in query;
}

function isGone(error: unknown): boolean {
  if (error instanceof pg.DatabaseError || !(error instanceof Error)) return false;
  return GONE.test(error.message) || ('code' in error && /^E[A-Z]+$/.test(String(error.code)));
}
