import { Injectable } from '@nestjs/common';
import { ForeignMatcher } from './foreign-matcher.js';
import { readingsOf, type Readings } from './normalise-text.js';
import {
  COARSE_WORDS_OF_LIST,
  DEGRADING_TERMS,
  DEHUMANISING_TERMS,
  GROUP_TERMS,
  HARMLESS_PHRASES,
  HATE_TERMS,
  MINOR_SEXUAL_TERMS,
  MINOR_TERMS,
  REAL_PEOPLE_ABUSE_TERMS,
  REAL_PERSON_TERMS,
  SELF_HARM_TERMS,
  SEXUAL_TERMS,
  SEXUAL_WORDS_OF_LIST,
  SUGGESTIVE_TERMS,
} from './policy-terms.js';
import { PromptModerator, type ModerationCategory, type ModerationVerdict } from './prompt-moderator.js';
import { listedWordsIn } from './listed-words.js';
import { TermFinder } from './term-finder.js';

/** Marks that make the image sandbox fail. They describe no image. */
const SANDBOX_MARKS = /\[\[(?:nsfw|oom|timeout|no-output|fail|slow)\]\]/gi;

const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen';
const AGE = `(?:[1-9]|1[0-7]|${NUMBER_WORDS})`;
/** An age below 18. */
const MINOR_AGE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${AGE}[\\s-]*(?:years?|yrs?)[\\s-]*olds?|${AGE}[\\s-]*(?:yo|y/o|y\\.o\\.?|yr)|age[ds]?(?: of)? ${AGE})(?![\\p{L}\\p{N}])`,
  'u',
);
/** Codes of repeated letters or digits, which the matcher would normalise away. */
const SEXUAL_CODE = /\bx{3,}\b|\brule ?34\b/;
const HATE_CODE = /\bk{3}\b|\b14 ?[/-]? ?88\b/;

/** Our own lists. */
const LISTS = {
  sexual: SEXUAL_TERMS,
  suggestive: SUGGESTIVE_TERMS,
  minors: MINOR_TERMS,
  minorSexual: MINOR_SEXUAL_TERMS,
  persons: REAL_PERSON_TERMS,
  degrading: DEGRADING_TERMS,
  personAbuse: REAL_PEOPLE_ABUSE_TERMS,
  hate: HATE_TERMS,
  groups: GROUP_TERMS,
  dehumanising: DEHUMANISING_TERMS,
  selfHarm: SELF_HARM_TERMS,
};
type List = keyof typeof LISTS;

/** Every term is in plain Latin letters, so all other letters separate words. */
const OPTIONS = { wordCharacter: /[a-z0-9]/, ignoresDoubling: true };

/**
 * The local content policy: word lists, matched through look-alike characters, accents, spacing, punctuation,
 * repetition and digits. It judges words, not intentions; the image provider also judges the image.
 */
@Injectable()
export class RuleModerator extends PromptModerator {
  private readonly running = new TermFinder<List>(OPTIONS);
  private readonly spelledOut = new TermFinder<List>(OPTIONS);
  private readonly foreign = new ForeignMatcher();

  constructor() {
    super();
    for (const [list, terms] of Object.entries(LISTS) as [List, readonly string[]][]) {
      for (const term of terms) {
        this.running.add(term, 'words', list);
        // Spelling out leaves no gaps between words.
        this.spelledOut.add(term.replaceAll(' ', ''), 'anywhere', list);
      }
    }
  }

  override moderate(prompt: string): Promise<ModerationVerdict> {
    return Promise.resolve({ category: this.categoryOf(prompt) });
  }

  private categoryOf(prompt: string): ModerationCategory | null {
    const text = prompt.replace(SANDBOX_MARKS, ' ');
    const readings = readingsOf(text);
    const texts = runningTexts(readings);
    const foreign = this.foreign.kindsIn([text, ...readings.spelledOut].join(' , '));
    const lists = new Set([
      ...texts.flatMap((each) => [...this.running.findIn(each)]),
      ...readings.spelledOut.flatMap((word) => [...this.spelledOut.findIn(word)]),
    ]);
    const has = (list: List): boolean => lists.has(list);

    const listed = listedWords(texts, readings);
    const sexual = listed.sexual || SEXUAL_CODE.test(readings.plain) || foreign.has('sexual') || has('sexual');
    const minor = MINOR_AGE.test(readings.plain) || foreign.has('minors') || has('minors');
    const suggestive = foreign.has('suggestive') || has('suggestive');
    if (has('minorSexual') || (minor && (sexual || suggestive))) return 'minors';

    const person = has('persons');
    if (has('personAbuse') || (person && (sexual || has('degrading')))) return 'real_people';
    if (sexual) return 'sexual';
    if (listed.hateful || HATE_CODE.test(readings.plain) || foreign.has('hate') || has('hate')) return 'hate';
    if (has('groups') && has('dehumanising')) return 'hate';
    return has('selfHarm') ? 'self_harm' : null;
  }
}

/** The readings to match, without harmless phrases. */
function runningTexts({ plain, joined }: Readings): string[] {
  const withoutTrailingDigits = joined.replace(/(?<=\p{L})\p{N}+(?![\p{L}\p{N}])/gu, '');
  return [...new Set([plain, joined, withoutTrailingDigits].map(withoutHarmlessPhrases))];
}

const HARMLESS = new RegExp(`(?<![\\p{L}\\p{N}])(?:${HARMLESS_PHRASES.join('|')})(?![\\p{L}\\p{N}])`, 'gu');

function withoutHarmlessPhrases(text: string): string {
  return text.replace(/[\s,.;:()"“”/\\*_~|-]+/gu, ' ').replace(HARMLESS, ' ');
}

function listedWords(texts: readonly string[], { spelledOut }: Readings): { sexual: boolean; hateful: boolean } {
  const words = new Set([...texts.flatMap((text) => text.split(/[^\p{L}\p{N}@$!*]+/u)), ...spelledOut]);
  const found = [...words].flatMap(listedWordsIn).filter((word) => !COARSE_WORDS_OF_LIST.has(word));
  return {
    sexual: found.some((word) => SEXUAL_WORDS_OF_LIST.has(word)),
    hateful: found.some((word) => !SEXUAL_WORDS_OF_LIST.has(word)),
  };
}
