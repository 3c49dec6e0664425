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

/** US cents as dollars with two decimals for files, such as -0.50. */
export function dollars(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The same; null is `unknown`. */
export function knownDollars(cents: number | null): string {
  return cents === null ? 'unknown' : dollars(cents);
}
