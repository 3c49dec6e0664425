import { DOUBLED, foldCharacters } from './term-folding.js';

/** Where a term counts: as whole words or their English plural, anywhere in a text, or only as the whole text. */
export type TermScope = 'words' | 'anywhere' | 'alone';

interface TermFinderOptions {
  /** Matches a character of a word. All others separate words. */
  readonly wordCharacter: RegExp;
  /** Whether a doubled letter of a text also reads as a single one, so that `nuude` is `nude` and `good` is `god`. */
  readonly ignoresDoubling: boolean;
}

/** A letter and how often it is repeated: once, twice, or more often (3); or a separator of words. */
type Token = string;
const SEPARATOR: Token = ' ';

interface Node<Meaning> {
  readonly next: Map<Token, Node<Meaning>>;
  readonly meanings: Partial<Record<TermScope, Meaning[]>>;
}

/**
 * Finds many terms in one pass over a text. Case, look-alike characters, digits in place of letters, and repeated
 * letters make no difference. The terms are one tree, and nothing is read twice: a token of the text costs at most one
 * step for each letter of the terms, and in practice a few.
 */
export class TermFinder<Meaning> {
  private readonly root: Node<Meaning> = { next: new Map(), meanings: {} };

  constructor(private readonly options: TermFinderOptions) {}

  /** A term without a character of a word is never found. */
  add(term: string, scope: TermScope, meaning: Meaning): void {
    for (const ending of scope === 'words' ? ['', 's', 'es'] : ['']) {
      const tokens = this.tokensOf(term + ending);
      while (tokens[0] === SEPARATOR) tokens.shift();
      while (tokens.at(-1) === SEPARATOR) tokens.pop();
      if (tokens.length === 0) return;
      let node = this.root;
      for (const token of tokens) {
        const edge = this.readingsOf(token).at(-1) ?? token;
        const child: Node<Meaning> = node.next.get(edge) ?? { next: new Map(), meanings: {} };
        node.next.set(edge, child);
        node = child;
      }
      (node.meanings[scope] ??= []).push(meaning);
    }
  }

  /** The meanings of all terms in a text. */
  findIn(text: string): ReadonlySet<Meaning> {
    const found = new Set<Meaning>();
    const tokens = this.tokensOf(text);
    const separates = (at: number): boolean => (tokens[at] ?? SEPARATOR) === SEPARATOR;
    let attempts: { readonly from: number; readonly node: Node<Meaning> }[] = [];
    for (const [at, token] of tokens.entries()) {
      attempts.push({ from: at, node: this.root });
      const going: typeof attempts = [];
      for (const { from, node } of attempts) {
        for (const reading of this.readingsOf(token)) {
          const next = node.next.get(reading);
          if (!next) continue;
          going.push({ from, node: next });
          const { words = [], anywhere = [], alone = [] } = next.meanings;
          for (const meaning of anywhere) found.add(meaning);
          if (separates(from - 1) && separates(at + 1)) for (const meaning of words) found.add(meaning);
          if (from === 0 && at === tokens.length - 1) for (const meaning of alone) found.add(meaning);
        }
      }
      attempts = going;
    }
    return found;
  }

  private tokensOf(text: string): Token[] {
    const { wordCharacter } = this.options;
    const runs: { readonly letter: string; count: number }[] = [];
    for (const character of foldCharacters(text)) {
      const letter = wordCharacter.test(character) ? character : SEPARATOR;
      const last = runs.at(-1);
      if (last?.letter === letter) last.count += 1;
      else runs.push({ letter, count: 1 });
    }
    return runs.map(({ letter, count }) =>
      letter === SEPARATOR ? SEPARATOR : `${letter}${DOUBLED.includes(letter) ? Math.min(count, 3) : 1}`,
    );
  }

  /** How terms may write a token of a text. The tree holds a term by the last of its own. */
  private readingsOf(token: Token): readonly Token[] {
    const once = `${token.slice(0, -1)}1`;
    const twice = `${token.slice(0, -1)}2`;
    if (token.endsWith('3')) return this.options.ignoresDoubling ? [once, twice] : [once, twice, token];
    if (token.endsWith('2') && this.options.ignoresDoubling) return [once, twice];
    return [token];
  }
}
