import { describe, expect, it } from '@jest/globals';
import { formatInstant } from './instants.js';

describe('formatInstant', () => {
  it('formats the day and the second in UTC', () => {
    expect(formatInstant('2026-01-28T23:06:31.250Z')).toBe('28 January 2026, 23:06:31 UTC');
  });
});
