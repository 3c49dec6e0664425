import { describe, expect, it } from '@jest/globals';
import { nextSuggestion } from './next-suggestion.js';

describe('[F2.27] nextSuggestion', () => {
  it('moves down and up and wraps at both ends', () => {
    expect([-1, 0, 1, 2].map((now) => nextSuggestion(now, 1, 3))).toEqual([0, 1, 2, 0]);
    expect([-1, 0, 1, 2].map((now) => nextSuggestion(now, -1, 3))).toEqual([2, 2, 0, 1]);
  });
});
