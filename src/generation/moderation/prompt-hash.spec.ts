import { describe, expect, it } from '@jest/globals';
import { promptHash } from './prompt-hash.js';

describe('promptHash', () => {
  it.each([
    ['My Teacher in the corner!', 'case and punctuation'],
    ['my  teacher,in the\ncorner', 'spaces'],
    ['m y t e a c h e r in the corner', 'letters that are spelled out'],
    ['my tèacher in thé corner', 'accents'],
    ['my te4cher in th3 c0rner', 'digits in place of letters'],
    ['my teeeacher in the cornerrr', 'repeated letters'],
    ['my tеacher in the cоrner', 'Cyrillic look-alikes'],
    ['my tea\u200bcher in the corner', 'invisible characters'],
  ])('does not depend on the spelling of %j: %s', (prompt) => {
    expect(promptHash(prompt)).toBe(promptHash('my teacher in the corner'));
  });

  it.each([['my teacher on the corner'], ['my teacher in the corner, smiling'], ['teacher in the corner']])(
    'differs for %j',
    (prompt) => {
      expect(promptHash(prompt)).not.toBe(promptHash('my teacher in the corner'));
    },
  );

  it('distinguishes prompts of signs', () => {
    expect(promptHash('🦊')).toBe(promptHash(' 🦊 '));
    expect(promptHash('🦊')).not.toBe(promptHash('🐻'));
  });
});
