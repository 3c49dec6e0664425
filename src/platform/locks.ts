import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Pool, type PoolClient } from 'pg';
import { PG_POOL } from './database/database.js';

/**
 * Locks across all instances that share the database, for scheduled work that one instance at a time should do. All
 * held locks of a process use one connection of the pool. A process that dies releases its locks.
 */
@Injectable()
export class Locks {
  private readonly logger = new Logger(Locks.name);
  /** Names of the locks that this instance holds or asks for: Postgres would give a session the same lock again. */
  private readonly names = new Set<string>();
  /** The connection of the locks; null while there are none. */
  private session: LockSession | null = null;

  constructor(@Inject(PG_POOL) private readonly pool: Pool) {}

  /**
   * Runs `fn` while holding the lock of this name. If the connection breaks meanwhile, `fn` continues and another
   * instance may start, so `fn` must be safe to run twice. The lock only saves work.
   * @param fn receives a signal that the connection broke
   * @returns the result of `fn`; undefined, without running it, when the lock is held (by another instance or this one)
   * @throws the error of `fn`, or of the database when the lock cannot be requested
   */
  async withLock<T>(name: string, fn: (lost: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (this.names.has(name)) return undefined;
    this.names.add(name);
    try {
      const session = this.enter();
      try {
        if (!(await session.ask('pg_try_advisory_lock', name))) return undefined;
        try {
          return await fn(session.lost);
        } finally {
          await session.ask('pg_advisory_unlock', name).catch(() => undefined); // its loss is logged
        }
      } finally {
        this.leave(session);
      }
    } finally {
      this.names.delete(name);
    }
  }

  /** Returns the session that all locks share: the present one, or a new one. */
  private enter(): LockSession {
    this.session ??= new LockSession(this.pool, (session, error) => {
      if (this.session === session) this.session = null;
      this.logger.warn('The connection of locks was lost.', { locks: [...this.names], reason: error.message });
    });
    this.session.users += 1;
    return this.session;
  }

  private leave(session: LockSession): void {
    session.users -= 1;
    if (session.users > 0) return;
    if (this.session === session) this.session = null;
    session.release();
  }
}

/** A connection that holds advisory locks, from its first statement to its release. */
class LockSession {
  /** Locks that are held or requested. */
  users = 0;
  private readonly client: Promise<PoolClient>;
  private readonly loss = new AbortController();
  /** The statement before the next one: a connection runs one at a time. */
  private last: Promise<unknown>;

  constructor(
    pool: Pool,
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
  async ask(call: 'pg_try_advisory_lock' | 'pg_advisory_unlock', name: string): Promise<boolean> {
    const answer = this.last.then(async () => {
      // The locks of a lost connection are released.
      this.lost.throwIfAborted();
      const text = `select ${call}($1) as held`;
      const { rows } = await (await this.client).query<{ held: boolean }>(text, [lockKey(`lock:${name}`)]);
      return rows[0]?.held === true;
    });
    this.last = answer.catch(this.lose);
    return answer;
  }

  /** Destroys a lost connection, which releases its locks. */
  release(): void {
    void this.client.then(
      (client) => {
        client.off('error', this.lose);
        client.release(this.lost.reason as Error | undefined);
      },
      () => undefined, // there is none
    );
  }

  private readonly lose = (error: unknown): void => {
    if (this.lost.aborted) return;
    const reason = error instanceof Error ? error : new Error(String(error));
    this.loss.abort(reason);
    this.onLost(this, reason);
  };
}

/** Returns the key of a Postgres advisory lock for a name: a signed 64-bit number, as text. */
export function lockKey(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString();
}
