import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Pool } from 'pg';
import { PG_POOL } from './database/database.js';

/**
 * Locks across all instances that share the database, for scheduled work that only one of them should do at a time. Each
 * lock held takes a connection of the pool; a process that dies gives its locks back.
 */
@Injectable()
export class Locks {
  private readonly logger = new Logger(Locks.name);

  constructor(@Inject(PG_POOL) private readonly pool: Pool) {}

  /**
   * Runs `fn` while holding the lock of this name. Should the connection break meanwhile, `fn` goes on and another instance
   * may start: what it does must be safe to do twice, the lock only saves work.
   * @returns what `fn` returned; undefined, without running it, when somebody holds the lock (another instance, or this one)
   * @throws what `fn` threw, or the database's error when the lock cannot be asked for
   */
  async withLock<T>(name: string, fn: () => Promise<T>): Promise<T | undefined> {
    const key = lockKey(`lock:${name}`);
    const client = await this.pool.connect();
    let broken: Error | undefined;
    const onError = (error: unknown): void => {
      broken = error instanceof Error ? error : new Error(String(error));
      this.logger.warn('The connection of a lock was lost.', { lock: name, reason: broken.message });
    };
    client.on('error', onError);
    try {
      const held = await ask(client, 'pg_try_advisory_lock', key).catch((error: unknown) => {
        onError(error);
        throw error;
      });
      if (!held) return undefined;
      try {
        return await fn();
      } finally {
        if (!broken) await ask(client, 'pg_advisory_unlock', key).catch(onError);
      }
    } finally {
      client.off('error', onError);
      // A connection that is destroyed gives back whatever it holds.
      client.release(broken);
    }
  }
}

/** Key of a Postgres advisory lock (a signed 64-bit number, as text) for a name. */
export function lockKey(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString();
}

interface Asked {
  query(text: string, values: string[]): Promise<{ rows: { held: boolean }[] }>;
}

async function ask(client: Asked, call: 'pg_try_advisory_lock' | 'pg_advisory_unlock', key: string): Promise<boolean> {
  const { rows } = await client.query(`select ${call}($1) as held`, [key]);
  return rows[0]?.held === true;
}
