import type { ShareParts } from '../../../../src/contract/finance.js';
import { formatMoney } from '../../lib/format.js';
import { addMonths, startOfMonth } from '../../lib/months.js';
export { addMonths, monthOf, monthText } from '../../lib/months.js';

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
