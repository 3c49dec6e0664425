import type { CreditTransaction } from '../../../../src/credits/wire.js';
import type { Purchase } from '../../../../src/payments/wire.js';
import { amount } from '../../lib/money.js';

const TYPES: Record<string, string> = {
  signup_bonus: 'Bonus',
  bonus_grant: 'Bonus',
  daily_grant: 'Daily',
  deduction: 'Generation',
  refund: 'Refund',
  expiry: 'Expired',
  purchase: 'Purchase',
  purchase_reversal: 'Taken back',
  purchase_reinstatement: 'Given back',
  debt_repayment: 'Repayment',
  adjustment: 'Correction',
};

/** The word in the column "Type"; a type that this release does not know is shown as it came, readable. */
export function typeLabel(type: string): string {
  const known = TYPES[type];
  if (known) return known;
  const words = type.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `+10`, `−10`, `0`, with a real minus sign. */
export function signedAmount(amount: number): string {
  if (amount === 0) return '0';
  return `${amount > 0 ? '+' : '−'}${Math.abs(amount).toLocaleString('en')}`;
}

/** What happened; a picture is named after its creator when that is known. */
export function transactionText(
  { transaction_type: type, description }: Pick<CreditTransaction, 'transaction_type' | 'description'>,
  creatorName: string | undefined,
): string {
  return type === 'deduction' && creatorName ? `Fan art with ${creatorName}` : description;
}

/** Where a purchase stands, in plain words; a state that this release does not know is shown as it came, readable. */
export function purchaseStatus({ status, refunded_cents, currency }: Purchase): string {
  switch (status) {
    case 'paid':
      return 'Paid';
    case 'partially_refunded':
      return `${amount(refunded_cents, currency)} refunded`;
    case 'refunded':
      return 'Refunded';
    case 'disputed':
      return 'Disputed';
    default:
      return typeLabel(status);
  }
}

/** `20 Nov, 21:04`, with the year when it is another one; in the reader's own time zone unless told otherwise. */
export function shortDate(iso: string, now: Date, timeZone?: string): string {
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

export const PAGE_SIZE = 20;

/** At least one page, also of nothing. */
export function totalPages(count: number, pageSize = PAGE_SIZE): number {
  return Math.max(1, Math.ceil(count / pageSize));
}
