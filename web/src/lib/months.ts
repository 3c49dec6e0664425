import { dateFormat } from './format.js';

const LONG = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' });
const NAME = dateFormat({ month: 'long', timeZone: 'UTC' });
const SHORT = dateFormat({ month: 'short', timeZone: 'UTC' });
const SHORT_YEAR = dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' });

/** A UTC month, YYYY-MM, in words. */
export const monthText = {
  /** `October 2026` */
  long: (month: string): string => LONG.format(startOfMonth(month)),
  /** `October` */
  name: (month: string): string => NAME.format(startOfMonth(month)),
  /** `Oct` */
  short: (month: string): string => SHORT.format(startOfMonth(month)),
  /** `Oct 2026` */
  shortYear: (month: string): string => SHORT_YEAR.format(startOfMonth(month)),
};

/** The month, YYYY-MM, of an instant. */
export function monthOf(instant: string): string {
  return instant.slice(0, 7);
}

/** The month `by` months later; earlier when negative. */
export function addMonths(month: string, by: number): string {
  const start = startOfMonth(month);
  return monthOf(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + by, 1)).toISOString());
}

/** The first instant of a month, YYYY-MM. */
export function startOfMonth(month: string): Date {
  return new Date(`${month}-01T00:00:00.000Z`);
}
