import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cardAfterStep, intoMiddleCopy, nearestCard, positionOf, STEP_PX } from './carousel-position.js';

const track = { count: 8, stride: 464 };

describe('[F2.30] carousel position', () => {
  it('finds the card in the centre', () => {
    expect(nearestCard(track, 8 * 464)).toBe(8);
    expect(nearestCard(track, 8 * 464 + 231)).toBe(8);
    expect(nearestCard(track, 8 * 464 + 233)).toBe(9);
    expect(positionOf(track, 8)).toBe(1);
    expect(positionOf(track, 15)).toBe(8);
    expect(positionOf(track, 16)).toBe(1);
  });

  it('jumps from the outer copies to the same card of the middle one', () => {
    expect(intoMiddleCopy(track, 7 * 464)).toBe(15 * 464);
    expect(intoMiddleCopy(track, 16 * 464)).toBe(8 * 464);
    expect(intoMiddleCopy(track, 12 * 464 + 17)).toBe(12 * 464 + 17);
  });

  it('[F2.31, F9.09] moves 350 px per arrow, which is one card at every card width', () => {
    expect(STEP_PX).toBe(350);
    for (let stride = 324; stride <= 544; stride += 1) {
      const wide = { count: 8, stride };
      expect(cardAfterStep(wide, 10 * stride, 1)).toBe(11);
      expect(cardAfterStep(wide, 10 * stride, -1)).toBe(9);
    }
  });

  it('always ends in the middle copy, with the same card in the centre', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 100, max: 900 }),
        fc.nat(60_000),
        (count, stride, x) => {
          const scrollLeft = Math.min(x, (3 * count - 1) * stride);
          const moved = intoMiddleCopy({ count, stride }, scrollLeft);
          const card = nearestCard({ count, stride }, moved);
          expect(card).toBeGreaterThanOrEqual(count);
          expect(card).toBeLessThan(2 * count);
          expect(positionOf({ count, stride }, card)).toBe(
            positionOf({ count, stride }, nearestCard({ count, stride }, scrollLeft)),
          );
        },
      ),
    );
  });
});
