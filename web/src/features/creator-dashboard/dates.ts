import { dateFormat } from '../../lib/format.js';
import { addMonths, monthText, startOfMonth } from '../../lib/months.js';

const format = (options: Intl.DateTimeFormatOptions) => dateFormat({ ...options, timeZone: 'UTC' });

const DAY = format({ day: 'numeric', month: 'long', year: 'numeric' });
const SHORT_DAY = format({ day: 'numeric', month: 'short' });
const SHORT_DAY_OF_YEAR = format({ day: 'numeric', month: 'short', year: 'numeric' });

/** `22 November 2026`, in UTC as all dates of revenue. */
export function formatDay(iso: string): string {
  return DAY.format(new Date(iso));
}

/** `22 Dec`, in UTC; with the year when it is not the year of `now`. */
export function formatShortDay(iso: string, now: Date): string {
  const date = new Date(iso);
  return (date.getUTCFullYear() === now.getUTCFullYear() ? SHORT_DAY : SHORT_DAY_OF_YEAR).format(date);
}

/** The first instant of the month after this one. */
export function nextMonth(month: string): Date {
  return startOfMonth(addMonths(month, 1));
}

/** `1 to 22 November`; `November so far` when the month is not that of `now`. */
export function monthSoFar(month: string, now = new Date()): string {
  const day = now.toISOString().startsWith(month) ? now.getUTCDate() : null;
  const name = monthText.name(month);
  if (day === null) return `${name} so far`;
  return day === 1 ? `1 ${name}` : `1 to ${day} ${name}`;
}

/** True for YYYY-MM. */
export function isMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}
