import type { ShareParts } from '../../../../src/contract/finance.js';
import { dateFormat, formatMoney } from '../../lib/format.js';

/** `$1,504.00`, `−$35.00`: cents as money with a real minus sign. */
export function dollars(cents: number): string {
  return formatMoney(cents);
}

/** `1,504.00`, `−35.00`: for tables that say that they are in dollars. */
export function amount(cents: number): string {
  return dollars(cents).replace('$', '');
}

/** `15,040`, `−10`: a count with a real minus sign. */
export function count(value: number): string {
  return value.toLocaleString('en-US').replace('-', '−');
}

/** `pending 22.00, payable 12.50, debt 9.00`: how account 2100 is divided. */
export function partsText({ pending_cents: pending, payable_cents: payable, debt_cents: debt }: ShareParts): string {
  const owed = debt === 0 ? '' : `, debt ${amount(debt)}`;
  return `pending ${amount(pending)}, payable ${amount(payable)}${owed}`;
}

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

function startOfMonth(month: string): Date {
  return new Date(`${month}-01T00:00:00.000Z`);
}

/** From the first instant (inclusive) to the last one (exclusive), ISO 8601. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The period of the months from `first` to `last`. */
export function monthsPeriod(first: string, last = first): Period {
  return { from: startOfMonth(first).toISOString(), to: startOfMonth(addMonths(last, 1)).toISOString() };
}

/** Before the first entry of any books: a period of all entries up to an instant begins here. */
export const BEGINNING = '2000-01-01T00:00:00.000Z';

/** The period from the first entry to an instant, with this instant. */
export function periodUpTo(at: string, beginsAt: string): Period {
  return { from: beginsAt, to: new Date(Date.parse(at) + 1).toISOString() };
}

/** The last instant of a month. */
export function endOfMonth(month: string): string {
  return new Date(Date.parse(monthsPeriod(month).to) - 1).toISOString();
}
