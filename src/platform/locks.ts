import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Pool } from 'pg';
import { PG_POOL } from './database/database.js';

/**
 * Locks across all instances that share the database, for scheduled work that one instance at a time should do. Each
 * held lock uses a connection of the pool. A process that dies releases its locks.
 */
@Injectable()
export class Locks {
  private readonly logger = new Logger(Locks.name);

  constructor(@Inject(PG_POOL) private readonly pool: Pool) {}

  /**
   * Runs `fn` while holding the lock of this name. If the connection breaks meanwhile, `fn` continues and another
   * instance may start, so `fn` must be safe to run twice. The lock only saves work.
   * @returns the result of `fn`; undefined, without running it, when the lock is held (by another instance or this one)
   * @throws the error of `fn`, or of the database when the lock cannot be requested
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
      // Destroying a connection releases its locks.
      client.release(broken);
    }
  }
}

/** Returns the key of a Postgres advisory lock for a name: a signed 64-bit number, as text. */
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
