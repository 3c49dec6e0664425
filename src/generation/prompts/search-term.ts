import { type RawBuilder, sql } from 'kysely';
import { containing, hasTrigram } from '../../platform/database/like.js';
import { PROMPT_MAX_LENGTH, SEARCH_LENGTH } from '../../contract/limits.js';
import { isUuid } from '../../platform/ids.js';
import { sanitiseText } from './sanitise-prompt.js';

/**
 * How images are searched (creator spec, section 5): all of them, one by its id, or by a part of the prompt. `indexed`:
 * the index of prompts can find the text. Other texts are looked for in the newest images only.
 */
export type ImageSearch =
  | { readonly kind: 'all' }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'text'; readonly indexed: boolean; readonly patterns: readonly string[] };

/** Reads a search. The text is cleaned like a prompt, so that a copied prompt finds its image. */
export function readSearch(input: string | null | undefined): ImageSearch {
  const text = sanitiseText(input ?? '', PROMPT_MAX_LENGTH);
  if (text === '') return { kind: 'all' };
  if (isUuid(text)) return { kind: 'id', id: text.toLowerCase() };
  return { kind: 'text', indexed: hasTrigram(text), patterns: patternsOf(text) };
}

type TextSearch = Extract<ImageSearch, { kind: 'text' }>;

/**
 * How a text is looked for in prompts of all creators. It is cleaned like a prompt, and an id is a text like any other.
 * A text that is then shorter than `SEARCH_LENGTH.min` has no pattern.
 */
export function readPromptText(input: string): TextSearch {
  const text = sanitiseText(input, PROMPT_MAX_LENGTH);
  return {
    kind: 'text',
    indexed: hasTrigram(text),
    patterns: [...text].length < SEARCH_LENGTH.min ? [] : patternsOf(text),
  };
}

/**
 * The condition that a prompt contains the text, without case. `matches` is for prompts that are read, and half as
 * expensive as `indexed`, which the index of prompts needs. Without a pattern no prompt matches.
 */
export function anyPattern({ patterns }: TextSearch): {
  readonly matches: RawBuilder<boolean>;
  readonly indexed: RawBuilder<boolean>;
} {
  const anyOf = (condition: (pattern: string) => RawBuilder<boolean>): RawBuilder<boolean> =>
    patterns.length === 0 ? sql`false` : sql`(${sql.join(patterns.map(condition), sql` or `)})`;
  return {
    matches: anyOf((pattern) => sql`lower(prompt) like lower(${pattern})`),
    indexed: anyOf((pattern) => sql`prompt ilike ${pattern}`),
  };
}

/**
 * Patterns of a comparison without case, in which `%` and `_` are letters. The database ignores the case of ASCII
 * letters only, so a text with other letters has a pattern for each common way to write it.
 */
function patternsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const forms = /^\p{ASCII}*$/u.test(text)
    ? [text]
    : [text, lower, text.toUpperCase(), lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())];
  return [...new Set(forms)].map(containing);
}
