import { describe, expect, it } from '@jest/globals';
import { nextBalancePoll } from './balance-polling.js';

describe('[F4.28, F9.08] nextBalancePoll', () => {
  it('waits 300 + 400 x attempt ms and stops after five extra attempts', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((answers) => nextBalancePoll(answers, 0));
    expect(delays).toEqual([700, 1100, 1500, 1900, 2300, false]);
  });

  it('waits at least for Retry-After', () => {
    expect(nextBalancePoll(1, undefined, 12_000)).toBe(12_000);
    expect(nextBalancePoll(5, undefined, 1_000)).toBe(2300);
    expect(nextBalancePoll(6, undefined, 12_000)).toBe(false);
  });

  it('continues after a failed attempt and stops once there is a balance', () => {
    expect(nextBalancePoll(2, undefined)).toBe(1100);
    expect(nextBalancePoll(2, 40)).toBe(false);
    expect(nextBalancePoll(0, undefined)).toBe(false);
  });
});
