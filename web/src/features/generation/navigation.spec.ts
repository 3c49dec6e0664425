import { describe, expect, it } from '@jest/globals';
import { generationNavState } from './navigation.js';

describe('generationNavState', () => {
  it('[F2.06] reads fields of the right shape', () => {
    const state = { prompt: 'a fox', creatorId: 'c1', predictionId: 'p1', returnTo: '/x', startedAt: 5 };
    expect(generationNavState(state)).toEqual(state);
  });

  it('reads the shape of the image when it is a known one', () => {
    expect(generationNavState({ aspectRatio: 'landscape' }).aspectRatio).toBe('landscape');
    expect(generationNavState({ aspectRatio: 'round' }).aspectRatio).toBeUndefined();
  });

  it('[F3.15] reads the source of a remix when it is a page of this site', () => {
    const remixSource = { title: 'a fox', url: '/juno/generate/g1' };
    expect(generationNavState({ remixSource })).toEqual({ remixSource });
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '', 7])(
    'ignores a remix source at %j',
    (url) => {
      expect(generationNavState({ remixSource: { title: 'a fox', url } }).remixSource).toBeUndefined();
    },
  );

  it.each([null, undefined, 'text', 7, { prompt: 1, returnTo: {}, startedAt: 'now' }])(
    'reads nothing from %j',
    (state) => {
      expect(Object.values(generationNavState(state)).filter((value) => value !== undefined)).toEqual([]);
    },
  );
});
