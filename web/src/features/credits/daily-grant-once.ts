import { sanitiseIdentifier } from '../../lib/sanitise.js';
import type { SmallStore } from '../../lib/storage.js';

const RETRY_MS = 5 * 60_000;

/**
 * Whether this browser should ask for the user's daily credits now: once a UTC day, and again five minutes after a
 * failure. Stores that it was asked; {@link noteFailure} reverts that.
 */
export function claimDailyAsk(store: SmallStore, userId: string, now: Date): boolean {
  const day = now.toISOString().slice(0, 10);
  const noted = store.get(grantKey(userId));
  if (noted === day) return false;
  const [failedDay, failedAt] = noted?.split('!') ?? [];
  if (failedDay === day && now.getTime() - Number(failedAt) < RETRY_MS) return false;
  store.set(grantKey(userId), day);
  return true;
}

/** Stores that the request failed, so that it is retried. */
export function noteFailure(store: SmallStore, userId: string, now: Date): void {
  store.set(grantKey(userId), `${now.toISOString().slice(0, 10)}!${now.getTime()}`);
}

/** Storage key of a user's last request. */
export function grantKey(userId: string): string {
  return `fanvas.daily-grant.${sanitiseIdentifier(userId)}`;
}
