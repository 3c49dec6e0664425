import { createHash } from 'node:crypto';
import { escapeHtml } from '../http/page-head.js';
import { type ApiDocument, type Operation } from './describe-api.js';
import { type Schema } from './contract-schemas.js';

/** Renders the description as an HTML page without scripts. */
export function renderApiPage(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))].sort();
  const schemas = Object.entries(document.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="robots" content="noindex" />
<link rel="icon" href="data:," />
<title>${escapeHtml(document.info.title)} API</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(document.info.title)} API</h1>
${text(document.info.description)}
<p><a href="/docs/api/openapi.json">OpenAPI ${escapeHtml(document.openapi)} description</a></p>
<nav aria-label="Sections"><ul>${[...tags, TYPES].map((tag) => `<li><a href="#${anchor(tag)}">${escapeHtml(tag)}</a></li>`).join('')}</ul></nav>
</header>
<main>
${tags
  .map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag));
    return `<section aria-labelledby="${anchor(tag)}"><h2 id="${anchor(tag)}">${escapeHtml(tag)}</h2>${own.map(renderOperation).join('')}</section>`;
  })
  .join('\n')}
<section aria-labelledby="${anchor(TYPES)}"><h2 id="${anchor(TYPES)}">${TYPES}</h2>
${schemas.map(([name, schema]) => `<article id="type-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${renderSchema(schema)}</article>`).join('\n')}
</section>
</main>
</body>
</html>
`;
}

const TYPES = 'Types';

function renderOperation({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const body = operation.requestBody?.content['application/json']?.schema;
  const answers = Object.entries(operation.responses['200']?.content ?? {});
  return `<article>
<h3><code>${method} ${escapeHtml(path)}</code></h3>
${text(operation.description)}
${operation.parameters.length > 0 ? `<h4>Parameters</h4>${fieldTable(operation.parameters.map(({ name, schema, required = false, description }) => ({ name, schema, required, description })))}` : ''}
${body && Object.keys(body.properties ?? {}).length > 0 ? `<h4>Request</h4>${renderSchema(body)}` : ''}
${answers.map(([type, { schema }]) => `<h4>Answer <small>${escapeHtml(type)}</small></h4>${renderSchema(schema)}`).join('')}
</article>`;
}

function renderSchema(schema: Schema): string {
  const { properties, required = [], description } = schema;
  if (!properties) return `${text(description)}<p>${typeText(schema)}</p>`;
  const fields = Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    required: required.includes(name),
    description: field.description,
  }));
  return text(description) + fieldTable(fields);
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly description: string | undefined;
}

function fieldTable(fields: readonly Field[]): string {
  const rows = fields.map(
    ({ name, schema, required, description }) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required ? '' : ' <small>optional</small>'}</th><td>${typeText(schema)}</td><td>${escapeHtml(description ?? '')}</td></tr>`,
  );
  return `<div class="wide"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** A type in a line: names link to the section of types. */
function typeText(schema: Schema): string {
  return [shapeText(schema), ...LIMITS.flatMap((keyword) => limitText(keyword, schema[keyword]))].join(', ');
}

function shapeText(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = escapeHtml(schema.$ref.split('/').at(-1) ?? '');
    return `<a href="#type-${name}">${name}</a>`;
  }
  if (schema.anyOf) return schema.anyOf.map(shapeText).join(' or ');
  if (schema.enum) return schema.enum.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(' or ');
  if ('const' in schema) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.items) return `list of ${shapeText(schema.items)}`;
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, field]) => `${escapeHtml(name)}: ${shapeText(field)}`);
    return `{ ${fields.join(', ')} }`;
  }
  return escapeHtml([schema.type ?? 'anything'].flat().join(' or '));
}

const LIMITS = ['format', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'] as const;

function limitText(keyword: string, value: unknown): string[] {
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  return [`${keyword} <code>${escapeHtml(String(value))}</code>`];
}

function text(paragraphs = ''): string {
  return paragraphs
    .split('\n\n')
    .filter(Boolean)
    .map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`)
    .join('');
}

function anchor(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

const STYLE = `
:root { color-scheme: light dark; --line: #8886; }
body { margin: 0 auto; padding: 1rem; max-width: 64rem; font: 1rem/1.5 system-ui, sans-serif; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none; }
article { border-top: 1px solid var(--line); padding: .5rem 0; }
h3 { margin: .5rem 0; overflow-wrap: anywhere; } h4 { margin: .75rem 0 .25rem; } p { margin: .25rem 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); }
thead th, small { font-weight: 400; }
`;

/** Content-Security-Policy of the page: its own style element and nothing else. */
export const API_PAGE_POLICY = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');
