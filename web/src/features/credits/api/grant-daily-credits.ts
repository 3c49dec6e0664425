import type { DailyGrantResponse } from '../../../../../src/contract/credits.js';
import { rpc, type RpcOptions } from '../../../lib/api.js';

/** Grants the fan's free credits of today, if they were not granted yet. */
export function grantDailyCredits(options: RpcOptions = {}): Promise<DailyGrantResponse> {
  return rpc('grant_daily_credits_by_jwt', {}, options);
}
