import { describe, expect, it } from '@jest/globals';
import { isMonth, monthSoFar, nextMonth } from './dates.js';
import { monthText } from '../../lib/months.js';

describe('months of revenue', () => {
  it('reads a month in UTC', () => {
    expect([monthText.name('2026-11'), monthText.short('2026-09'), monthText.short('2027-01')]).toEqual([
      'November',
      'Sep',
      'Jan',
    ]);
  });

  it('finds the beginning of the next month, also in December', () => {
    expect(nextMonth('2026-12').toISOString()).toBe('2027-01-01T00:00:00.000Z');
  });

  it('names the days of the month so far', () => {
    expect(monthSoFar('2026-11', new Date('2026-11-22T23:59:59.000Z'))).toBe('1 to 22 November');
    expect(monthSoFar('2026-11', new Date('2026-11-01T00:00:00.000Z'))).toBe('1 November');
    // the clock of the browser may be wrong
    expect(monthSoFar('2026-11', new Date('2027-02-01T00:00:00.000Z'))).toBe('November so far');
  });

  it.each([
    ['2026-11', true],
    ['2026-00', false],
    ['2026-13', false],
    ['26-11', false],
    ['2026-11-01', false],
    ['', false],
  ])('%p has the form of a month: %p', (text, valid) => {
    expect(isMonth(text)).toBe(valid);
  });
});
