import { readingsOf } from './normalise-text.js';
import { DOUBLED, foldCharacters } from './term-folding.js';

/** Shorter terms would be found by chance in a word that was spelled out together with its neighbours. */
const FOUND_ANYWHERE_LENGTH = 4;

/** Scripts that do not separate words. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * The first of a creator's blocked words and phrases in a prompt; null when there is none. Finds whole words and their
 * English plurals. Case, accents, look-alike characters, digits in place of letters, repeated letters, and letters with
 * spaces or signs between them make no difference. Linear in the prompt's length.
 */
export function findBlockedTerm<Term extends { readonly term: string }>(
  prompt: string,
  terms: readonly Term[],
): Term | null {
  if (terms.length === 0) return null;
  const { plain, joined, spelledOut } = readingsOf(prompt);
  const withoutTrailingDigits = joined.replace(/(?<=\p{L})\p{N}+(?![\p{L}\p{N}])/gu, '');
  const texts = [...new Set([plain, joined, withoutTrailingDigits])].map(foldCharacters);
  const spelled = spelledOut.map(foldCharacters);
  return terms.find(({ term }) => isIn(term, texts, spelled)) ?? null;
}

function isIn(term: string, texts: readonly string[], spelledOut: readonly string[]): boolean {
  const words = splitWords(term);
  if (words.length === 0) return false;
  const running = asWords(words.map(wordPattern).join('[^\\p{L}\\p{N}]+'), term);
  if (texts.some((text) => running.test(text))) return true;
  const together = words.join('');
  const pattern = wordPattern(together);
  const spelled = new RegExp(together.length < FOUND_ANYWHERE_LENGTH ? `^${pattern}$` : pattern, 'u');
  return spelledOut.some((word) => spelled.test(word));
}

/** The words of a term, folded as the prompt is. */
function splitWords(term: string): string[] {
  return foldCharacters(readingsOf(term).plain)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** A letter that English doubles must be repeated as in the term, or more than twice. */
function wordPattern(word: string): string {
  const runs = [...word.matchAll(/(.)\1*/gu)].map(([run, letter = '']) => {
    if (!DOUBLED.includes(letter)) return `${letter}+`;
    return run.length > 2 ? `${letter}{3,}` : `(?:${letter}{${run.length}}|${letter}{3,})`;
  });
  return runs.join('');
}

function asWords(pattern: string, term: string): RegExp {
  if (WITHOUT_SPACES.test(term)) return new RegExp(pattern, 'u');
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?:e?s)?(?![\\p{L}\\p{N}])`, 'u');
}
