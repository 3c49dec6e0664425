import { useSyncExternalStore } from 'react';
import { rpc } from '../../lib/api.js';
import { refreshQueries } from '../../lib/query.js';
import { localStore } from '../../lib/storage.js';
import { dailyAskDueIn, grantKey, hasFailedToday, noteAsked, noteFailure, noteGranted } from './daily-grant-once.js';
import { refreshCredits } from './refresh-credits.js';
import { createListeners } from '../../lib/listeners.js';

/** Days asked for since the page was loaded, for browsers without storage. */
const askedHere = new Set<string>();
const { subscribe, notify } = createListeners();

/**
 * Asks for today's free credits if that is due. A failure interrupts nothing: it is logged, and only the credits page
 * shows it.
 * @returns ms until it should be called again; null when today needs no other call
 */
export async function askForDailyGrant(userId: string): Promise<number | null> {
  const now = new Date();
  const dueInMs = dailyAskDueIn(localStore, userId, now);
  if (dueInMs !== 0) return dueInMs;
  const today = `${userId} ${now.toISOString().slice(0, 10)}`;
  if (askedHere.has(today) && localStore.get(grantKey(userId)) === null) return null;
  askedHere.add(today);
  noteAsked(localStore, userId, now);
  await retryDailyGrant(userId);
  return localStore.get(grantKey(userId)) === null ? null : dailyAskDueIn(localStore, userId, new Date());
}

/** Asks for today's free credits now, also right after a failure. */
export async function retryDailyGrant(userId: string): Promise<void> {
  try {
    const result = await rpc('grant_daily_credits_by_jwt');
    if (!result.success) throw new Error(result.error);
    noteGranted(localStore, userId, new Date());
    // Also when this request granted nothing: an earlier one may have, whose answer was lost.
    refreshCredits('now');
  } catch (error) {
    console.warn('The daily credits were not granted now', error);
    // The answer may have been lost after the grant: the balance says it first.
    await refreshQueries('credits');
    noteFailure(localStore, userId, new Date());
  }
  notify();
}

/** Whether the last request for today's free credits failed. */
export function useDailyGrantFailed(userId: string): boolean {
  return useSyncExternalStore(subscribe, () => hasFailedToday(localStore, userId, new Date()));
}
