import { type RateLimitRow } from '../rate-limits.js';
import { type Count } from '../scalars.js';
import { IsText, IsWhole, Optional } from './fields.js';

/** Largest number of an ignored field. */
const MAX_IGNORED = 1_000_000;

export class RateLimitRequest {
  /** Not used: the server answers for the caller alone. */
  @Optional(IsText(500))
  p_identifier?: string;

  /** Name of a limit. */
  @IsText(100)
  p_operation!: string;

  /** Not used; the window is not used either. The server has its own limits. */
  @Optional(IsWhole(1, MAX_IGNORED))
  p_max_requests?: Count;

  @Optional(IsWhole(1, MAX_IGNORED))
  p_window_size_seconds?: Count;
}

export interface RateLimitCalls {
  /** Returns one row: the rest of a limit for the caller. This call does not count towards the limit. */
  is_rate_limited: { request: RateLimitRequest; response: RateLimitRow[] };
}
