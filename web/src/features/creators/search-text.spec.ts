import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isSuspicious, sanitiseShortText, searchedText } from './search-text.js';

describe('[F5.04, F9.05] sanitiseShortText', () => {
  it.each([
    ['Juno Abara', 'Juno Abara'],
    ['  juno   abara ', 'juno abara'],
    ['<b>Juno</b>', 'Juno'],
    ['juno; drop table creators --', 'juno table creators'],
    [`a'b"c\`d\\e<f>g`, 'abcdeg'],
    ['select', ''],
    ['Dropkick Selecta', 'Dropkick Selecta'],
    ['sel--ect', ''],
    ['dr"op juno', 'juno'],
    ['-select-', ''],
    ['<<b>script>', 'script'],
    ['JUNO Drop SELECT', 'JUNO'],
    ['x'.repeat(80), 'x'.repeat(50)],
    [` ${'x'.repeat(80)}`, 'x'.repeat(50)],
  ])('turns %j into %j', (text, expected) => {
    expect(sanitiseShortText(text)).toBe(expected);
  });

  it('never leaves a forbidden character, a keyword, a comment mark or more than 50 characters', () => {
    const parts = fc.constantFrom('sel', 'ect', 'drop', '-', '--', '"', '<', '>', ' ', 'juno', '/*', 'x'.repeat(30));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 200 }),
          fc.array(parts).map((some) => some.join('')),
        ),
        (text) => {
          const clean = sanitiseShortText(text);
          expect(clean).not.toMatch(/[;'"`\\<>]|--|\b(?:select|drop)\b/i);
          expect([...clean].length).toBeLessThanOrEqual(50);
        },
      ),
    );
  });
});

describe('[F5.05, F2.28] isSuspicious', () => {
  it.each([
    'DROP table',
    "' or 1=1",
    'a -- b',
    '/* x */',
    '<script>',
    '</ script',
    '< script',
    '< /script',
    'onerror = x',
    'javascript:x',
    'javascript :x',
    '"',
  ])('flags %j', (text) => {
    expect(isSuspicious(text)).toBe(true);
  });

  it.each([
    ...['select', 'insert', 'update', 'delete', 'drop', 'union', 'alter', 'create', 'truncate'],
    ...['exec', 'execute', 'grant', 'revoke', 'declare', 'cast', 'convert'],
  ])('flags the SQL keyword %s in any case', (keyword) => {
    expect(isSuspicious(`juno ${keyword} x`)).toBe(true);
    expect(isSuspicious(keyword.toUpperCase())).toBe(true);
  });

  it.each(["'", '`', '*/', 'onclick=', 'ONLOAD ='])('flags %j inside a name', (part) => {
    expect(isSuspicious(`juno ${part} abara`)).toBe(true);
  });

  it.each(['', 'juno', 'Kit Hanamori', '@wrencast', 'dropkick', 'Updated', 'x-y', 'Müller'])('accepts %j', (text) => {
    expect(isSuspicious(text)).toBe(false);
  });
});

describe('searchedText', () => {
  it('searches for nothing instead of a suspicious text, and for any other text when it is sanitised', () => {
    expect(searchedText('juno union select')).toBe('');
    expect(searchedText('  juno   abara ')).toBe('juno abara');
  });
});
