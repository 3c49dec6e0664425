import {
  collapseDuplicatesTransformer,
  DataSet,
  englishDataset,
  englishRecommendedTransformers,
  parseRawPattern,
  RegExpMatcher,
} from 'obscenity';
import { CHARACTER_TRANSFORMERS, DOUBLED } from './term-folding.js';

const transformers = [
  ...CHARACTER_TRANSFORMERS,
  collapseDuplicatesTransformer({
    defaultThreshold: 1,
    customThresholds: new Map([...DOUBLED].map((letter) => [letter, 2])),
  }),
];

/** Finds any of the terms, or their plurals, in a text: as whole words, or anywhere. */
export class TermMatcher {
  private readonly matcher: RegExpMatcher;

  constructor(terms: readonly string[], where: 'words' | 'anywhere') {
    const edge = where === 'words' ? '|' : '';
    // Spelling out leaves no gaps between words.
    const spelled = (term: string): string => (where === 'words' ? term : term.replaceAll(' ', ''));
    const dataset = new DataSet<never>();
    for (const term of terms) {
      dataset.addPhrase((phrase) => phrase.addPattern(parseRawPattern(`${edge}${termPattern(spelled(term))}${edge}`)));
    }
    this.matcher = new RegExpMatcher({ ...dataset.build(), blacklistMatcherTransformers: transformers });
  }

  isIn(text: string): boolean {
    return this.matcher.hasMatch(text);
  }
}

/** The term after the transformers: a double letter may remain, and a plural may follow. */
function termPattern(term: string): string {
  const letters = [...term.matchAll(/(.)\1*/gu)].map(([run, letter = '']) => {
    if (!DOUBLED.includes(letter)) return letter;
    return run.length > 1 ? letter + letter : `${letter}[${letter}]`;
  });
  return letters.join('') + pluralEnding(term);
}

/** An optional ending. */
function pluralEnding(term: string): string {
  if (term.endsWith('s')) return '';
  return /(?:ch|sh|x|z)$/.test(term) ? '[es]' : '[s]';
}

/** Without `sex`: it also matches `sexy`, which our own policy judges. */
const list = new DataSet<{ originalWord: string }>()
  .addAll(englishDataset)
  .removePhrasesIf((phrase) => phrase.metadata?.originalWord === 'sex');
const listed = new RegExpMatcher({ ...list.build(), ...englishRecommendedTransformers });
/** Innocent names and words in which the package's list finds a term. */
const INNOCENT =
  /penist|middlesex|essex|sussex|wessex|cocker|cockpit|cocktail|cockatoo|hancock|peacock|woodcock|matsushita|shiitake|therapist|grape|drape|scrape|skyscraper|cucumber|document|circumst|accumul|title|titan|titmouse|anal[ygo]|wankaner|banal|canal|passion|classic|embass|grass|glass|brass|bass|compass|assassin|montenegro|hitchcock|dickens|dickinson|pussywillow|cuckoo|raccoon|tycoon|cocoon|snigger|niggard|retardant|vandyke|arsenal/;

/** The terms of the package's English list that match a single word in any disguise, in their original spelling. */
export function listedWordsIn(word: string): string[] {
  if (INNOCENT.test(word) || !listed.hasMatch(word)) return [];
  return listed.getAllMatches(word).map((match) => {
    const { phraseMetadata } = list.getPayloadWithPhraseMetadata(match);
    return phraseMetadata?.originalWord ?? '';
  });
}
