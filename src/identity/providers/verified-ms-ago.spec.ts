import { describe, expect, it } from '@jest/globals';
import { verifiedMsAgo } from './verified-ms-ago.js';

const ISSUED = 1_800_000_000;
const at = (secondsLater: number): Date => new Date((ISSUED + secondsLater) * 1_000);

describe('verifiedMsAgo', () => {
  it.each([
    ['the first factor without a second one', [12, -1], 720_000],
    ['the second factor where one is verified', [90, 3], 180_000],
    ['an old second factor despite a new first one', [0, 70], 4_200_000],
    ['the second factor without a first one', [-1, 5], 300_000],
    ['a verification just now', [0, -1], 0],
  ])('returns the age of %s', (_, fva, expected) => {
    expect(verifiedMsAgo(fva, ISSUED, at(0))).toBe(expected);
  });

  it('adds the age of the token', () => {
    expect(verifiedMsAgo([59, -1], ISSUED, at(60))).toBe(3_600_000);
  });

  it('does not subtract when the clock of the provider is ahead', () => {
    expect(verifiedMsAgo([59, -1], ISSUED, at(-5))).toBe(59 * 60_000);
  });

  it.each([
    [undefined],
    [null],
    ['0,-1'],
    [[]],
    [[0]],
    [[0, -1, 0]],
    [[-1, -1]],
    [[-2, -1]],
    [[0, -2]],
    [['0', -1]],
    [[0, null]],
    [[Number.NaN, -1]],
    [[Number.NEGATIVE_INFINITY, -1]],
    [{ 0: 0, 1: -1, length: 2 }],
  ])('returns null for the claim %j', (fva) => {
    expect(verifiedMsAgo(fva, ISSUED, at(0))).toBeNull();
  });

  it.each([[undefined], ['1800000000'], [null]])('returns null for a token issued at %j', (iat) => {
    expect(verifiedMsAgo([0, -1], iat, at(0))).toBeNull();
  });
});
