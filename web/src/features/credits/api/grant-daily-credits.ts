import type { DailyGrantResponse } from '../../../../../src/credits/wire.js';
import { rpc } from '../../../lib/api.js';
import { refreshCredits } from './get-user-credit-breakdown.js';
import { claimDailyAsk, grantKey, noteFailure } from '../daily-grant-once.js';
import { localStore } from '../../../lib/storage.js';

/** Days asked in this page, for browsers that remember nothing. */
const askedHere = new Set<string>();

/** Asks silently for today's credits if that is due. A failure never troubles the user. */
export async function askForDailyGrant(userId: string): Promise<void> {
  const now = new Date();
  const today = `${userId} ${now.toISOString().slice(0, 10)}`;
  if (askedHere.has(today) && localStore.get(grantKey(userId)) === null) return;
  if (!claimDailyAsk(localStore, userId, now)) return;
  askedHere.add(today);
  try {
    const result = await rpc<DailyGrantResponse>('grant_daily_credits_by_jwt');
    if (!result.success) throw new Error(result.error);
    if (result.credits_granted > 0) refreshCredits('now');
  } catch (error) {
    console.warn('The daily credits were not granted now', error);
    noteFailure(localStore, userId, new Date());
  }
}
