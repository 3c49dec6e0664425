import { describe, expect, it } from '@jest/globals';
import { isLookUpDue } from './missing-users.js';

const HOUR = 3_600_000;
const START = Date.parse('2026-03-10T09:00:00Z');

describe('isLookUpDue', () => {
  const row = (lookedUpAfterMs: number) => ({
    missing_at: new Date(START),
    looked_up_at: new Date(START + lookedUpAfterMs),
  });

  it.each([
    [0, 5_000],
    [5_000, 5_000],
    [10_000, 10_000],
    [600_000, 600_000],
    [30 * HOUR, HOUR],
  ])('waits, %i ms after the first miss, for another %i ms', (lookedUpAfterMs, pauseMs) => {
    const due = START + lookedUpAfterMs + pauseMs;
    expect(isLookUpDue(row(lookedUpAfterMs), new Date(due - 1))).toBe(false);
    expect(isLookUpDue(row(lookedUpAfterMs), new Date(due))).toBe(true);
  });

  it('returns true for a user who is not missing, and for an unknown one', () => {
    expect(isLookUpDue({ missing_at: null, looked_up_at: null }, new Date(START))).toBe(true);
    expect(isLookUpDue(undefined, new Date(START))).toBe(true);
  });
});
