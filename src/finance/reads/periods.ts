import { DomainError } from '../../platform/domain-error.js';
import { addMonths, monthOf, startOfMonth } from '../../revenue/index.js';

/** When the books are read, and when they begin; null: they have no entry. */
export interface BookTimes {
  readonly now: Date;
  readonly beginsAt: Date | null;
}

/**
 * The instant that a caller asks for; null: now.
 * @throws DomainError invalid for an instant in the future, or before the books begin
 */
export function checkedInstant(wanted: Date | null, { now, beginsAt }: BookTimes): Date {
  if (wanted === null) return now;
  if (wanted > now) throw new DomainError('invalid', 'The instant must not be in the future.');
  if (beginsAt && wanted < beginsAt) throw beforeTheBooks(beginsAt);
  return wanted;
}

/**
 * The end of the month that a caller asks for; of the current month: now.
 * @throws DomainError invalid for a month in the future, or before the books begin
 */
export function checkedMonth(wanted: string | null, { now, beginsAt }: BookTimes): { month: string; at: Date } {
  const current = monthOf(now);
  const month = wanted ?? current;
  if (month > current) throw new DomainError('invalid', 'The month must not be in the future.');
  if (beginsAt && month < monthOf(beginsAt)) throw beforeTheBooks(beginsAt);
  return { month, at: month === current ? now : startOfMonth(addMonths(month, 1)) };
}

/** @throws DomainError invalid for a period that ends before it begins, or begins in the future */
export function checkPeriod(from: Date, to: Date, now: Date): void {
  if (to < from) throw new DomainError('invalid', 'The period must not end before it begins.');
  if (from > now) throw new DomainError('invalid', 'The period must not begin in the future.');
}

function beforeTheBooks(beginsAt: Date): DomainError {
  return new DomainError('invalid', `The books begin at ${beginsAt.toISOString()}.`);
}
