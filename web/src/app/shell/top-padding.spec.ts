import { describe, expect, it } from '@jest/globals';
import { hasTopPadding } from './top-padding.js';

describe('[F2.15] hasTopPadding', () => {
  it.each([
    '/sign-in',
    '/sign-in/factor-one',
    '/sign-up',
    '/sign-up/verify',
    '/junoabara/generate',
    '/junoabara/generate/1',
  ])('returns false at %s', (path) => expect(hasTopPadding(path)).toBe(false));

  it.each(['/', '/junoabara', '/credits', '/faq', '/generate', '/sign-inspiration', '/generation/1', '/my-creations'])(
    'returns true at %s',
    (path) => expect(hasTopPadding(path)).toBe(true),
  );
});
