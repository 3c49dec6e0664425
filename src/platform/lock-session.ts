import { createHash } from 'node:crypto';
import { type Pool, type PoolClient } from 'pg';
import { withoutLease } from './database/lease-fence.js';

export interface LeaseTimes {
  /** The database ends the session of a process that sends nothing for this time, milliseconds. */
  readonly idleMs: number;
  /** Time between two statements that show that the process runs, milliseconds. */
  readonly beatMs: number;
}

/** The answer to a request for a lock. */
export interface Claim {
  /** The lease of the caller; null while another holder has the lock. */
  readonly token: string | null;
  /** The other holder, and for how long it has the lock; null when it was just given back. */
  readonly owner: string | null;
  readonly holder: string | null;
  readonly heldSeconds: number | null;
}

/**
 * Requests a lock and, when it is free, its lease: $1 key, $2 name, $3 owner, $4 time limit of an idle session. It
 * waits for nothing: while a transaction of an earlier holder locks the row, the lock counts as held.
 */
const CLAIM = `
  with answer as materialized (select pg_try_advisory_lock($1) as granted),
  request as materialized (
    select granted, case when granted then set_config('idle_session_timeout', $4, false) end as timeout from answer),
  free as materialized (
    select l.name from request, lease l where request.granted and l.name = $2 for update of l skip locked),
  claim as (
    insert into lease (name, key, owner)
    select $2, $1, $3 from request
    where request.granted and (exists (select from free) or not exists (select from lease where name = $2))
    on conflict (name) do update
    set token = excluded.token, owner = excluded.owner, claimed_at = excluded.claimed_at
    returning token)
  select request.granted, request.timeout, claim.token, l.token as holder, l.owner,
    extract(epoch from clock_timestamp() - l.claimed_at)::float8 as "heldSeconds"
  from request left join claim on true left join lease l on l.name = $2`;

/**
 * Gives a lock back: $1 key, $2 name, $3 token, $4 whether it was the last one of the session. It leaves a row that a
 * transaction under the lease still locks to the next holder.
 */
const RELEASE = `
  with own as (select name from lease where name = $2 and token = $3::uuid for update skip locked),
  gone as (delete from lease l using own where l.name = own.name)
  select pg_advisory_unlock($1), case when $4 then set_config('idle_session_timeout', '0', false) end`;

/** Gives a lock back that has no lease: $1 key, $2 whether the session has no other one. */
const UNLOCK = `
  select pg_advisory_unlock($1), case when $2 then set_config('idle_session_timeout', '0', false) end`;

/** Removes the rows of processes that were killed. A holder that only lost its connection may work on for a while. */
const TIDY = `
  delete from lease l using (
    select token from lease
    where claimed_at < clock_timestamp() - interval '1 day' and not exists (
      select from pg_locks
      where locktype = 'advisory' and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and classid = ((key >> 32) & 4294967295)::oid and objid = (key & 4294967295)::oid)
    for update skip locked) as stale
  where l.token = stale.token`;

/** A connection that holds advisory locks with their leases, from its first statement to its release. */
export class LockSession {
  /** Locks that are held or requested. */
  users = 0;
  private readonly client: Promise<PoolClient>;
  private readonly loss = new AbortController();
  /** The statement before the next one: a connection runs one at a time. */
  private last: Promise<unknown>;
  private heldLocks = 0;
  private givenBack = false;
  private beat: NodeJS.Timeout | undefined;

  /** @param outside runs work in no request, whose time for the database would end it */
  constructor(
    pool: Pool,
    private readonly times: LeaseTimes,
    private readonly outside: <T>(work: () => T) => T,
    private readonly onLost: (session: LockSession, error: Error) => void,
  ) {
    this.client = pool.connect();
    this.last = this.client.then((client) => client.on('error', this.lose), this.lose);
  }

  /** Aborted when the connection broke. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  /** @throws the error of the database; the connection then counts as lost */
  claim(name: string, owner: string): Promise<Claim> {
    const key = keyOf(name);
    return this.inTurn(async (client) => {
      const values = [key, name, owner, `${this.times.idleMs}ms`];
      const { rows } = await client.query<Claim & { readonly granted: boolean }>(CLAIM, values);
      const [claim] = rows;
      if (!claim) throw new Error('The database did not answer whether a lock is free.');
      if (claim.token !== null) this.hold();
      else if (claim.granted) await client.query(UNLOCK, [key, this.heldLocks === 0]);
      return claim;
    });
  }

  /** @throws the error of the database; the connection then counts as lost */
  async giveBack(name: string, token: string): Promise<void> {
    await this.inTurn((client) => {
      this.heldLocks -= 1;
      if (this.heldLocks === 0) clearInterval(this.beat);
      return client.query(RELEASE, [keyOf(name), name, token, this.heldLocks === 0]);
    });
  }

  /** Removes the rows of processes that were killed. @throws the error of the database */
  async tidy(): Promise<void> {
    await this.inTurn((client) => client.query(TIDY));
  }

  /** Ends the use of the connection. */
  release(): void {
    this.giveBackConnection();
  }

  /** Does nothing the second time: a late statement may fail after the release. @param loss destroys the connection */
  private giveBackConnection(loss?: Error): void {
    if (this.givenBack) return;
    this.givenBack = true;
    void this.client.then(
      (client) => {
        client.off('error', this.lose);
        client.release(loss);
      },
      () => undefined, // there is none
    );
  }

  /** Counts a lock. While there is one, the session shows that this process runs. */
  private hold(): void {
    this.heldLocks += 1;
    if (this.heldLocks > 1) return;
    const show = (): void => void this.inTurn((client) => client.query('select 1')).catch(() => undefined); // logged
    this.beat = this.outside(() => setInterval(show, this.times.beatMs).unref());
  }

  private inTurn<T>(statement: (client: PoolClient) => Promise<T>): Promise<T> {
    const answer = this.last.then(async () => {
      // The locks of a lost connection are released.
      this.lost.throwIfAborted();
      const client = await this.client;
      // Neither the time of a request nor a lease may end a statement of the locks of the whole process.
      return this.outside(() => withoutLease(() => statement(client)));
    });
    this.last = answer.catch(this.lose);
    return answer;
  }

  private readonly lose = (error: unknown): void => {
    clearInterval(this.beat);
    if (this.lost.aborted) return;
    const reason = error instanceof Error ? error : new Error(String(error));
    this.loss.abort(reason);
    // The work goes on, and the next locks need a connection.
    this.giveBackConnection(reason);
    this.onLost(this, reason);
  };
}

function keyOf(name: string): string {
  return lockKey(`lock:${name}`);
}

/** Returns the key of a Postgres advisory lock for a name: a signed 64-bit number, as text. */
export function lockKey(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString();
}
