import { type RateLimit } from '../../contract/rate-limits.js';

/** Counts requests; shared between instances. */
export abstract class RateLimiter {
  /** Counts one request. `retryAfterSeconds` is 0 when it is allowed. */
  abstract hit(limit: RateLimit, identifier: string): Promise<RateLimitState>;
  /** The state without counting. */
  abstract peek(limit: RateLimit, identifier: string): Promise<RateLimitState>;
}

export interface RateLimitState {
  readonly limited: boolean;
  readonly remaining: number;
  readonly resetAt: Date;
  readonly retryAfterSeconds: number;
}
