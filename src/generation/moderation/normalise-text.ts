/** Combining accents, joiners, selectors and soft hyphens. */
const MARKS = /[\p{Mn}\p{Me}\p{Cf}]/gu;
const SINGLE = '[\\p{L}\\p{N}@$!]';
const BETWEEN = '[\\s._*~|/\\\\,+-]{1,3}';
/** At least three single characters with separators between them: `n u d e`, `n.u.d.e`. */
const SPELLED_OUT = new RegExp(`(?<![\\p{L}\\p{N}])${SINGLE}(?:${BETWEEN}${SINGLE}){2,}(?![\\p{L}\\p{N}])`, 'gu');
const SEPARATORS = new RegExp(BETWEEN, 'gu');
/** Punctuation inside a word. */
const INNER = /(?<=[\p{L}\p{N}])[-_.*~'’|](?=[\p{L}\p{N}])/gu;

/** The readings of a text in which spacing or punctuation may hide words. */
export interface Readings {
  /** Accents and invisible characters removed, lower case; digits as written. */
  readonly plain: string;
  /** As `plain`, with punctuation inside words removed: `nu-de` reads `nude`. */
  readonly joined: string;
  /** The words that were spelled out letter by letter. */
  readonly spelledOut: readonly string[];
}

/** Removes disguises that a person ignores and a matcher does not. Linear in the text's length. */
export function readingsOf(text: string): Readings {
  const plain = text.normalize('NFKD').replace(MARKS, '').toLowerCase();
  const spelledOut = [...plain.matchAll(SPELLED_OUT)].map(([run]) => run.replace(SEPARATORS, ''));
  return { plain, joined: plain.replace(INNER, ''), spelledOut };
}
