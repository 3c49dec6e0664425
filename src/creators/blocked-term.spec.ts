import { describe, expect, it } from '@jest/globals';
import { parseBlockedTerm } from './blocked-term.js';

describe('parseBlockedTerm', () => {
  it('stores single spaces and no control characters, and compares without capitals', () => {
    expect(parseBlockedTerm('  My \t Sister\u0000 ')).toEqual({ term: 'My Sister', key: 'my sister' });
    expect(parseBlockedTerm('é')).toEqual(parseBlockedTerm('e\u0301'));
  });

  it.each(['', '   ', '🔥', '---', 'x'.repeat(51), '\u0000'])('refuses "%s"', (text) => {
    expect(() => parseBlockedTerm(text)).toThrow('Enter a word or phrase of 1 to 50 characters');
  });

  it('accepts the longest one', () => {
    expect(parseBlockedTerm('x'.repeat(50)).term).toHaveLength(50);
  });
});
