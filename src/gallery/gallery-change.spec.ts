import { describe, expect, it } from '@jest/globals';
import { compareOrders } from './gallery-change.js';

describe('compareOrders', () => {
  it.each([
    ['the same order', 'abc', 'abc', 0, 0, false],
    ['additions at both ends', 'abc', 'xabcy', 2, 0, false],
    ['a removal', 'abc', 'ac', 0, 1, false],
    ['another order', 'abc', 'bac', 0, 0, true],
    ['all at once', 'abcd', 'xdca', 1, 1, true],
    ['the first save', '', 'ab', 2, 0, false],
    ['an emptied gallery', 'ab', '', 0, 2, false],
  ])('counts %s', (_, before, after, added, removed, reordered) => {
    expect(compareOrders([...before], [...after])).toEqual({ added, removed, reordered });
  });
});
