import { describe, expect, it } from '@jest/globals';
import { retryAfterSeconds } from './retry-after.js';

const NOW = Date.parse('2026-03-10T12:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['12', 12],
    [' 5 ', 5],
    ['Tue, 10 Mar 2026 12:00:42 GMT', 42],
  ])('reads %j as %i seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, NOW)).toBe(seconds);
  });

  it.each([null, '', '0', '-3', 'soon', '1e999', 'Tue, 10 Mar 2026 11:59:00 GMT'])('returns null for %j', (header) => {
    expect(retryAfterSeconds(header, NOW)).toBeNull();
  });
});
