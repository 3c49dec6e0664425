import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openCheckpoint, originOf } from './checkpoint.js';
import { openNote, signNote } from './signed-note.js';

const NAME = 'fanvas.example/ledger';
const key = generateKeyPairSync('ed25519').privateKey;
const other = generateKeyPairSync('ed25519').privateKey;
const keys = [createPublicKey(key)];
const lineOf = (note: string): string => note.slice(note.indexOf('— '));

describe('signNote', () => {
  it('makes notes that the key opens', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((each) => !/\p{Cc}/u.test(each));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (lines) => {
        const signed = `${lines.join('\n')}\n`;
        expect(openNote(signNote(signed, NAME, key), NAME, keys)).toBe(signed);
      }),
    );
  });

  it('refuses text with control characters or without a last line feed, and bad names', () => {
    for (const text of ['', 'a', 'a\tb\n', 'a\r\n']) expect(() => signNote(text, NAME, key)).toThrow('A note is');
    for (const name of ['', 'a b', 'a+b']) expect(() => signNote('a\n', name, key)).toThrow('name of a key');
  });
});

describe('openNote', () => {
  const note = signNote('one\n\ntwo\n', NAME, key);

  it('returns nothing after any change of one character', () => {
    fc.assert(
      fc.property(fc.nat(note.length - 1), fc.constantFrom('A', 'b', '7', '+', '\n', ' '), (place, character) => {
        fc.pre(note[place] !== character);
        expect(openNote(note.slice(0, place) + character + note.slice(place + 1), NAME, keys)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it('ignores signatures of unknown keys, and of the same key under another name', () => {
    const added = note + lineOf(signNote('else\n', NAME, other)) + lineOf(signNote('else\n', 'someone', key));
    expect(openNote(added, NAME, keys)).toBe('one\n\ntwo\n');
    expect(openNote(signNote('one\n', NAME, other), NAME, keys)).toBeNull();
    expect(openNote(signNote('one\n', 'someone', key), NAME, keys)).toBeNull();
  });

  it('returns nothing when a known key has a wrong signature next to a right one', () => {
    expect(openNote(note + lineOf(signNote('else\n', NAME, key)), NAME, keys)).toBeNull();
  });

  it('accepts sixteen signatures and no more', () => {
    const stranger = lineOf(signNote('else\n', 'someone', other));
    expect(openNote(note + stranger.repeat(15), NAME, keys)).not.toBeNull();
    expect(openNote(note + stranger.repeat(16), NAME, keys)).toBeNull();
  });
});

describe('openCheckpoint', () => {
  const root = Buffer.alloc(32, 7).toString('base64');

  it('refuses sizes and roots that are not written as the format says', () => {
    const open = (size: string, hash = root): unknown =>
      openCheckpoint(signNote(`${NAME}\n${size}\n${hash}\n`, NAME, key), keys);
    expect(open('12')).toEqual({ origin: NAME, size: 12, root: Buffer.alloc(32, 7) });
    for (const size of ['', '-1', '012', '1.5', '1e3', ' 1']) expect(open(size)).toBeNull();
    for (const hash of ['', 'AAAA', root.slice(0, -1)]) expect(open('12', hash)).toBeNull();
  });

  it('has the address of the site as its origin', () => {
    expect(originOf('https://fanvas.example')).toBe('fanvas.example/ledger');
    expect(originOf('http://localhost:3000')).toBe('localhost:3000/ledger');
  });
});
