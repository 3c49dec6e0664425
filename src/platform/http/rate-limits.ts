import { type RateLimit } from '../../contract/rate-limits.js';

/** Counts requests. All instances share the counters. */
export abstract class RateLimiter {
  /** Counts one request of `identifier` (a user or an IP address). `retryAfterSeconds` is 0 when it is allowed. */
  abstract hit(limit: RateLimit, identifier: string): Promise<RateLimitState>;
  /** Returns the state without counting a request. `limited` is true when the next `hit` would be refused. */
  abstract peek(limit: RateLimit, identifier: string): Promise<RateLimitState>;
}

export interface RateLimitState {
  readonly limited: boolean;
  readonly remaining: number;
  readonly resetAt: Date;
  readonly retryAfterSeconds: number;
}
