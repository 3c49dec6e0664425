import { describe, expect, it } from '@jest/globals';
import { readVerdict } from './replicate-moderator.js';

describe('readVerdict', () => {
  it.each([
    ['safe', null],
    ['\n\nsafe\n', null],
    [['un', 'safe\n', 'S12'], 'sexual'],
    ['unsafe\nS10,S4', 'minors'],
    ['unsafe\nS12, S10', 'sexual'],
    ['unsafe\nS14', null],
  ])('reads %j as %s', (output, category) => {
    expect(readVerdict(output)).toBe(category);
  });

  it.each([null, undefined, '', 'unsafe', 'safe S12', 'Safe!', {}, 12, 'unsafe\nS12 and more'])(
    'finds no verdict in %j',
    (output) => {
      expect(readVerdict(output)).toBeUndefined();
    },
  );
});
