import { formatMoney } from '../../lib/format.js';

/** `$1,633.00`, `−$0.50`: cents as money with a real minus sign. */
export function money(cents: number): string {
  return formatMoney(cents);
}

/** {@link money} of an amount in dollars. */
export function dollars(amount: number): string {
  return money(Math.round(amount * 100));
}

/** `50¢`, `10.9¢`, `$1.00`, `−50¢`: cents below a dollar, money from there on. At most two decimals of a cent. */
export function smallMoney(cents: number): string {
  if (Math.abs(cents) >= 100) return money(cents);
  const amount = Math.abs(cents).toLocaleString('en', { maximumFractionDigits: 2 });
  return `${cents < 0 ? '−' : ''}${amount}¢`;
}

/** `3,266`, `−10`: a count with a real minus sign. */
export function count(amount: number): string {
  return amount.toLocaleString('en').replace('-', '−');
}
