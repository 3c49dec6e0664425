import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';

/**
 * Locks across all instances that share the database, for scheduled work that only one of them should do at a time. Each
 * lock held takes a connection of the pool; a process that dies gives its locks back.
 */
@Injectable()
export class Locks {
  private readonly logger = new Logger(Locks.name);

  constructor(private readonly pool: Pool) {}

  /**
   * Runs `fn` while holding the lock of this name.
   * @returns what `fn` returned; undefined, without running it, when somebody holds the lock (another instance, or this one)
   * @throws what `fn` threw, or the database's error when the lock cannot be asked for
   */
  async withLock<T>(name: string, fn: () => Promise<T>): Promise<T | undefined> {
    const key = lockKey(`lock:${name}`);
    const client = await this.pool.connect();
    let broken = false;
    const onError = (error: Error): void => {
      broken = true;
      this.logger.warn('The connection that holds a lock was lost; another instance may take it.', {
        lock: name,
        reason: error.message,
      });
    };
    client.on('error', onError);
    try {
      const answer = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [key]);
      if (!answer.rows[0]?.held) return undefined;
      try {
        return await fn();
      } finally {
        if (!broken) await this.unlock(client, name, key).catch(onError);
      }
    } catch (error) {
      broken ||= isConnectionError(error);
      throw error;
    } finally {
      client.off('error', onError);
      // A destroyed connection takes its locks with it.
      client.release(broken);
    }
  }

  private async unlock(client: { query(text: string, values: string[]): Promise<unknown> }, name: string, key: string) {
    await client.query('select pg_advisory_unlock($1)', [key]);
    this.logger.debug('A lock was given back.', { lock: name });
  }
}

/** Key of a Postgres advisory lock (a signed 64-bit number, as text) for a name. */
export function lockKey(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString();
}

function isConnectionError(error: unknown): boolean {
  return error instanceof Error && /Connection terminated|timeout|ECONNRESET|EPIPE/i.test(error.message);
}
