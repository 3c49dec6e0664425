import { describe, expect, it } from '@jest/globals';
import { swipeStep } from './swipe-step.js';

const PHONE = 390;
const swipe = (fromX: number, toX: number, dy = 0) => swipeStep({ x: fromX, y: 400 }, { x: toX, y: 400 + dy }, PHONE);

describe('swipeStep', () => {
  it('leads on with a swipe to the left and back with one to the right', () => {
    expect([swipe(300, 100), swipe(100, 300)]).toEqual([1, -1]);
  });

  it('leaves taps and shaky taps alone', () => {
    expect([swipe(200, 200), swipe(200, 153)]).toEqual([null, null]);
  });

  it('leaves scrolling alone, also when it is not quite straight', () => {
    expect([swipe(200, 140, 31), swipe(200, 140, -200), swipe(200, 140, 30)]).toEqual([null, null, 1]);
  });

  it('leaves the edges of the window to the system', () => {
    expect([swipe(23, 200), swipe(PHONE - 23, 100), swipe(24, 200), swipe(PHONE - 24, 100)]).toEqual([
      null,
      null,
      -1,
      1,
    ]);
  });
});
