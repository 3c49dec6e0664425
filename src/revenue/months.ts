/** UTC months as YYYY-MM. */

/** The month of an instant. */
export function monthOf(instant: Date): string {
  return instant.toISOString().slice(0, 7);
}

/** The first instant of a month. */
export function startOfMonth(month: string): Date {
  return new Date(`${month}-01T00:00:00.000Z`);
}

/** The month `count` months later; earlier when negative. */
export function addMonths(month: string, count: number): string {
  const start = startOfMonth(month);
  return monthOf(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + count, 1)));
}

const NAMES = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Such as 'October 2026'. */
export function monthName(month: string): string {
  return NAMES.format(startOfMonth(month));
}
