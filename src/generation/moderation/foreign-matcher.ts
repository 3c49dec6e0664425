import naughtyWords from 'naughty-words';
import { FOREIGN_LANGUAGES, type LanguageTerms } from './foreign-terms.js';

/** The kinds of terms that a foreign text can hold. */
export type ForeignKind = 'sexual' | 'suggestive' | 'minors' | 'hate';

/** Accents of Latin, Cyrillic and Arabic letters, and the Arabic line extension. Vowel signs of Indic scripts stay. */
const ACCENTS = /[\u{300}-\u{36f}]|\u{640}|[\u{64b}-\u{65f}]|\u{670}|\p{Cf}/gu;
const SPACE_IN_CHINESE = /(?<=\p{Script=Han})[\s·.*_-]+(?=\p{Script=Han})/gu;
/** Letters with their marks; all other characters separate words. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Finds terms in the most spoken languages besides English. Our own terms cover what a prompt is likely to say; the
 * lists of the `naughty-words` package add the vulgar ones. Linear in the length of the text.
 */
export class ForeignMatcher {
  private readonly phrases = new Map<string, Set<ForeignKind>>();
  private readonly beginnings = new Map<string, Set<ForeignKind>>();
  private readonly joined = new Map<string, Set<ForeignKind>>();
  private mostWords = 1;
  private shortestBeginning = Number.POSITIVE_INFINITY;
  private longestBeginning = 0;
  private longestJoined = 1;

  constructor(languages: Readonly<Record<string, LanguageTerms>> = FOREIGN_LANGUAGES) {
    for (const [code, language] of Object.entries(languages)) this.addLanguage(language, naughtyWords[code] ?? []);
  }

  /** The kinds of the terms in a text. */
  kindsIn(text: string): ReadonlySet<ForeignKind> {
    const found = new Set<ForeignKind>();
    const read = simplified(text);
    this.findPhrases(splitWords(read), found);
    this.findJoined(read.replace(SPACE_IN_CHINESE, ''), found);
    return found;
  }

  private addLanguage(language: LanguageTerms, list: readonly string[]): void {
    const { sexual, suggestive, minors, hate = [], ignored = [] } = language;
    const own: [ForeignKind, readonly string[]][] = [
      ['sexual', sexual],
      ['suggestive', suggestive],
      ['minors', minors],
      ['hate', hate],
    ];
    for (const [kind, terms] of own) for (const term of terms) this.addTerm(language, term, kind);

    const judged = new Set([...ignored, ...hate].map(simplified));
    for (const term of list) {
      // A single Chinese character is a part of many harmless words.
      if (judged.has(simplified(term)) || (language.isJoined && [...term].length < 2)) continue;
      this.addTerm(language, term, 'sexual');
    }
  }

  private addTerm({ isJoined }: LanguageTerms, term: string, kind: ForeignKind): void {
    const key = simplified(term);
    if (isJoined) {
      addTo(this.joined, key, kind);
      this.longestJoined = Math.max(this.longestJoined, key.length);
    } else if (key.endsWith('*')) {
      addTo(this.beginnings, key.slice(0, -1), kind);
      this.shortestBeginning = Math.min(this.shortestBeginning, key.length - 1);
      this.longestBeginning = Math.max(this.longestBeginning, key.length - 1);
    } else {
      const words = splitWords(key);
      addTo(this.phrases, words.join(' '), kind);
      this.mostWords = Math.max(this.mostWords, words.length);
    }
  }

  private findPhrases(words: readonly string[], found: Set<ForeignKind>): void {
    for (const [at, word] of words.entries()) {
      let phrase = '';
      for (const next of words.slice(at, at + this.mostWords)) {
        phrase = phrase === '' ? next : `${phrase} ${next}`;
        addAll(found, this.phrases.get(phrase));
      }
      const longest = Math.min(this.longestBeginning, word.length);
      for (let length = this.shortestBeginning; length <= longest; length += 1) {
        addAll(found, this.beginnings.get(word.slice(0, length)));
      }
    }
  }

  private findJoined(text: string, found: Set<ForeignKind>): void {
    for (let from = 0; from < text.length; from += 1) {
      for (let length = 1; length <= this.longestJoined; length += 1) {
        addAll(found, this.joined.get(text.slice(from, from + length)));
      }
    }
  }
}

function simplified(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
}

function splitWords(text: string): string[] {
  return text.match(WORD) ?? [];
}

function addTo(terms: Map<string, Set<ForeignKind>>, term: string, kind: ForeignKind): void {
  const kinds = terms.get(term) ?? new Set();
  terms.set(term, kinds.add(kind));
}

function addAll(found: Set<ForeignKind>, kinds: Iterable<ForeignKind> = []): void {
  for (const kind of kinds) found.add(kind);
}
