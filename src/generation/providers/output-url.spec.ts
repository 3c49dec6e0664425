import { describe, expect, it } from '@jest/globals';
import { outputUrl } from './output-url.js';

const URL_A = 'https://replicate.delivery/a.png';
const URL_B = 'https://replicate.delivery/b.png';

describe('[F4.07] outputUrl', () => {
  it.each<[string, unknown, string | null]>([
    ['a string', URL_A, URL_A],
    ['the first item of an array', [URL_A, URL_B], URL_A],
    ['a url field, before everything else', { preview: URL_B, url: URL_A }, URL_A],
    ['an array of objects with url', [{ url: URL_A }, { url: URL_B }], URL_A],
    ['the first http string in an object', { seed: 7, files: { image: URL_A } }, URL_A],
    ['the first item that is an address', [null, 'done', URL_A], URL_A],
    [
      'a plain http address, as the sandbox gives',
      'http://127.0.0.1:3000/files/a.png',
      'http://127.0.0.1:3000/files/a.png',
    ],
    ['spaces around it', ` ${URL_A}\n`, URL_A],
    ['a NUL character, percent-encoded', 'https://replicate.delivery/a\0b.png', 'https://replicate.delivery/a%00b.png'],
  ])('finds %s', (_, output, url) => {
    expect(outputUrl(output)).toBe(url);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['undefined', undefined],
    ['an empty array', []],
    ['an empty object', {}],
    ['a number', 42],
    ['a text that is not a URL', 'A picture of https'],
    ['an address of another kind', ['data:image/png;base64,AAAA', 'javascript:alert(1)', 'file:///etc/passwd']],
    ['a broken address', 'https://'],
    ['deeply nested arrays', [[[[[[[[URL_A]]]]]]]]],
  ])('finds none in %s', (_, output) => {
    expect(outputUrl(output)).toBeNull();
  });
});
