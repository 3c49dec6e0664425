/** `$25.00`: cents as an amount of money with two decimals, with the symbol of its currency. */
export function formatMoney(cents: number, currency = 'usd'): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() }).format(cents / 100);
}

/** `20 Nov, 21:04`; with the year when it is not the current one. In the browser's time zone by default. */
export function formatShortDate(iso: string, now: Date, timeZone?: string): string {
  const date = new Date(iso);
  const year = (value: Date): string => new Intl.DateTimeFormat('en-GB', { year: 'numeric', timeZone }).format(value);
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(year(date) === year(now) ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(date);
}

/** `charged_back` becomes `Charged back`: for codes that this release does not know. */
export function humanize(code: string): string {
  const words = code.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
