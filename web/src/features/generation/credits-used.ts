import type { GenerationCredits } from '../../../../src/contract/generation.js';
import { formatMoney } from '../../lib/format.js';

/** `10 daily credits used.`: which credits an image used. Names free and purchased ones when they are mixed. */
export function creditsUsedText({ credits, kind, paid_credits }: Omit<GenerationCredits, 'creator_cents'>): string {
  if (kind === 'daily' || kind === 'bonus') return `${credits} ${kind} credits used.`;
  const paid = kind === 'paid' ? credits : paid_credits;
  if (paid === null) return `${credits} credits used.`;
  if (paid > 0 && paid < credits) return `${credits - paid} free and ${paid} purchased credits used.`;
  return `${credits} ${paid > 0 ? 'purchased' : 'free'} credits used.`;
}

/** `50 cents`, `1 cent`, `$1.20`. */
export function centsText(cents: number): string {
  if (cents >= 100) return formatMoney(cents);
  return cents === 1 ? '1 cent' : `${cents} cents`;
}
