import type { Day } from '../../../../src/contract/scalars.js';
import { dateFormat } from '../../lib/format.js';

/**
 * When the next daily credits can be granted: midnight UTC after the day of the last grant. Null without a grant, and
 * once that midnight is past.
 */
export function nextDailyCredits(lastGranted: Day | null | undefined, now: Date): Date | null {
  if (!lastGranted) return null;
  const next = new Date(`${lastGranted}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next > now ? next : null;
}

/** `tomorrow at 01:00`, `today at 17:00`: an instant of the next 24 hours, in the given or the browser's time zone. */
export function soonText(at: Date, now: Date, timeZone?: string): string {
  const day = dateFormat({ dateStyle: 'short', timeZone });
  const word = day.format(at) === day.format(now) ? 'today' : 'tomorrow';
  return `${word} at ${dateFormat({ hour: '2-digit', minute: '2-digit', timeZone }).format(at)}`;
}
