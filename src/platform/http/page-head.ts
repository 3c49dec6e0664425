import { type PageHead } from '../pages.js';

/** Renders the tags of a head, escaped. `origin` is the public origin of the app. */
export function renderHead(head: PageHead, origin: string): string {
  const address = new URL(head.path, origin).href;
  const image = head.image && { ...head.image, url: new URL(head.image.url, origin).href };
  const tags = [
    `<title>${escapeHtml(head.title)}</title>`,
    meta('name', 'description', head.description),
    ...(head.unlisted || head.notFound
      ? [meta('name', 'robots', 'noindex')]
      : [`<link rel="canonical" href="${escapeHtml(address)}" />`]),
    meta('property', 'og:site_name', 'Fanvas'),
    meta('property', 'og:type', head.type),
    meta('property', 'og:title', head.title),
    meta('property', 'og:description', head.description),
    meta('property', 'og:url', address),
    ...(image
      ? [
          meta('property', 'og:image', image.url),
          meta('property', 'og:image:type', 'image/jpeg'),
          meta('property', 'og:image:width', String(image.width)),
          meta('property', 'og:image:height', String(image.height)),
          meta('property', 'og:image:alt', image.alt),
        ]
      : []),
    meta('name', 'twitter:card', image ? 'summary_large_image' : 'summary'),
    meta('name', 'twitter:title', head.title),
    meta('name', 'twitter:description', head.description),
    ...(image ? [meta('name', 'twitter:image', image.url), meta('name', 'twitter:image:alt', image.alt)] : []),
    ...(head.structuredData ? [structured(head.structuredData)] : []),
  ];
  return tags.join('\n    ');
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}" />`;
}

/** Marked, so that the page can remove it and write its own. */
function structured(data: object): string {
  return `<script type="application/ld+json" data-from-server>${scriptJson(data)}</script>`;
}

/** Serialises for a script element: `<` is escaped, so that no value can end the element, and line separators are. */
export function scriptJson(data: object): string {
  return JSON.stringify(data).replace(/[<\u2028\u2029]/g, (character) => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML, also for attribute values in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
