import { describe, expect, it } from '@jest/globals';
import { type PageHead } from '../pages.js';
import { renderHead, scriptJson } from './page-head.js';

describe('renderHead', () => {
  const HEAD: PageHead = {
    title: 'Dawn · Juno',
    description: 'A lighthouse',
    path: '/juno/generate/g1',
    type: 'article',
    image: { url: '/media/x/1024.webp', width: 1024, height: 768, alt: 'Dawn' },
  };
  const metaOf = (head: PageHead): string[] =>
    [...renderHead(head, 'https://fanvas.example').matchAll(/<meta (\S+)="(\S+)" content="(.*)" \/>/g)].map(
      ([, kind, name, content]) => `${kind} ${name}: ${content}`,
    );
  const TEXTS = [
    'name description: A lighthouse',
    'property og:site_name: Fanvas',
    'property og:type: article',
    'property og:title: Dawn · Juno',
    'property og:description: A lighthouse',
    'property og:url: https://fanvas.example/juno/generate/g1',
    'name twitter:title: Dawn · Juno',
    'name twitter:description: A lighthouse',
  ];

  it('names the page and its image for previews of links, by the names of Open Graph and of X', () => {
    expect(metaOf(HEAD).sort()).toEqual(
      [
        ...TEXTS,
        'property og:image: https://fanvas.example/media/x/1024.webp',
        'property og:image:type: image/jpeg',
        'property og:image:width: 1024',
        'property og:image:height: 768',
        'property og:image:alt: Dawn',
        'name twitter:card: summary_large_image',
        'name twitter:image: https://fanvas.example/media/x/1024.webp',
        'name twitter:image:alt: Dawn',
      ].sort(),
    );
  });

  it('promises no image for a page without one', () => {
    const { image: _image, ...plain } = HEAD;
    expect(metaOf(plain).sort()).toEqual([...TEXTS, 'name twitter:card: summary'].sort());
  });
});

describe('scriptJson', () => {
  it('escapes what ends a script element or a line, and keeps the value', () => {
    const data = { text: '</script><!-- \u2028 \u2029' };
    const json = scriptJson(data);
    expect(json).toBe('{"text":"\\u003c/script>\\u003c!-- \\u2028 \\u2029"}');
    expect(JSON.parse(json)).toEqual(data);
  });
});
