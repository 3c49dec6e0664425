import { dateFormat } from '../../lib/format.js';

const format = (options: Intl.DateTimeFormatOptions) =>
  dateFormat({ day: 'numeric', month: 'short', year: 'numeric', ...options, timeZone: 'UTC' });

const DAY = format({});
const SECOND = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** `18 Nov 2026`, in UTC as all times of the work areas. */
export function formatUtcDay(iso: string): string {
  return DAY.format(new Date(iso));
}

/** `17 Nov 2026, 21:14:08 UTC` */
export function formatUtcInstant(iso: string): string {
  return `${SECOND.format(new Date(iso))} UTC`;
}

const TIME = dateFormat({
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});

/** `21:14:08`: the time of day of an instant, in UTC. @param instant ISO text, or milliseconds since 1970 */
export function formatUtcTime(instant: string | number): string {
  return TIME.format(new Date(instant));
}

const YEAR = dateFormat({ year: 'numeric', timeZone: 'UTC' });
const DAY_OF_YEAR = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `22 Nov`, in UTC; with the year when it is not that of `now` (milliseconds since 1970). */
export function formatUtcNearDay(iso: string, now: number): string {
  const date = new Date(iso);
  const sameYear = YEAR.format(date) === YEAR.format(now);
  return (sameYear ? DAY_OF_YEAR : DAY).format(date);
}

/** `22 Nov, 09:31:12`, in UTC; with the year when it is not that of `now` (milliseconds since 1970). */
export function formatUtcSecond(iso: string, now: number): string {
  return `${formatUtcNearDay(iso, now)}, ${formatUtcTime(iso)}`;
}

/** `09:31` on the UTC day of `now` (milliseconds since 1970), else the day: `22 Nov`. */
export function formatUtcShort(iso: string, now: number): string {
  const sameDay = DAY.format(new Date(iso)) === DAY.format(now);
  return sameDay ? formatUtcTime(iso).slice(0, 5) : DAY_OF_YEAR.format(new Date(iso));
}
