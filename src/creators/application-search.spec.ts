import { expect, it } from '@jest/globals';
import { readSearch } from './application-search.js';

it.each([
  [undefined, { pattern: null, newestOnly: false }],
  ['  ', { pattern: null, newestOnly: false }],
  [' Voss ', { pattern: '%voss%', newestOnly: false }],
  ['Vo', { pattern: '%vo%', newestOnly: true }],
  ['50%_\\', { pattern: '%50\\%\\_\\\\%', newestOnly: false }],
])('reads the term %j as %j', (typed, search) => {
  expect(readSearch(typed)).toEqual(search);
});
