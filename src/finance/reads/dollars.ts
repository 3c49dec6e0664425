/** US cents as dollars with two decimals for files, such as -0.50. */
export function dollars(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The same; null is `unknown`. */
export function knownDollars(cents: number | null): string {
  return cents === null ? 'unknown' : dollars(cents);
}
