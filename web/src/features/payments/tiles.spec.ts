import { describe, expect, it } from '@jest/globals';
import { arrangement } from './tiles.js';

describe('arrangement', () => {
  const works = [['a1', 'a2'], ['b1'], ['c1', 'c2']];

  it('takes one picture of each creator in turn', () => {
    expect(arrangement(works, 5, 0)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2']);
    expect(arrangement(works, 2, 1)).toEqual(['b1', 'c1']);
  });

  it('repeats pictures when there are too few', () => {
    expect(arrangement(works, 75, 3)).toHaveLength(75);
    expect(arrangement([['only']], 3, 9)).toEqual(['only', 'only', 'only']);
  });

  it('returns an empty list without pictures', () => {
    expect(arrangement([], 10, 0)).toEqual([]);
    expect(arrangement([[], []], 10, 0)).toEqual([]);
  });
});
