import { Inject, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { type Generated, type Kysely, sql } from 'kysely';
import { type RateLimit } from '../../contract/rate-limits.js';
import { Clock } from '../clock.js';
import { DATABASE } from '../database/database.js';
import { RateLimiter, type RateLimitState } from './rate-limits.js';

const PRUNE_EVERY_MS = 60 * 60 * 1000;

interface RateLimitTables {
  rate_limit: { key: string; window_start: Date; hits: Generated<number> };
}

/**
 * Counts requests in fixed windows in one unlogged table, which all instances share, with one statement per request. A
 * crash of the database empties the table; that is acceptable for limits. (Libraries either need Redis or count per
 * process.)
 */
@Injectable()
export class PostgresRateLimiter extends RateLimiter {
  private readonly logger = new Logger(PostgresRateLimiter.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<RateLimitTables>,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async hit(limit: RateLimit, identifier: string): Promise<RateLimitState> {
    const window = windowAt(limit, this.clock.now());
    const row = await this.db
      .insertInto('rate_limit')
      .values({ key: keyOf(limit, identifier), window_start: window.start, hits: 1 })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          hits: sql<number>`case when rate_limit.window_start = excluded.window_start
                                 then least(rate_limit.hits + 1, ${limit.max + 1}) else 1 end`,
          window_start: sql<Date>`excluded.window_start`,
        }),
      )
      .returning('hits')
      .executeTakeFirstOrThrow();
    return toState(limit, row.hits, row.hits > limit.max, window.end, this.clock.now());
  }

  override async peek(limit: RateLimit, identifier: string): Promise<RateLimitState> {
    const window = windowAt(limit, this.clock.now());
    const row = await this.db
      .selectFrom('rate_limit')
      .select('hits')
      .where('key', '=', keyOf(limit, identifier))
      .where('window_start', '=', window.start)
      .executeTakeFirst();
    const hits = row?.hits ?? 0;
    return toState(limit, hits, hits >= limit.max, window.end, this.clock.now());
  }

  /** Deletes counters a day after their window, so that the table does not grow with every address. */
  @Interval('rate-limit-prune', PRUNE_EVERY_MS)
  async prune(): Promise<void> {
    const dayAgo = new Date(this.clock.now().getTime() - 86_400_000);
    try {
      await this.db.deleteFrom('rate_limit').where('window_start', '<', dayAgo).execute();
    } catch (error) {
      this.logger.warn('Old rate limit counters could not be removed; tried again in an hour.', { error });
    }
  }
}

const keyOf = (limit: RateLimit, identifier: string): string => `${limit.name}|${identifier}`;

function windowAt(limit: RateLimit, now: Date): { start: Date; end: Date } {
  const length = limit.windowSeconds * 1000;
  const start = Math.floor(now.getTime() / length) * length;
  return { start: new Date(start), end: new Date(start + length) };
}

function toState(limit: RateLimit, hits: number, limited: boolean, resetAt: Date, now: Date): RateLimitState {
  return {
    limited,
    remaining: Math.max(0, limit.max - hits),
    resetAt,
    retryAfterSeconds: limited ? Math.max(1, Math.ceil((resetAt.getTime() - now.getTime()) / 1000)) : 0,
  };
}
