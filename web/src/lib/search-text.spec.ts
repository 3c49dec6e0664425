import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isSuspicious, sanitiseShortText } from './search-text.js';

describe('sanitiseShortText', () => {
  it.each([
    ['Juno Abara', 'Juno Abara'],
    ['  juno   abara ', 'juno abara'],
    ['<b>Juno</b>', 'Juno'],
    ['juno; drop table creators --', 'juno table creators'],
    [`a'b"c\`d\\e<f>g`, 'abcdeg'],
    ['select', ''],
    ['Dropkick Selecta', 'Dropkick Selecta'],
    ['x'.repeat(80), 'x'.repeat(50)],
  ])('turns %j into %j', (text, expected) => {
    expect(sanitiseShortText(text)).toBe(expected);
  });

  it('never leaves a forbidden character or more than 50 characters', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const clean = sanitiseShortText(text);
        expect(clean).not.toMatch(/[;'"`\\<>]/);
        expect([...clean].length).toBeLessThanOrEqual(50);
      }),
    );
  });
});

describe('isSuspicious', () => {
  it.each(['DROP table', "' or 1=1", 'a -- b', '/* x */', '<script>', '</ script', 'onerror = x', 'javascript:x', '"'])(
    'flags %j',
    (text) => {
      expect(isSuspicious(text)).toBe(true);
    },
  );

  it.each(['', 'juno', 'Kit Hanamori', '@wrencast', 'dropkick', 'Updated', 'x-y', 'Müller'])('lets %j pass', (text) => {
    expect(isSuspicious(text)).toBe(false);
  });
});
