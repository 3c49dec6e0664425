import type { DrawnPage } from '../../../src/contract/page-data.js';

/** Tags for the head, which React renders before the content. */
const HEAD_TAGS = /^(?:<title[^>]*>[^<]*<\/title>|<meta [^>]*>|<link [^>]*>)+/;

const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#x27;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/**
 * Splits what React has rendered into the parts of a page. React escapes quotes and angle brackets in texts and values,
 * so the tags and attributes found here are its own. The title and descriptions are dropped: the server writes the
 * head.
 * @throws when a style could end its rule
 */
export function splitRendered(rendered: string): DrawnPage {
  const head = HEAD_TAGS.exec(rendered)?.[0] ?? '';
  const preloads = (head.match(/<link [^>]*>/g) ?? []).filter((tag) => tag.includes(' rel="preload"')).join('');
  const numbers = new Map<string, number>();
  const html = rendered.slice(head.length).replace(/ style="([^"]*)"/g, (_, style: string) => {
    const number = numbers.get(style) ?? numbers.size;
    numbers.set(style, number);
    return ` data-s="${number}"`;
  });
  const css = [...numbers].map(([style, number]) => `[data-s="${number}"]{${declarations(style)}}`).join('\n');
  return { html, preloads, css };
}

function declarations(attribute: string): string {
  const text = attribute.replace(/&(?:quot|#x27|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);
  if (/[<{}]/.test(text)) throw new Error(`A style cannot be a rule of its own: ${text}`);
  return text;
}
