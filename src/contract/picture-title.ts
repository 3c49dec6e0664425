/** Longest part of a prompt in the title of a page, in UTF-16 units. */
const PROMPT_LENGTH = 80;

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Left-to-right mark: the title as a whole reads from the left, like the rest of the site. */
const LRM = '\u200e';
/** First strong isolate, and its end: the text between them has its own direction. */
const FSI = '\u2068';
const PDI = '\u2069';

/**
 * The title of the page of a picture: the beginning of the prompt, and the creator. Browsers and previews show a title
 * in the direction of its first strong letter, so a prompt that is written from the right is isolated: it would
 * otherwise reorder what follows.
 */
export function pictureTitle(prompt: string, creatorName: string): string {
  // Does not cut a surrogate pair in half.
  const start = prompt.slice(0, PROMPT_LENGTH).replace(/[\ud800-\udbff]$/, '');
  return `${RIGHT_TO_LEFT.test(start) ? `${LRM}${FSI}${start}${PDI}` : start} · ${creatorName}`;
}
