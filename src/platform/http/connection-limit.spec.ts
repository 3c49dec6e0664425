import { expect, it } from '@jest/globals';
import { ConnectionCounts } from './connection-limit.js';

it('admits as many connections of each network as the limit says', () => {
  const counts = new ConnectionCounts(2);
  expect([counts.admit('a'), counts.admit('a'), counts.admit('a'), counts.admit('b')]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  counts.release('a');
  expect([counts.admit('a'), counts.admit('a')]).toEqual([true, false]);
  counts.release('a');
  counts.release('a');
  expect([counts.admit('a'), counts.admit('a'), counts.admit('a')]).toEqual([true, true, false]);
});
