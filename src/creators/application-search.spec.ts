import { expect, it } from '@jest/globals';
import { readSearch } from './application-search.js';

it.each([
  [undefined, { text: '', indexed: false }],
  ['  ', { text: '', indexed: false }],
  [' Voss ', { text: 'voss', indexed: true }],
  ['Vo', { text: 'vo', indexed: false }],
  ['50%_\\', { text: '50%_\\', indexed: false }],
  ['5\u000000%_', { text: '500%_', indexed: true }],
])('reads the term %j as %j', (typed, search) => {
  expect(readSearch(typed)).toEqual(search);
});
