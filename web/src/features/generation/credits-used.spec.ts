import { describe, expect, it } from '@jest/globals';
import { centsText, creditsUsedText } from './credits-used.js';

describe('creditsUsedText', () => {
  it.each([
    ['daily', 0, '10 daily credits used.'],
    ['bonus', 0, '10 bonus credits used.'],
    ['paid', null, '10 purchased credits used.'],
    ['paid', 10, '10 purchased credits used.'],
    ['mixed', 4, '6 free and 4 purchased credits used.'],
    ['mixed', 0, '10 free credits used.'],
    ['mixed', null, '10 credits used.'],
    [null, null, '10 credits used.'],
    [null, 10, '10 purchased credits used.'],
  ] as const)('names %s credits of which %s are purchased', (kind, paid_credits, text) => {
    expect(creditsUsedText({ credits: 10, kind, paid_credits })).toBe(text);
  });
});

describe('centsText', () => {
  it.each([
    [1, '1 cent'],
    [50, '50 cents'],
    [99, '99 cents'],
    [100, '$1.00'],
    [120, '$1.20'],
  ])('writes %s cents as words or as dollars', (cents, text) => {
    expect(centsText(cents)).toBe(text);
  });
});
