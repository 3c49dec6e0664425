/** Markup that is safe to send. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | null | false | readonly Html[];

/** Template tag for markup: text is escaped, `Html` is inserted as it is, null and false become nothing. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1] ?? null) + part));
}

function render(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value));
  return Array.isArray(value) ? value.map(render).join('') : '';
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
