import { expect, it } from '@jest/globals';
import { since } from './since.js';

const NOW = Date.parse('2026-11-22T09:40:00Z');

it.each([
  ['2026-11-22T09:40:30Z', '0 min'],
  ['2026-11-22T08:59:59Z', '40 min'],
  ['2026-11-22T07:40:00Z', '2 h'],
  ['2026-11-20T09:41:00Z', '47 h'],
  ['2026-11-19T09:40:00Z', '3 d'],
])('since(%s) is %s', (iso, text) => {
  expect(since(iso, NOW)).toBe(text);
});
