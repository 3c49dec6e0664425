/** A line of RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return lineOf(values, /^[=+\-@\t\r]/);
}

/** A line of a file for a bank, which compares names: one that begins with `-` stays as it is. */
export function bankLine(values: readonly (string | number | boolean | null)[]): string {
  return lineOf(values, /^[=+@\t\r]/);
}

function lineOf(values: readonly (string | number | boolean | null)[], formula: RegExp): string {
  return `${values.map((value) => cell(value, formula)).join(',')}\r\n`;
}

function cell(value: string | number | boolean | null, formula: RegExp): string {
  const text = String(value ?? '');
  if (/^-?\d+(\.\d+)?$/.test(text)) return text;
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
