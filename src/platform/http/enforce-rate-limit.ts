import { Logger } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { type RateLimit } from '../../contract/rate-limits.js';
import { databaseTimeLeft } from '../database/request-budget.js';
import { LogSampler } from '../logging/log-sampler.js';
import { ApiError } from './api-error.js';
import { type Principal } from '../principal.js';
import { networkOf } from './client-network.js';
import { type RateLimiter } from './rate-limits.js';
import { type ContextRequest } from './context-request.js';

const logger = new Logger('RateLimit');
const failures = new LogSampler(10);

/**
 * Counts this request against `limit`.
 * @throws ApiError 429 with the seconds to wait; 503 when the counter is not available and the limit fails closed
 */
export async function enforceRateLimit(
  limiter: RateLimiter,
  limit: RateLimit,
  principal: Principal | undefined,
  request: ContextRequest,
  reply: FastifyReply,
): Promise<void> {
  const state = await limiter.hit(limit, identifierOf(limit, principal, request)).catch((error: unknown) => {
    const skipped = failures.admit(limit.name);
    if (skipped !== null) {
      const { name, onFailure } = limit;
      logger.error('The rate limiter did not answer.', { limit: name, onFailure, skipped, error });
    }
    // If the request's time for the database is spent, the handler would fail too.
    if (limit.onFailure === 'allow' && databaseTimeLeft() > 0) return null;
    throw new ApiError(503, 'The service is busy. Please try again in a moment.', {
      retryAfterSeconds: 5,
      cause: error,
    });
  });
  if (!state) return;
  void reply.header('RateLimit-Limit', limit.max);
  void reply.header('RateLimit-Remaining', state.remaining);
  if (state.limited) {
    throw new ApiError(429, limit.message.replace('{n}', String(state.retryAfterSeconds)), {
      retryAfterSeconds: state.retryAfterSeconds,
      details: JSON.stringify({
        rateLimited: true,
        retryAfter: state.retryAfterSeconds,
        resetTime: state.resetAt.toISOString(),
        remaining: state.remaining,
      }),
    });
  }
}

/** Returns the key under which a limit counts this request: the user or the network of the caller. */
export function identifierOf(limit: RateLimit, principal: Principal | undefined, request: ContextRequest): string {
  return principal && limit.by === 'caller' ? `user:${principal.userId}` : `ip:${networkOf(request.ip)}`;
}
