import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sanitiseFilename, sanitiseIdentifier, stripTags, stripTagsOfFields, urlParameters } from './sanitise.js';

/** Texts that are likely to hold tags. */
const marked = fc.string({ unit: fc.constantFrom('<', '>', '/', '!', 'b', 'a', ' ', '3'), maxLength: 40 });

describe('[F5.07] removal of HTML tags', () => {
  it.each([
    ['<b>bold</b>', 'bold'],
    ['a <img src=x onerror=alert(1)> b', 'a  b'],
    ['<scr<b>ipt>x</scr</b>ipt>', 'x'],
    ['<!-- note -->text', 'text'],
    ['cut off <script src=', 'cut off '],
    ['I <3 this, 2 > 1', 'I <3 this, 2 > 1'],
    ['', ''],
  ])('turns %j into %j', (text, expected) => {
    expect(stripTags(text)).toBe(expected);
  });

  it('leaves nothing that could be a tag, for any input', () => {
    fc.assert(fc.property(marked, (text) => !/<[a-z/!?][^<>]*>/i.test(stripTags(text))));
  });

  it('reaches every field of an object', () => {
    const state = { prompt: 'a <b>fox</b>', deep: { list: ['<i>x</i>', 7, null] }, startedAt: 5, none: undefined };
    expect(stripTagsOfFields(state)).toEqual({
      prompt: 'a fox',
      deep: { list: ['x', 7, null] },
      startedAt: 5,
      none: undefined,
    });
  });

  it('reaches every parameter of an address, repeated ones too', () => {
    const params = urlParameters('?status=%3Cb%3Eunpaid%3C%2Fb%3E&a=1&a=%3Ci%3E2');
    expect(params.get('status')).toBe('unpaid');
    expect(params.getAll('a')).toEqual(['1', '2']);
  });
});

describe('[F5.06] file names and identifiers', () => {
  it.each([
    ['juno_abara-4f2a.webp', 'juno_abara-4f2a.webp'],
    ['../../etc/passwd', '....etcpasswd'],
    ['Sommer bild (1).png', 'Sommerbild1.png'],
    ['bad\u0000"name|?*.jpg', 'badname.jpg'],
  ])('keeps letters, digits, hyphen, underscore and dot of the file name %j', (name, expected) => {
    expect(sanitiseFilename(name)).toBe(expected);
  });

  it.each([
    ['user_2x-Y', 'user_2x-Y'],
    ['a.b/c d', 'abcd'],
    ['<id>', 'id'],
  ])('keeps letters, digits, hyphen and underscore of the identifier %j', (id, expected) => {
    expect(sanitiseIdentifier(id)).toBe(expected);
  });
});
