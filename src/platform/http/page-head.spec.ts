import { describe, expect, it } from '@jest/globals';
import { scriptJson } from './page-head.js';

describe('scriptJson', () => {
  it('escapes what ends a script element or a line, and keeps the value', () => {
    const data = { text: '</script><!-- \u2028 \u2029' };
    const json = scriptJson(data);
    expect(json).toBe('{"text":"\\u003c/script>\\u003c!-- \\u2028 \\u2029"}');
    expect(JSON.parse(json)).toEqual(data);
  });
});
