import { RateLimiter, type RateLimitState } from '../../src/platform/http/rate-limits.js';

/** Counts no request. */
export class NoLimits extends RateLimiter {
  override hit(): Promise<RateLimitState> {
    return Promise.resolve({ limited: false, remaining: 1, resetAt: new Date(0), retryAfterSeconds: 0 });
  }

  override peek(): Promise<RateLimitState> {
    return this.hit();
  }
}
