import { type UserRow } from './user-mirror.js';

/** First and longest pause between two look-ups of a missing user, milliseconds. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;

/**
 * Whether the provider is asked again for a user that it did not know. The pause doubles: it is as long as the user was
 * already missing at the last look-up, at least five seconds and at most an hour. True for a user who is not missing.
 */
export function isLookUpDue(row: Pick<UserRow, 'missing_at' | 'looked_up_at'> | undefined, now: Date): boolean {
  if (!row?.missing_at || !row.looked_up_at) return true;
  const missingMs = row.looked_up_at.getTime() - row.missing_at.getTime();
  const pauseMs = Math.min(Math.max(missingMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
  return now.getTime() - row.looked_up_at.getTime() >= pauseMs;
}
