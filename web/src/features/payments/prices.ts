import type { CreditBundle } from '../../../../src/contract/payments.js';
import { formatMoney } from '../../lib/format.js';

/** `$10`, `$9.50`: without decimals for whole dollars. */
export function formatPrice(dollars: number): string {
  return Number.isInteger(dollars) ? `$${dollars.toLocaleString('en')}` : formatMoney(Math.round(dollars * 100));
}

/** `10 cents`, `9.5 cents`, `$1.20`: what one credit of a bundle costs. */
export function pricePerCredit({ price: dollars, credits }: Pick<CreditBundle, 'price' | 'credits'>): string {
  const cents = Math.round((dollars * 10_000) / credits) / 100;
  if (cents >= 100) return formatMoney(cents);
  return `${cents.toLocaleString('en')} ${cents === 1 ? 'cent' : 'cents'}`;
}

/** The price of a credit when it is the same in every bundle, else null. */
export function commonPricePerCredit(bundles: readonly CreditBundle[]): string | null {
  const prices = new Set(bundles.map(pricePerCredit));
  const [only] = prices;
  return prices.size === 1 && only !== undefined ? only : null;
}

/** How many images the credits pay for. */
export function imagesFor(credits: number, cost: number): number {
  return Math.floor(credits / cost);
}
