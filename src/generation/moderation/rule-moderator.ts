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
import { listedWordsIn, TermMatcher } from './term-matcher.js';

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

/** A list of terms: matched as words in running text, and anywhere in a word that was spelled out. */
class Terms {
  private readonly words: TermMatcher;
  private readonly spelled: TermMatcher;

  constructor(terms: readonly string[]) {
    this.words = new TermMatcher(terms, 'words');
    this.spelled = new TermMatcher(terms, 'anywhere');
  }

  areIn(texts: readonly string[], { spelledOut }: Readings): boolean {
    return texts.some((text) => this.words.isIn(text)) || spelledOut.some((word) => this.spelled.isIn(word));
  }
}

/**
 * The local content policy: word lists, matched through look-alike characters, accents, spacing, punctuation,
 * repetition and digits. It judges words, not intentions; the image provider also judges the image.
 */
@Injectable()
export class RuleModerator extends PromptModerator {
  private readonly sexual = new Terms(SEXUAL_TERMS);
  private readonly suggestive = new Terms(SUGGESTIVE_TERMS);
  private readonly minors = new Terms(MINOR_TERMS);
  private readonly minorSexual = new Terms(MINOR_SEXUAL_TERMS);
  private readonly persons = new Terms(REAL_PERSON_TERMS);
  private readonly degrading = new Terms(DEGRADING_TERMS);
  private readonly personAbuse = new Terms(REAL_PEOPLE_ABUSE_TERMS);
  private readonly hate = new Terms(HATE_TERMS);
  private readonly groups = new Terms(GROUP_TERMS);
  private readonly dehumanising = new Terms(DEHUMANISING_TERMS);
  private readonly selfHarm = new Terms(SELF_HARM_TERMS);
  private readonly foreign = new ForeignMatcher();

  override moderate(prompt: string): Promise<ModerationVerdict> {
    return Promise.resolve({ category: this.categoryOf(prompt) });
  }

  private categoryOf(prompt: string): ModerationCategory | null {
    const text = prompt.replace(SANDBOX_MARKS, ' ');
    const readings = readingsOf(text);
    const texts = runningTexts(readings);
    const foreign = this.foreign.kindsIn([text, ...readings.spelledOut].join(' , '));
    const has = (terms: Terms): boolean => terms.areIn(texts, readings);

    const listed = listedWords(texts, readings);
    const sexual = listed.sexual || SEXUAL_CODE.test(readings.plain) || foreign.has('sexual') || has(this.sexual);
    const minor = MINOR_AGE.test(readings.plain) || foreign.has('minors') || has(this.minors);
    const suggestive = (): boolean => foreign.has('suggestive') || has(this.suggestive);
    if (has(this.minorSexual) || (minor && (sexual || suggestive()))) return 'minors';

    const person = has(this.persons);
    if (has(this.personAbuse) || (person && (sexual || has(this.degrading)))) return 'real_people';
    if (sexual) return 'sexual';
    if (listed.hateful || HATE_CODE.test(readings.plain) || foreign.has('hate') || has(this.hate)) return 'hate';
    if (has(this.groups) && has(this.dehumanising)) return 'hate';
    return has(this.selfHarm) ? 'self_harm' : null;
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
