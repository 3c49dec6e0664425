/** Markup that is safe to send. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | null | false | readonly Html[];

/** Template tag for markup: text is escaped, `Html` is inserted as it is, null and false become nothing. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1] ?? null) + part));
}

/** Attributes of an element: true writes the name alone; false and undefined leave the attribute out. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>;

export const attributes = (values: Attributes): Html[] =>
  Object.entries(values).map(([name, value]) => {
    if (value === undefined || value === false) return html``;
    return new Html(value === true ? ` ${name}` : ` ${name}="${escape(value)}"`);
  });

/** A list of terms and their values. */
export const terms = (rows: readonly (readonly [term: string, value: Html | string])[]): Html =>
  html`<dl>
    ${rows.map(
      ([term, value]) =>
        html`<dt>${term}</dt>
          <dd class="break">${value}</dd>`,
    )}
  </dl>`;

function render(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value));
  return Array.isArray(value) ? value.map(render).join('') : '';
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
