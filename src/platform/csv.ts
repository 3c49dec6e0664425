/** A line of RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: string | number | boolean | null): string {
  const text = String(value ?? '');
  if (/^-?\d+(\.\d+)?$/.test(text)) return text;
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
