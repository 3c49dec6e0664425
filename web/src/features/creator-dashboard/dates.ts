const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });

const DAY = format({ day: 'numeric', month: 'long', year: 'numeric' });

/** `22 November 2026`, in UTC as all dates of revenue. */
export function formatDay(iso: string): string {
  return DAY.format(new Date(iso));
}
