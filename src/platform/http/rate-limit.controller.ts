import { Body, Controller, Logger, Req } from '@nestjs/common';
import { RateLimitRequest } from '../../contract/calls/rate-limits.js';
import { RATE_LIMITS, UNKNOWN_CATEGORY, type RateLimit, type RateLimitRow } from '../../contract/rate-limits.js';
import { Clock } from '../clock.js';
import { identifierOf } from './enforce-rate-limit.js';
import { type Principal } from '../principal.js';
import { RateLimiter } from './rate-limits.js';
import { type ContextRequest } from './context-request.js';
import { OptionalUser, Rpc } from './routes.js';

/**
 * `is_rate_limited`: the caller's remaining requests of a limit. The check itself does not count against that limit.
 */
@Controller()
export class RateLimitController {
  private readonly logger = new Logger(RateLimitController.name);

  constructor(
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  @Rpc('is_rate_limited', { access: 'public', limit: RATE_LIMITS.publicData })
  async check(
    @Req() request: ContextRequest,
    @OptionalUser() user: Principal | null,
    @Body() { p_operation: operation }: RateLimitRequest,
  ): Promise<RateLimitRow[]> {
    const limit: RateLimit =
      Object.values<RateLimit>(RATE_LIMITS).find(({ name }) => name === operation.toLowerCase()) ?? UNKNOWN_CATEGORY;
    try {
      const state = await this.limiter.peek(limit, identifierOf(limit, user ?? undefined, request));
      return [
        { is_limited: state.limited, remaining_requests: state.remaining, reset_time: state.resetAt.toISOString() },
      ];
    } catch (error) {
      // The check fails open (fan spec, section 8); the guarded call enforces its own limit.
      this.logger.error('A rate limit could not be looked up.', { limit: limit.name, error });
      return [{ is_limited: false, remaining_requests: limit.max, reset_time: this.clock.now().toISOString() }];
    }
  }
}
