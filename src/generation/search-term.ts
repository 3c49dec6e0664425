import { containing, hasTrigram } from '../platform/database/like.js';
import { PROMPT_MAX_LENGTH } from '../contract/limits.js';
import { isUuid } from '../platform/ids.js';
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
