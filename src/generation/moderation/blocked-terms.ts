import { readingsOf } from './normalise-text.js';
import { TermFinder } from './term-finder.js';
import { foldCharacters } from './term-folding.js';

/** Shorter terms would be found by chance in a word that was spelled out together with its neighbours. */
const FOUND_ANYWHERE_LENGTH = 4;

/** Scripts that do not separate words. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const OPTIONS = { wordCharacter: /[\p{L}\p{N}]/u, ignoresDoubling: false };

/**
 * The first of a creator's blocked words and phrases in a prompt; null when there is none. Finds whole words and their
 * English plurals. Case, accents, look-alike characters, digits in place of letters, repeated letters, and letters with
 * spaces or signs between them make no difference.
 */
export function findBlockedTerm<Term extends { readonly term: string }>(
  prompt: string,
  terms: readonly Term[],
): Term | null {
  if (terms.length === 0) return null;
  const { running, spelledOut } = findersFor(terms.map(({ term }) => term));
  const readings = readingsOf(prompt);
  const withoutTrailingDigits = readings.joined.replace(/(?<=\p{L})\p{N}+(?![\p{L}\p{N}])/gu, '');
  const found = [
    ...[readings.plain, readings.joined, withoutTrailingDigits].flatMap((text) => [...running.findIn(text)]),
    ...readings.spelledOut.flatMap((word) => [...spelledOut.findIn(word)]),
  ];
  return terms[Math.min(...found)] ?? null;
}

/** Finders of terms in running text and in words that were spelled out. A term's meaning is its index. */
interface Finders {
  readonly running: TermFinder<number>;
  readonly spelledOut: TermFinder<number>;
}

/** The lists of so many creators are kept; they change seldom. */
const KEPT_LISTS = 50;
const kept = new Map<string, Finders>();

function findersFor(terms: readonly string[]): Finders {
  const key = terms.join('\n');
  const finders = kept.get(key) ?? newFinders(terms);
  // The map is in order of use.
  kept.delete(key);
  kept.set(key, finders);
  if (kept.size > KEPT_LISTS) kept.delete(kept.keys().next().value ?? key);
  return finders;
}

function newFinders(terms: readonly string[]): Finders {
  const running = new TermFinder<number>(OPTIONS);
  const spelledOut = new TermFinder<number>(OPTIONS);
  for (const [index, term] of terms.entries()) {
    const { plain } = readingsOf(term);
    running.add(plain, WITHOUT_SPACES.test(term) ? 'anywhere' : 'words', index);
    const together = foldCharacters(plain).replace(/[^\p{L}\p{N}]+/gu, '');
    spelledOut.add(together, together.length < FOUND_ANYWHERE_LENGTH ? 'alone' : 'anywhere', index);
  }
  return { running, spelledOut };
}
