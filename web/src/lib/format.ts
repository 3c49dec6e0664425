interface DateFormat {
  /** @param date an instant, also in milliseconds since 1970 */
  readonly format: (date: Date | number) => string;
}

/** A format of dates: `20 Sep 2026`. Short months have three letters; browsers write `Sept` in British English. */
export function dateFormat(options: Intl.DateTimeFormatOptions): DateFormat {
  // Made when it is used: a page that loads a module of formats needs few of them.
  let british: Intl.DateTimeFormat | undefined;
  return {
    format(date) {
      british ??= new Intl.DateTimeFormat('en-GB', options);
      return british.format(date).replace(/\bSept\b/, 'Sep');
    },
  };
}

/** `$25.00`, `−$0.50`: cents as money with two decimals, the symbol of its currency and a real minus sign. */
export function formatMoney(cents: number, currency = 'usd'): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() });
  return format.format(cents / 100).replace('-', '−');
}

/** `20 Nov, 21:04`; with the year when it is not the current one. In the browser's time zone by default. */
export function formatShortDate(iso: string, now = new Date(), timeZone?: string): string {
  const date = new Date(iso);
  const year = (value: Date): string => dateFormat({ year: 'numeric', timeZone }).format(value);
  return dateFormat({
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

/** `1 event`, `1,204 events`; without a noun the number. */
export function counted(count: number, noun?: string, plural = `${noun}s`): string {
  const figure = count.toLocaleString('en-US');
  return noun === undefined ? figure : `${figure} ${count === 1 ? noun : plural}`;
}

/** `+10`, `−10`, `0`, with a real minus sign. */
export function signed(amount: number): string {
  if (amount === 0) return '0';
  return `${amount > 0 ? '+' : '−'}${Math.abs(amount).toLocaleString('en-US')}`;
}
