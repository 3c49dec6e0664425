import { describe, expect, it } from '@jest/globals';
import { splitRendered } from './drawn-html.js';

describe('splitRendered', () => {
  it('keeps the preloads of the head, and drops its other tags', () => {
    const head =
      '<link rel="preload" as="image" href="/a.avif"/><title>A &lt; B</title><meta name="description" content="&gt;"/>';
    expect(splitRendered(`${head}<p>Text</p>`)).toEqual({
      html: '<p>Text</p>',
      preloads: '<link rel="preload" as="image" href="/a.avif"/>',
      css: '',
    });
  });

  it('numbers equal styles once, and leaves texts that look like a style alone', () => {
    const text = ' style=&quot;color:red&quot;';
    const rendered = `<i style="width:1px"></i><b class="x" style="color:&quot;&amp;">${text}</b><i style="width:1px"></i>`;
    expect(splitRendered(rendered)).toEqual({
      html: `<i data-s="0"></i><b class="x" data-s="1">${text}</b><i data-s="0"></i>`,
      preloads: '',
      css: '[data-s="0"]{width:1px}\n[data-s="1"]{color:"&}',
    });
  });

  it.each(['}', '{', '&lt;/style&gt;'])('refuses a style with %s, which could end its rule', (value) => {
    expect(() => splitRendered(`<p style="color:${value}"></p>`)).toThrow('cannot be a rule');
  });
});
