import { describe, expect, it } from '@jest/globals';
import { RecentIds } from './recent-ids.js';

const at = (ms: number): Date => new Date(ms);

describe('RecentIds', () => {
  it('remembers an id for its lifetime', () => {
    const ids = new RecentIds(10, 1_000);
    ids.add('a', at(0));
    expect(ids.has('a', at(999))).toBe(true);
    expect(ids.has('a', at(1_000))).toBe(false);
  });

  it('drops the oldest id when it is full', () => {
    const ids = new RecentIds(2, 1_000);
    ids.add('a', at(0));
    ids.add('b', at(1));
    ids.add('a', at(2));
    ids.add('c', at(3));
    expect(['a', 'b', 'c'].filter((id) => ids.has(id, at(4)))).toEqual(['a', 'c']);
  });

  it('deletes an id on demand', () => {
    const ids = new RecentIds(2, 1_000);
    ids.add('a', at(0));
    ids.delete('a');
    expect(ids.has('a', at(0))).toBe(false);
  });
});
