import { describe, expect, it } from '@jest/globals';
import { LogSampler } from './log-sampler.js';

describe('LogSampler', () => {
  it('lets the first lines of each kind in a minute pass and counts the others', () => {
    let now = 0;
    const sampler = new LogSampler(2, () => now);
    const admitted = [
      sampler.admit('a'),
      sampler.admit('a'),
      sampler.admit('a'),
      sampler.admit('a'),
      sampler.admit('b'),
    ];
    expect(admitted).toEqual([0, 0, null, null, 0]);
    now = 59_999;
    expect(sampler.admit('a')).toBeNull();
    now = 60_000;
    expect([sampler.admit('a'), sampler.admit('a'), sampler.admit('a')]).toEqual([3, 0, null]);
  });
});
