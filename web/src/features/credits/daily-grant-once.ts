import { sanitiseIdentifier } from '../../lib/sanitise.js';
import type { SmallStore } from '../../lib/storage.js';

const RETRY_MS = 5 * 60_000;

/**
 * Whether this browser should ask for the user's daily credits now: once a UTC day, and again five minutes after a
 * failure. Stores that it was asked; {@link noteFailure} reverts that.
 */
export function claimDailyAsk(store: SmallStore, userId: string, now: Date): boolean {
  const day = dayOf(now);
  const noted = store.get(grantKey(userId));
  if (noted === day) return false;
  const [failedDay, failedAt] = noted?.split('!') ?? [];
  if (failedDay === day && now.getTime() - Number(failedAt) < RETRY_MS) return false;
  noteAsked(store, userId, now);
  return true;
}

/** Stores that today's credits were asked for. */
export function noteAsked(store: SmallStore, userId: string, now: Date): void {
  store.set(grantKey(userId), dayOf(now));
}

/** Stores that the request failed, so that it is retried. */
export function noteFailure(store: SmallStore, userId: string, now: Date): void {
  store.set(grantKey(userId), `${dayOf(now)}!${now.getTime()}`);
}

/** Whether the last request of this UTC day failed. */
export function hasFailedToday(store: SmallStore, userId: string, now: Date): boolean {
  return store.get(grantKey(userId))?.startsWith(`${dayOf(now)}!`) ?? false;
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** Storage key of a user's last request. */
export function grantKey(userId: string): string {
  return `fanvas.daily-grant.${sanitiseIdentifier(userId)}`;
}
