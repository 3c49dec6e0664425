import { type RateLimit } from '../../contract/rate-limits.js';

/** Counts requests; shared between instances. */
export abstract class RateLimiter {
  /** Counts one request of `identifier` (a user or an IP address). `retryAfterSeconds` is 0 when it is allowed. */
  abstract hit(limit: RateLimit, identifier: string): Promise<RateLimitState>;
  /** Returns the state without counting: `limited` when the next `hit` would be. */
  abstract peek(limit: RateLimit, identifier: string): Promise<RateLimitState>;
}

export interface RateLimitState {
  readonly limited: boolean;
  readonly remaining: number;
  readonly resetAt: Date;
  readonly retryAfterSeconds: number;
}
