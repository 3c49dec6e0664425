import { describe, expect, it } from '@jest/globals';
import { socialLinks } from './social-links.js';

const nowhere = { instagram: null, twitter: null, onlyfans: null };

describe('socialLinks', () => {
  it('links a handle, with or without @', () => {
    expect(socialLinks({ instagram: '@juno.abara', twitter: 'juno', onlyfans: ' junoabara ' })).toEqual([
      { site: 'Instagram', href: 'https://www.instagram.com/juno.abara' },
      { site: 'Twitter', href: 'https://x.com/juno' },
      { site: 'OnlyFans', href: 'https://onlyfans.com/junoabara' },
    ]);
  });

  it('keeps an https address of the site', () => {
    expect(socialLinks({ ...nowhere, twitter: 'https://twitter.com/juno' })).toEqual([
      { site: 'Twitter', href: 'https://twitter.com/juno' },
    ]);
  });

  it.each([
    '',
    'javascript:alert(1)',
    'https://evil.example/x',
    'http://instagram.com/x',
    'https://a@instagram.com/x',
    'a b',
  ])('skips %j', (instagram) => {
    expect(socialLinks({ ...nowhere, instagram })).toEqual([]);
  });
});
