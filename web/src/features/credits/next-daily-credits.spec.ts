import { describe, expect, it } from '@jest/globals';
import { nextDailyCredits, soonText } from './next-daily-credits.js';

const NOW = new Date('2026-11-30T22:30:00Z');
const MIDNIGHT = new Date('2026-12-01T00:00:00Z');

describe('nextDailyCredits', () => {
  it('returns midnight UTC after the day of the last grant', () => {
    expect(nextDailyCredits('2026-11-30', NOW)).toEqual(MIDNIGHT);
    expect(nextDailyCredits('2026-12-31', NOW)).toEqual(new Date('2027-01-01T00:00:00Z'));
  });

  it('returns null before the first grant, and once that midnight has come', () => {
    expect(nextDailyCredits(null, NOW)).toBeNull();
    expect(nextDailyCredits(undefined, NOW)).toBeNull();
    expect(nextDailyCredits('2026-11-29', NOW)).toBeNull();
    expect(nextDailyCredits('2026-11-30', MIDNIGHT)).toBeNull();
  });
});

describe('soonText', () => {
  it.each([
    ['UTC', 'tomorrow at 00:00'],
    ['Europe/Berlin', 'tomorrow at 01:00'],
    ['America/Los_Angeles', 'today at 16:00'],
    ['Asia/Kolkata', 'today at 05:30'],
  ])('names the day and the time in %s', (timeZone, text) => {
    const now = timeZone === 'Europe/Berlin' ? new Date('2026-11-30T20:30:00Z') : NOW;
    expect(soonText(MIDNIGHT, now, timeZone)).toBe(text);
  });
});
