import { Inject, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { type Generated, type Kysely, sql } from 'kysely';
import { type RateLimit } from '../../contract/rate-limits.js';
import { Clock } from '../clock.js';
import { DATABASE } from '../database/database.js';
import { RateLimiter, type RateLimitState } from './rate-limits.js';

const PRUNE_EVERY_MS = 60 * 60 * 1000;
/** A refusal is repeated for at most this time without asking the database, which a flood would keep busy. */
const REMEMBERED_MS = 1_000;
const MOST_REMEMBERED = 10_000;

interface RateLimitTables {
  rate_limit: {
    key: string;
    /** Times of the requests that passed within the window, oldest first: at most as many as the limit. */
    hits: Generated<Date[]>;
    /** Whether the last request was refused. */
    refused: Generated<boolean>;
    /** No request counts any more from then on. */
    expires_at: Date;
  };
}

/** The requests of a key that count now. */
interface Counted {
  readonly hits: number;
  readonly oldest: Date | null;
}

interface Refusal {
  readonly until: Date;
  readonly counted: Counted;
}

/**
 * Allows at most `max` requests in any period of `windowSeconds`. Refused requests do not count. The times are in one
 * unlogged table, which all instances share, and each request costs one statement, or none soon after a refusal. A
 * crash of the database empties the table; that is acceptable for limits. (Libraries either need Redis or count per
 * process.)
 */
@Injectable()
export class PostgresRateLimiter extends RateLimiter {
  private readonly logger = new Logger(PostgresRateLimiter.name);
  /** The last refusals by key, the oldest first. */
  private readonly refusals = new Map<string, Refusal>();

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<RateLimitTables>,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async hit(limit: RateLimit, identifier: string): Promise<RateLimitState> {
    const now = this.clock.now();
    const key = keyOf(limit, identifier);
    const refusal = this.refusals.get(key);
    if (refusal && now < refusal.until) return toState(limit, refusal.counted, true, now);
    const { rows } = await sql<Counted & { refused: boolean }>`
      insert into rate_limit as stored (key, hits, expires_at)
      values (${key}, array[${now}::timestamptz], ${windowEnd(limit, now)})
      on conflict (key) do update set
        expires_at = excluded.expires_at,
        (hits, refused) = (
          select case when count(*) >= ${limit.max} then array_agg(hit order by hit)
                      else array_agg(hit order by hit) || excluded.hits end,
                 count(*) >= ${limit.max}
          from unnest(stored.hits) as hit
          where hit > ${windowStart(limit, now)}
        )
      returning cardinality(hits) as hits, hits[1] as oldest, refused`.execute(this.db);
    const [row] = rows;
    if (!row) throw new Error('The rate limiter got no row for a request.');
    const state = toState(limit, row, row.refused, now);
    if (row.refused) this.remember(key, { until: endOfRefusal(state.resetAt, now), counted: row });
    return state;
  }

  private remember(key: string, refusal: Refusal): void {
    this.refusals.delete(key);
    this.refusals.set(key, refusal);
    const [oldest] = this.refusals.keys();
    if (this.refusals.size > MOST_REMEMBERED && oldest !== undefined) this.refusals.delete(oldest);
  }

  override async peek(limit: RateLimit, identifier: string): Promise<RateLimitState> {
    const now = this.clock.now();
    const { rows } = await sql<Counted>`
      select count(*)::int as hits, min(hit) as oldest
      from rate_limit, unnest(hits) as hit
      where key = ${keyOf(limit, identifier)} and hit > ${windowStart(limit, now)}`.execute(this.db);
    const counted = rows[0] ?? { hits: 0, oldest: null };
    return toState(limit, counted, counted.hits >= limit.max, now);
  }

  /** Deletes keys without counted requests, so that the table does not grow with every address. */
  @Interval('rate-limit-prune', PRUNE_EVERY_MS)
  async prune(): Promise<void> {
    try {
      await this.db.deleteFrom('rate_limit').where('expires_at', '<', this.clock.now()).execute();
    } catch (error) {
      this.logger.warn('Old rate limit counters could not be removed; tried again in an hour.', { error });
    }
  }
}

const keyOf = (limit: RateLimit, identifier: string): string => `${limit.name}|${identifier}`;
const windowStart = (limit: RateLimit, now: Date): Date => new Date(now.getTime() - limit.windowSeconds * 1000);
const windowEnd = (limit: RateLimit, from: Date): Date => new Date(from.getTime() + limit.windowSeconds * 1000);

/** Until when a refusal is repeated: a request is allowed again at `resetAt`. */
function endOfRefusal(resetAt: Date, now: Date): Date {
  return new Date(Math.min(resetAt.getTime(), now.getTime() + REMEMBERED_MS));
}

/** The oldest counted request is the next one that makes room. */
function toState(limit: RateLimit, { hits, oldest }: Counted, limited: boolean, now: Date): RateLimitState {
  const resetAt = windowEnd(limit, oldest ?? now);
  return {
    limited,
    remaining: Math.max(0, limit.max - hits),
    resetAt,
    retryAfterSeconds: limited ? Math.max(1, Math.ceil((resetAt.getTime() - now.getTime()) / 1000)) : 0,
  };
}
