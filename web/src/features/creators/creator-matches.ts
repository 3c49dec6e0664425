import type { PublicCreator } from '../../../../src/contract/gallery.js';
import { isListed } from './listing.js';
import { searchedText } from './search-text.js';

export const MAX_SUGGESTIONS = 5;

/**
 * The creators whose name or username contains the text, then those whose style does, five at most. None for a text
 * that is suspicious, or empty after sanitising (fan spec, section 5).
 */
export function creatorMatches(creators: readonly PublicCreator[], text: string): PublicCreator[] {
  const query = searchedText(text).toLowerCase().replace(/^@/, '');
  if (query === '') return [];
  const contains = (value: string): boolean => value.toLowerCase().includes(query);
  const listed = creators.filter(isListed);
  const named = listed.filter(({ name, username }) => contains(name) || contains(username));
  const inStyle = listed.filter((creator) => contains(creator.style ?? '') && !named.includes(creator));
  return [...named, ...inStyle].slice(0, MAX_SUGGESTIONS);
}
