import { describe, expect, it } from '@jest/globals';
import { generationNavState, generationPath } from './navigation.js';

describe('generationNavState', () => {
  it('takes what has the right shape', () => {
    const state = { prompt: 'a fox', creatorId: 'c1', predictionId: 'p1', returnTo: '/x', startedAt: 5 };
    expect(generationNavState(state)).toEqual(state);
  });

  it.each([null, undefined, 'text', 7, { prompt: 1, returnTo: {}, startedAt: 'now' }])(
    'takes nothing from %j',
    (state) => {
      expect(Object.values(generationNavState(state)).filter((value) => value !== undefined)).toEqual([]);
    },
  );
});

describe('generationPath', () => {
  it('escapes what it is made of', () => {
    expect(generationPath('a/b', 'x?y')).toBe('/a%2Fb/generate/x%3Fy');
  });
});
