import { createHash } from 'node:crypto';
import { foldCharacters } from './term-folding.js';
import { readingsOf } from './normalise-text.js';

/**
 * The same for all spellings of a prompt: case, accents, look-alike characters, digits in place of letters, repeated
 * letters, spaces and punctuation make no difference. SHA-256, hex.
 */
export function promptHash(prompt: string): string {
  const folded = foldCharacters(readingsOf(prompt).plain)
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/(.)\1+/gu, '$1');
  // A prompt of signs alone, such as emoji, is compared as it is.
  return createHash('sha256')
    .update(folded === '' ? prompt.trim() : folded)
    .digest('hex');
}
