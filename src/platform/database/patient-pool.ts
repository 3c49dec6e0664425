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

/** How long a transaction may take to be undone when there is no time left, milliseconds. */
const UNDO_MS = 250;

/** A connection on which a request's statements end with the request's budget. */
class PatientClient extends pg.Client {
  // The driver's overloads: a text or a query with its values, and a callback or a promise.
  override query(...args: unknown[]): never {
    const left = databaseTimeLeft();
    const [first, second, third] = args;
    if (left === Infinity || isSubmittable(first)) return this.send(args) as never;
    const callback = [second, third].find((each) => typeof each === 'function') as Callback<[unknown]> | undefined;
    const given = typeof first === 'string' ? { text: first } : (first as { text: string });
    const values = Array.isArray(second) ? { values: second as unknown[] } : {};
    const answer = this.inTime({ ...given, ...values }, left);
    if (!callback) return answer as never;
    answer.then(
      (result) => callback(undefined, result),
      (error: unknown) => callback(error as Error, undefined),
    );
    return undefined as never;
  }

  private async inTime(query: { text: string }, left: number): Promise<unknown> {
    const undoes = /^rollback/i.test(query.text);
    if (left === 0 && !undoes) throw new DatabaseSilentError(false);
    const silent = (cause?: unknown): DatabaseSilentError =>
      new DatabaseSilentError(!CHANGES_NOTHING.test(query.text), cause);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        spent();
        reject(silent());
        // Whoever gets this connection next must not wait for an answer that nobody wants; the pool replaces it.
        setImmediate(() => this.destroy());
      };
      // What was begun is undone however late it is.
      const undoing = undoes ? setTimeout(giveUp, UNDO_MS) : undefined;
      const spent = undoes ? () => clearTimeout(undoing) : spendDatabaseTime(giveUp);
      (this.send([query]) as Promise<unknown>).then(
        (result) => {
          spent();
          resolve(result);
        },
        (error: Error) => {
          spent();
          reject(isGone(error) ? silent(error) : error);
        },
      );
    });
  }

  private destroy(): void {
    (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
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
    return new Promise<pg.PoolClient>((resolve, reject) => {
      let late = false;
      const spent = spendDatabaseTime(() => {
        late = true;
        spent();
        reject(new DatabaseSilentError(false));
      });
      super.connect().then(
        (client) => {
          if (late) return client.release();
          spent();
          resolve(client);
        },
        (error: unknown) => {
          if (late) return;
          spent();
          reject(new DatabaseSilentError(false, error));
        },
      );
    });
  }
}

function isSubmittable(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'submit' in query;
}

function isGone(error: unknown): boolean {
  if (error instanceof pg.DatabaseError || !(error instanceof Error)) return false;
  return GONE.test(error.message) || ('code' in error && /^E[A-Z]+$/.test(String(error.code)));
}
