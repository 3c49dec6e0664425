import { expect, it } from '@jest/globals';
import { plainText } from './plain-text.js';

it.each([
  ['  Which year is on the document?\r\n\r\nThe photo is cut. ', 'Which year is on the document?\n\nThe photo is cut.'],
  ['a\u0000b\u200bc\u202ed', 'abcd'],
  ['😀 é', '😀 é'],
  [' \u0000\n ', ''],
])('stores %j as %j', (raw, stored) => {
  expect(plainText(raw)).toBe(stored);
});
