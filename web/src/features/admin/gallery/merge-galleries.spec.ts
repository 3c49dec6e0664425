import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isSameOrder, mergeGalleries } from './merge-galleries.js';

const list = (text: string): string[] => [...text];
const merge = (base: string, mine: string, theirs: string): string =>
  mergeGalleries(list(base), list(mine), list(theirs)).join('');

/** A list of ids after random removals, additions and moves. */
const edits = (base: readonly string[], newIds: readonly string[]): fc.Arbitrary<string[]> =>
  fc.tuple(fc.subarray([...base]), fc.subarray([...newIds]), fc.boolean()).chain(([kept, added, moves]) => {
    const ids = [...kept, ...added];
    return moves
      ? fc.shuffledSubarray(ids, { minLength: ids.length })
      : fc.array(fc.nat(), { minLength: added.length, maxLength: added.length }).map((places) =>
          added.reduce<string[]>((order, id, index) => {
            const at = (places[index] ?? 0) % (order.length + 1);
            return order.toSpliced(at, 0, id);
          }, kept),
        );
  });

const BASE = list('abcdefgh');
/** Both sides may add `p` and `q`. */
const sides = fc
  .record({
    base: fc.subarray(BASE),
  })
  .chain(({ base }) =>
    fc.record({
      base: fc.constant(base),
      mine: edits(base, list('pquv')),
      theirs: edits(base, list('pqxy')),
    }),
  );

const minus = (left: readonly string[], right: readonly string[]): string[] => left.filter((id) => !right.includes(id));
const only = (left: readonly string[], right: readonly string[]): string[] => left.filter((id) => right.includes(id));
const movedIn = (base: readonly string[], side: readonly string[]): boolean =>
  !isSameOrder(only(side, base), only(base, side));

describe('mergeGalleries', () => {
  it('keeps every addition and every removal of both sides, and nothing else', () => {
    fc.assert(
      fc.property(sides, ({ base, mine, theirs }) => {
        const merged = mergeGalleries(base, mine, theirs);
        const removed = [...minus(base, mine), ...minus(base, theirs)];
        const expected = new Set([...minus(base, removed), ...minus(mine, base), ...minus(theirs, base)]);
        expect([...merged].sort()).toEqual([...expected].sort());
      }),
    );
  });

  it('keeps the order of the side that moved images, mine when both did', () => {
    fc.assert(
      fc.property(sides, ({ base, mine, theirs }) => {
        const merged = mergeGalleries(base, mine, theirs);
        const leader = movedIn(base, mine) ? mine : theirs;
        expect(only(merged, leader)).toEqual(only(leader, merged));
      }),
    );
  });

  it('keeps my order when they have moved nothing and we add different images', () => {
    fc.assert(
      fc.property(sides, ({ base, mine, theirs }) => {
        fc.pre(!movedIn(base, theirs) && only(minus(mine, base), minus(theirs, base)).length === 0);
        const merged = mergeGalleries(base, mine, theirs);
        expect(only(merged, mine)).toEqual(only(mine, merged));
      }),
    );
  });

  it('returns the changed side when the other one changed nothing', () => {
    fc.assert(
      fc.property(sides, ({ base, mine }) => {
        expect(mergeGalleries(base, mine, base)).toEqual(mine);
        expect(mergeGalleries(base, base, mine)).toEqual(mine);
        expect(mergeGalleries(base, mine, mine)).toEqual(mine);
      }),
    );
  });

  it('puts the additions of the other side behind the image that they follow there', () => {
    expect(merge('abc', 'cab', 'axbc')).toBe('caxb');
    expect(merge('abc', 'aubc', 'cba')).toBe('cbau');
  });

  it('puts an addition behind the nearest image that is left', () => {
    expect(merge('abc', 'ca', 'abxc')).toBe('cax');
    expect(merge('abc', 'ubc', 'xabc')).toBe('uxbc');
  });

  it('removes an image that one side has moved and the other has removed', () => {
    expect(merge('abc', 'cab', 'ab')).toBe('ab');
  });

  it('adds an image once that both sides have added', () => {
    expect(merge('ab', 'abx', 'xab')).toBe('xab');
  });
});
