import {
  collapseDuplicatesTransformer,
  DataSet,
  englishDataset,
  englishRecommendedTransformers,
  parseRawPattern,
  RegExpMatcher,
  remapCharactersTransformer,
  resolveConfusablesTransformer,
  toAsciiLowerCaseTransformer,
} from 'obscenity';

/** Letters that English words double; of all others a run counts as one. */
const DOUBLED = 'beolsg';
/** Digits and signs that stand for letters inside a word. Brackets and slashes do not: they part words. */
const LEET = { a: '@4', b: '8', e: '3', g: '69', i: '1', o: '0', s: '5$', t: '7', z: '2' };

const transformers = [
  resolveConfusablesTransformer(),
  toAsciiLowerCaseTransformer(),
  remapCharactersTransformer(LEET),
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
      dataset.addPhrase((phrase) => phrase.addPattern(parseRawPattern(`${edge}${patternOf(spelled(term))}${edge}`)));
    }
    this.matcher = new RegExpMatcher({ ...dataset.build(), blacklistMatcherTransformers: transformers });
  }

  isIn(text: string): boolean {
    return this.matcher.hasMatch(text);
  }
}

/** The term as it looks after the transformers, where doubled letters may or may not be left and a plural may follow. */
function patternOf(term: string): string {
  const letters = [...term.matchAll(/(.)\1*/gu)].map(([run, letter = '']) => {
    if (!DOUBLED.includes(letter)) return letter;
    return run.length > 1 ? letter + letter : `${letter}[${letter}]`;
  });
  return letters.join('') + pluralOf(term);
}

/** An optional ending. */
function pluralOf(term: string): string {
  if (term.endsWith('s')) return '';
  return /(?:ch|sh|x|z)$/.test(term) ? '[es]' : '[s]';
}

/** `sex` would find `sexy` as well, which is the policy's to judge. */
const list = new DataSet<{ originalWord: string }>()
  .addAll(englishDataset)
  .removePhrasesIf((phrase) => phrase.metadata?.originalWord === 'sex');
const listed = new RegExpMatcher({ ...list.build(), ...englishRecommendedTransformers });
/** What the package's list sees in innocent names of places, people and things. */
const INNOCENT =
  /penist|middlesex|essex|sussex|wessex|cocker|cockpit|cocktail|cockatoo|hancock|peacock|woodcock|matsushita|shiitake|therapist|grape|drape|scrape|skyscraper|cucumber|document|circumst|accumul|title|titan|titmouse|anal[ygo]|wankaner|banal|canal|passion|classic|embass|grass|glass|brass|bass|compass|assassin|montenegro|hitchcock|dickens|dickinson|pussywillow|cuckoo|raccoon|tycoon|cocoon|snigger|niggard|retardant|vandyke|arsenal/;

/** Words of the package's English list that a single word is, in any disguise; its original spellings. */
export function listedWordsIn(word: string): string[] {
  if (INNOCENT.test(word) || !listed.hasMatch(word)) return [];
  return listed.getAllMatches(word).map((match) => {
    const { phraseMetadata } = list.getPayloadWithPhraseMetadata(match);
    return phraseMetadata?.originalWord ?? '';
  });
}
