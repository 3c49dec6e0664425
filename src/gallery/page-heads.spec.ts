import { describe, expect, it } from '@jest/globals';
import { type Creator } from '../creators/index.js';
import { creatorHead, generationHead, staticPageHead } from './page-heads.js';
import { STATIC_PAGES } from './static-pages.js';

const ORIGIN = 'https://fanvas.example';
const image = { url: '/media/x/1024.webp', width: 1024, height: 1024, thumbhash: '', sources: [] };
const juno = {
  name: 'Juno Abara',
  username: 'junoabara',
  bio: 'Circles first, questions later',
  profile: image,
  isVisible: true,
  withdrawn: false,
} as unknown as Creator;

const isSentence = (text: string): boolean => /^[A-Z“].*[.!?…]$/s.test(text);

describe('heads of pages', () => {
  it('describes a creator in sentences, with the portrait as JPEG', () => {
    const head = creatorHead(juno, ORIGIN);
    expect(head.description).toBe(
      'Circles first, questions later. Create official fan art in the style of Juno Abara on Fanvas.',
    );
    expect(head.image).toMatchObject({ url: '/media/x/1024.jpg', width: 1024, alt: 'Portrait of Juno Abara' });
    expect(creatorHead({ ...juno, bio: '' }, ORIGIN).description).toBe(
      'Create official fan art in the style of Juno Abara on Fanvas.',
    );
  });

  it.each(['a red rocket', 'two\nlines', 'long '.repeat(200), ''])('describes an image in a sentence: %#', (prompt) => {
    const picture = { id: 'g1', prompt, image, created_at: '2026-11-23T09:00:00.000Z' };
    const { description } = generationHead(picture, juno, ORIGIN);
    expect(description).toMatch(
      /^Official fan art in the style of Juno Abara, made on Fanvas from the words “[^\n]*”\.$/,
    );
    expect(description.length).toBeLessThanOrEqual(200);
  });

  it('isolates a prompt that is written from the right in the title', () => {
    const picture = { id: 'g1', prompt: 'ثعلب', image, created_at: '2026-11-23T09:00:00.000Z' };
    expect(generationHead(picture, juno, ORIGIN).title).toBe('\u200e\u2068ثعلب\u2069 · Juno Abara');
  });

  it('bounds the description of a long bio', () => {
    const { description } = creatorHead({ ...juno, bio: 'circles and '.repeat(80) }, ORIGIN);
    expect(description.length).toBeLessThanOrEqual(200);
    expect(description).toMatch(/… Create official fan art in the style of Juno Abara on Fanvas\.$/);
  });

  it.each([...STATIC_PAGES.keys()])('%s has a description in sentences, and the card of the product', (path) => {
    const head = staticPageHead(path);
    expect(isSentence(head?.description ?? '')).toBe(true);
    expect(head?.image).toMatchObject({ url: '/icons/card.jpg', width: 1200, height: 630 });
  });
});
