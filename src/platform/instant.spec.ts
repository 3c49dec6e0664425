import { describe, expect, it } from '@jest/globals';
import { parseInstant } from './instant.js';

describe('parseInstant', () => {
  it.each([
    ['2026-03-10', '2026-03-10T00:00:00.000Z'],
    ['2026-03-10T09:00Z', '2026-03-10T09:00:00.000Z'],
    ['2026-03-10T09:00:00.123Z', '2026-03-10T09:00:00.123Z'],
    ['2026-03-10T00:30:00+02:00', '2026-03-09T22:30:00.000Z'],
  ])('parses %s as %s', (text, instant) => {
    expect(parseInstant(text)?.toISOString()).toBe(instant);
  });

  it.each([
    '',
    '2026',
    '2026-03-10T09:00',
    '2026-02-30',
    '2026-02-30T01:00:00Z',
    '2026-13-01',
    '10.3.2026',
    'now',
    '1e9',
  ])('rejects %j', (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});
