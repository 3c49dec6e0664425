import { describe, expect, it } from '@jest/globals';
import { dateFormat, formatMoney, formatShortDate, humanize } from './format.js';

describe('formatMoney', () => {
  it('writes cents with two decimals and the symbol of the currency', () => {
    expect([formatMoney(2500), formatMoney(7), formatMoney(123_456)]).toEqual(['$25.00', '$0.07', '$1,234.56']);
    expect(formatMoney(2500, 'eur')).toBe('€25.00');
  });
});

describe('formatShortDate', () => {
  it('leaves out the current year', () => {
    const now = new Date('2026-11-21T00:00:00Z');
    expect(formatShortDate('2026-11-20T21:04:00Z', now, 'UTC')).toBe('20 Nov, 21:04');
    expect(formatShortDate('2025-01-02T03:04:00Z', now, 'UTC')).toBe('2 Jan 2025, 03:04');
  });
});

describe('humanize', () => {
  it('makes a code readable', () => {
    expect(humanize('charged_back')).toBe('Charged back');
  });
});

describe('dateFormat', () => {
  const september = new Date('2026-09-07T10:00:00Z');

  it('writes short months with three letters', () => {
    const short = dateFormat({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
    expect(short.format(september)).toBe('7 Sep 2026');
    expect(short.format(Date.parse('2026-06-07T10:00:00Z'))).toBe('7 Jun 2026');
  });

  it('keeps full months', () => {
    expect(dateFormat({ month: 'long', timeZone: 'UTC' }).format(september)).toBe('September');
  });
});
