import { describe, expect, it } from '@jest/globals';
import type { PublicCreator } from '../../../../src/contract/gallery.js';
import { isFeatured, isListed } from './listing.js';

/** As a list may hold it that lacks one or both. */
const creator = (fields: Partial<Pick<PublicCreator, 'is_visible' | 'is_featured'>>): PublicCreator =>
  fields as PublicCreator;

describe('[F3.01] creator listing', () => {
  it('lists a creator unless is_visible is false', () => {
    expect([{}, { is_visible: true }, { is_visible: false }].map((fields) => isListed(creator(fields)))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('features a creator unless is_featured is false, and never an archived one', () => {
    expect(isFeatured(creator({}))).toBe(true);
    expect(isFeatured(creator({ is_featured: true }))).toBe(true);
    expect(isFeatured(creator({ is_featured: false }))).toBe(false);
    expect(isFeatured(creator({ is_visible: false }))).toBe(false);
  });
});
