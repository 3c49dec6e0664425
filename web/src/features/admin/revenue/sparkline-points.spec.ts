import { describe, expect, it } from '@jest/globals';
import { sparklinePoints } from './sparkline-points.js';

describe('sparklinePoints', () => {
  it('puts the highest value at the top and 0 at the bottom', () => {
    expect(sparklinePoints([0, 50, 100])).toEqual([
      { x: 3, y: 25 },
      { x: 50, y: 14 },
      { x: 97, y: 3 },
    ]);
  });

  it('draws a month with more taken back than earned at the bottom', () => {
    expect(sparklinePoints([-20, 100])?.[0]).toEqual({ x: 3, y: 25 });
  });

  it('has no line without earnings', () => {
    expect(sparklinePoints([0, 0, 0])).toBeNull();
    expect(sparklinePoints([])).toBeNull();
  });
});
