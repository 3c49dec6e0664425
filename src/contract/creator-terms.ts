/** The Creator Terms of Use (creator spec, sections 2 and 9): shown to people, and hashed into the record of consent. */

/** Version of the text below. A changed text needs a new version. */
export const CREATOR_TERMS_VERSION = 'v1.0';

export const CREATOR_TERMS_EFFECTIVE = '7/31/2025';

/** Method that every acceptance is recorded with. */
export const ACCEPTANCE_METHOD = 'creator_application_form';

/** Longest user agent that is stored, in UTF-16 units. */
export const USER_AGENT_MAX_LENGTH = 1_000;

/** Days after which a rejected person may apply again. */
export const REAPPLY_AFTER_DAYS = 90;

/** The words that a person confirms with 'I Accept Terms'. Stored with each acceptance. */
export const ACCEPTANCE_STATEMENT =
  'I have read and accept the Creator Terms of Use v1.0. I confirm that I am 18 or older, and that the likeness is mine.';

export interface TermsSection {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

export const CREATOR_TERMS: readonly TermsSection[] = [
  {
    title: 'Who may join',
    paragraphs: [
      'You must be at least 18 years old to become a creator. You confirm this when you accept these terms, and we verify it before we approve you.',
    ],
  },
];

/** The exact text that is hashed: titles and paragraphs, each on a line of its own. */
export function creatorTermsText(): string {
  const lines = CREATOR_TERMS.flatMap(({ title, paragraphs }, index) => [`${index + 1}. ${title}`, ...paragraphs]);
  return [`Creator Terms of Use ${CREATOR_TERMS_VERSION}, effective ${CREATOR_TERMS_EFFECTIVE}`, ...lines, ''].join(
    '\n',
  );
}
