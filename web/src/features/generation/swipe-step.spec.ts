import { describe, expect, it } from '@jest/globals';
import { swipeStep } from './swipe-step.js';

const PHONE = 390;
const swipe = (fromX: number, toX: number, dy = 0) => swipeStep({ x: fromX, y: 400 }, { x: toX, y: 400 + dy }, PHONE);

describe('swipeStep', () => {
  it('returns 1 for a swipe to the left and -1 for one to the right', () => {
    expect([swipe(300, 100), swipe(100, 300)]).toEqual([1, -1]);
  });

  it('ignores taps, also shaky ones', () => {
    expect([swipe(200, 200), swipe(200, 153)]).toEqual([null, null]);
  });

  it('ignores scrolling, also when it is not straight', () => {
    expect([swipe(200, 140, 31), swipe(200, 140, -200), swipe(200, 140, 30)]).toEqual([null, null, 1]);
  });

  it('ignores swipes from the edges of the window', () => {
    expect([swipe(23, 200), swipe(PHONE - 23, 100), swipe(24, 200), swipe(PHONE - 24, 100)]).toEqual([
      null,
      null,
      -1,
      1,
    ]);
  });
});
