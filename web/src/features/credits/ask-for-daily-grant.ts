import { localStore } from '../../lib/storage.js';
import { grantDailyCredits } from './api/grant-daily-credits.js';
import { claimDailyAsk, grantKey, noteFailure } from './daily-grant-once.js';
import { refreshCredits } from './refresh-credits.js';

/** Days asked for since the page was loaded, for browsers without storage. */
const askedHere = new Set<string>();

/** Asks for today's free credits if that is due. A failure is logged and never shown. */
export async function askForDailyGrant(userId: string): Promise<void> {
  const now = new Date();
  const today = `${userId} ${now.toISOString().slice(0, 10)}`;
  if (askedHere.has(today) && localStore.get(grantKey(userId)) === null) return;
  if (!claimDailyAsk(localStore, userId, now)) return;
  askedHere.add(today);
  try {
    const result = await grantDailyCredits();
    if (!result.success) throw new Error(result.error);
    if (result.credits_granted > 0) refreshCredits('now');
  } catch (error) {
    console.warn('The daily credits were not granted now', error);
    noteFailure(localStore, userId, new Date());
  }
}
