import { describe, expect, it } from '@jest/globals';
import { generationPath } from './paths.js';

describe('generationPath', () => {
  it('escapes the username and the id', () => {
    expect(generationPath('a/b', 'x?y')).toBe('/a%2Fb/generate/x%3Fy');
  });
});
