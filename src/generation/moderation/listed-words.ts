import { DataSet, englishDataset, englishRecommendedTransformers, RegExpMatcher } from 'obscenity';

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
