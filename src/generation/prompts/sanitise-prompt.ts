import { PROMPT_MAX_LENGTH } from '../../contract/limits.js';

/**
 * Makes a prompt plain text (fan spec, section 5): removes markup with its attributes, and script and style elements
 * with their content; collapses whitespace; cuts the rest to 1000 characters. A lone `<`, as in `I <3 foxes`, stays.
 * Empty when nothing visible is left, or only a text that moderation would have to read at many times its length. The
 * time is linear in the length. Sanitising twice changes nothing more.
 */
export function sanitisePrompt(raw: string): string {
  const prompt = sanitiseText(raw, PROMPT_MAX_LENGTH);
  return prompt.normalize('NFKD').length > MOST_EXPANSION * PROMPT_MAX_LENGTH ? '' : prompt;
}

/**
 * By how much the compatibility form of the longest prompt may be longer. Accents and Korean syllables need 3;
 * ligatures of whole phrases need 18.
 */
const MOST_EXPANSION = 4;

/** Sanitises another text of a user in the same way, cut to `maxLength` UTF-16 units. */
export function sanitiseText(raw: string, maxLength: number): string {
  const text = removeMarkup(raw.replace(INVISIBLE, ''));
  if (!VISIBLE.test(text)) return '';
  return cut(withoutTagStarts(text).replace(/\s+/gu, ' ').trim(), maxLength);
}

/** Control characters other than whitespace, lone surrogates, and bidirectional marks that reorder text. */
const INVISIBLE = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu;

/** Anything but whitespace, lone marks, and characters without a shape, such as joiners, fillers and blank Braille. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{M}\s\u2800]/u;

/** The characters after `<` that make browsers see a tag, a comment or a declaration. */
const TAG_START = /[a-z/!?]/i;

function removeMarkup(text: string): string {
  const kept: string[] = [];
  const findTagEnd = tagEndFinder(text);
  let from = 0;
  for (;;) {
    const open = text.indexOf('<', from);
    if (open === -1) break;
    kept.push(text.slice(from, open));
    const end = TAG_START.test(text.charAt(open + 1)) ? findTagEnd(open) : -1;
    if (end === -1) {
      kept.push('<');
      from = open + 1;
      continue;
    }
    // A space keeps the words on both sides of a tag apart.
    kept.push(' ');
    from = endOfElement(text, open, end);
  }
  kept.push(text.slice(from));
  return kept.join('');
}

/** The index after the tag at `open`, or after the whole element when its content is not text. */
function endOfElement(text: string, open: number, tagEnd: number): number {
  const name = /^(script|style)[\s/>]/i.exec(text.slice(open + 1, open + 8))?.[1];
  if (name === undefined) return tagEnd;
  const close = new RegExp(`</${name}[^>]*>?`, 'gi');
  close.lastIndex = tagEnd;
  const found = close.exec(text);
  return found ? found.index + found[0].length : text.length;
}

/**
 * Finds the ends of tags and comments. It remembers each fruitless search and never repeats it: otherwise `<a<a<a...`
 * would take quadratic time.
 */
function tagEndFinder(text: string): (open: number) => number {
  const noMore = { comment: false, quoted: false, plain: false };
  const search = (kind: 'comment' | 'plain', needle: string, from: number): number => {
    if (noMore[kind]) return -1;
    const at = text.indexOf(needle, from);
    if (at === -1) noMore[kind] = true;
    return at === -1 ? -1 : at + needle.length;
  };
  return (open) => {
    if (text.startsWith('<!--', open)) {
      const end = search('comment', '-->', open + 2);
      if (end !== -1) return end;
    }
    if (!noMore.quoted) {
      const end = quotedTagEnd(text, open);
      if (end !== -1) return end;
      noMore.quoted = true;
    }
    return search('plain', '>', open);
  };
}

/** The end of the tag at `open`; a `>` inside a quoted attribute does not end it. -1 when the text ends first. */
function quotedTagEnd(text: string, open: number): number {
  let quote = '';
  for (let at = open + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '>') {
      return at + 1;
    } else if ((char === '"' || char === "'") && text.charAt(at - 1) === '=') {
      quote = char;
    }
  }
  return -1;
}

/** Drops each `<` that would start a tag. Works from the end, because dropping one can expose another. */
function withoutTagStarts(text: string): string {
  if (!text.includes('<')) return text;
  const reversed: string[] = [];
  let next = '';
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const char = text.charAt(at);
    if (char === '<' && TAG_START.test(next)) continue;
    reversed.push(char);
    next = char;
  }
  return reversed.reverse().join('');
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Does not cut a surrogate pair in half.
  return text
    .slice(0, maxLength)
    .replace(/\p{Cs}$/u, '')
    .trimEnd();
}
