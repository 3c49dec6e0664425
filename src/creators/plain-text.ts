/** Characters that Postgres refuses or that hide text: control characters except line ends, and invisible ones. */
const INVISIBLE = /[^\P{C}\n]+/gu;

/** A text of several lines as it is stored: without invisible characters, blank ends and carriage returns. */
export function plainText(raw: string): string {
  return raw.replace(/\r\n?/g, '\n').replace(INVISIBLE, '').trim();
}
